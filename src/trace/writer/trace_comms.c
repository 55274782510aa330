/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace_comms.h. */
#include "trace/writer/trace_comms.h"

#include <stdlib.h>

/* True if the trace's communicators from `first` on are one for each process. */
static bool is_self(const Trace *trace, uint32_t first)
{
    uint32_t n = trace->application.n_processes;
    if (n == 1 || trace->n_comms - first < n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (trace->comms[first + i].n_members != 1 || trace->comms[first + i].members[0] != i)
            return false;
    return true;
}

static MemberList list_of(const Comm *comm, Arena *arena)
{
    MemberList list = {.n_members = comm->n_members, .n_inside = comm->n_members};
    CommRange *ranges = arena_new_array(arena, CommRange, comm->n_members);
    for (uint32_t i = 0; i < comm->n_members; i++) {
        CommRange *last = list.n_ranges ? &ranges[list.n_ranges - 1] : NULL;
        int32_t member = (int32_t)comm->members[i];
        if (last && member == last->first + (int32_t)last->count)
            last->count++;
        else
            ranges[list.n_ranges++] = (CommRange){.first = member, .stride = 1, .count = 1};
    }
    list.ranges = ranges;
    return list;
}

void trace_comms_build(const Trace *trace, Arena *arena, TraceComms *comms)
{
    uint32_t n_processes = trace->application.n_processes;
    CommRange *all = arena_new_array(arena, CommRange, 1);
    *all = (CommRange){.first = 0, .stride = 1, .count = n_processes};
    VEC(MemberList) lists = {0};
    VEC(UnifiedComm) unified = {0};
    *vec_push(&lists) = (MemberList){.n_members = n_processes, .n_inside = n_processes, .n_ranges = 1, .ranges = all};
    *vec_push(&unified) = (UnifiedComm){.a = 0, .b = NO_MEMBERS, .window = NO_WINDOW};
    *vec_push(&unified) = (UnifiedComm){.a = 0, .b = NO_MEMBERS, .window = NO_WINDOW};
    *comms = (TraceComms){.trace = trace,
                          .defined = arena_new_array(arena, uint32_t, trace->n_comms),
                          .members = arena_new_array(arena, uint64_t *, trace->n_comms)};
    bool has_world = false;
    for (uint32_t i = 0; i < trace->n_comms; i++) {
        const Comm *comm = &trace->comms[i];
        if (is_self(trace, i)) {
            for (uint32_t k = 0; k < n_processes; k++)
                comms->defined[i + k] = COMM_SELF;
            comms->has_self = true;
            i += n_processes - 1;
        } else if (comm->group == 0 && !has_world) {
            comms->defined[i] = COMM_WORLD;
            has_world = true;
        } else {
            comms->defined[i] = (uint32_t)unified.count;
            *vec_push(&unified) =
                (UnifiedComm){.a = comm->group ? (uint32_t)lists.count : 0, .b = NO_MEMBERS, .window = NO_WINDOW};
            if (comm->group)
                *vec_push(&lists) = list_of(comm, arena);
        }
    }
    comms->unified = vec_copy(&unified, arena);
    comms->table = (CommTable){.n_lists = (uint32_t)lists.count,
                               .n_comms = (uint32_t)unified.count,
                               .lists = vec_copy(&lists, arena),
                               .comms = comms->unified};
    vec_free(&lists);
    vec_free(&unified);
}

static int compare_members(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static const uint64_t *sorted_members(TraceComms *comms, uint32_t number, Arena *arena)
{
    if (comms->members[number])
        return comms->members[number];
    const Comm *comm = &comms->trace->comms[number];
    uint64_t *members = arena_new_array(arena, uint64_t, comm->n_members);
    for (uint32_t i = 0; i < comm->n_members; i++)
        members[i] = (uint64_t)comm->members[i] << 32 | i;
    qsort(members, comm->n_members, sizeof *members, compare_members);
    return comms->members[number] = members;
}

uint32_t trace_comms_rank(TraceComms *comms, uint32_t number, uint32_t process, Arena *arena)
{
    const Comm *comm = &comms->trace->comms[number];
    if (process < comm->n_members && comm->members[process] == process)
        return process;
    const uint64_t *members = sorted_members(comms, number, arena);
    size_t at = 0;
    vec_bisect(at, comm->n_members, members[at] >> 32 < process);
    return at < comm->n_members && members[at] >> 32 == process ? (uint32_t)members[at] : OUTSIDE_RANK;
}
