/* SPDX-License-Identifier: BSD-3-Clause */
/* See creations.h. A trace has one event for all ways of making a communicator. If the first member returns
 * before another one begins, it doesn't gather anything. Another one that does so gets no communicator. The new
 * communicator is the first one that the process uses from then on and didn't use before. All members must agree
 * on this, or their broadcast would never end. */
#include "simulation/creations.h"

#include "base/map.h"
#include "simulation/job.h"
#include <stdlib.h>

/* One call of all members. */
typedef struct Creation {
    VEC(Event *) events;
    VEC(uint32_t) made; /* by the event with this index; NO_COMM: not known, or none */
    size_t first;       /* the event of the old communicator's first member */
    int64_t last_enter_ns;
} Creation;

/* Of a communicator: the creation that its members say made it. */
typedef struct Origin {
    size_t creation;
    uint32_t n_agreed;
    bool is_disputed;
} Origin;

typedef struct Creations {
    const Trace *trace;
    Map numbers; /* by communicator and its how many-th creation */
    VEC(Creation) items;
    Origin *origins; /* [n_comms] */
} Creations;

/* A creation of a process whose communicator isn't known yet. */
typedef struct Pending {
    size_t creation, event;
} Pending;

typedef struct Process {
    uint64_t *counts; /* [n_comms] creations so far */
    bool *is_used;    /* [n_comms] */
    VEC(Pending) pending;
} Process;

static Pending add(Creations *creations, uint32_t process, uint64_t number, Event *event)
{
    size_t at = map_number(&creations->numbers, (MapKey){event->comm, number}, creations->items.count);
    if (at == creations->items.count)
        *vec_push(&creations->items) = (Creation){.last_enter_ns = event->enter_ns};
    Creation *creation = &creations->items.items[at];
    if (creations->trace->comms[event->comm].members[0] == process)
        creation->first = creation->events.count;
    *vec_push(&creation->events) = event;
    *vec_push(&creation->made) = NO_COMM;
    if (event->enter_ns > creation->last_enter_ns)
        creation->last_enter_ns = event->enter_ns;
    return (Pending){at, creation->events.count - 1};
}

static bool is_part_of(const Comm *part, const Comm *all)
{
    for (uint32_t i = 0; i < part->n_members; i++)
        if (comm_place(all, part->members[i]) == all->n_members)
            return false;
    return true;
}

/* The first pending creation that may have made it did. */
static void use_first_time(Creations *creations, Process *process, uint32_t comm)
{
    const Comm *comms = creations->trace->comms;
    for (size_t i = 0; i < process->pending.count; i++) {
        const Pending pending = process->pending.items[i];
        Creation *creation = &creations->items.items[pending.creation];
        Origin *origin = &creations->origins[comm];
        if (!is_part_of(&comms[comm], &comms[creation->events.items[0]->comm]))
            continue;
        origin->is_disputed = origin->is_disputed || (origin->n_agreed && origin->creation != pending.creation);
        origin->creation = pending.creation;
        origin->n_agreed++;
        creation->made.items[pending.event] = comm;
        for (; i + 1 < process->pending.count; i++)
            process->pending.items[i] = process->pending.items[i + 1];
        process->pending.count--;
        return;
    }
}

static void take_process(Creations *creations, uint32_t number, RankWork *rank)
{
    Process process = {.counts = memory_zeroed(creations->trace->n_comms, sizeof *process.counts),
                       .is_used = memory_zeroed(creations->trace->n_comms, sizeof *process.is_used)};
    for (size_t i = 0; i < rank->events.count; i++) {
        Event *event = &rank->events.items[i];
        if (!event_is_in_order(event))
            continue;
        if (!process.is_used[event->comm])
            use_first_time(creations, &process, event->comm);
        process.is_used[event->comm] = true;
        if (event->kind == EVENT_COLLECTIVE && event->collective == COLLECTIVE_CREATE_HANDLE)
            *vec_push(&process.pending) = add(creations, number, process.counts[event->comm]++, event);
    }
    free(process.counts);
    free(process.is_used);
    vec_free(&process.pending);
}

/* The first member gets none if no other one says that they share it. */
static bool gets_none(const Creation *creation, size_t event)
{
    return event == creation->first || creation->events.items[event]->leave_ns <= creation->last_enter_ns;
}

static bool is_agreed(const Creations *creations, size_t number)
{
    const Creation *creation = &creations->items.items[number];
    for (size_t i = 0; i < creation->made.count; i++) {
        uint32_t made = creation->made.items[i];
        const Origin *origin = made == NO_COMM ? NULL : &creations->origins[made];
        if (!origin && !gets_none(creation, i))
            return false;
        if (origin && (origin->is_disputed || origin->creation != number ||
                       origin->n_agreed != creations->trace->comms[made].n_members))
            return false;
    }
    return true;
}

static void finish(const Creations *creations, size_t number)
{
    const Creation *creation = &creations->items.items[number];
    bool gathers = creation->events.items[creation->first]->leave_ns > creation->last_enter_ns,
         agreed = is_agreed(creations, number);
    for (size_t i = 0; i < creation->events.count; i++) {
        Event *event = creation->events.items[i];
        event->bytes = gathers ? CREATION_BYTES : 0;
        event->tag = agreed ? creation->made.items[i] : event->comm;
    }
}

void creations_prepare(Work *work)
{
    Creations creations = {.trace = work->trace,
                           .origins = memory_zeroed(work->trace->n_comms, sizeof *creations.origins)};
    for (uint32_t i = 0; i < work->n_processes; i++)
        take_process(&creations, i, &work->ranks[i]);
    for (size_t i = 0; i < creations.items.count; i++)
        finish(&creations, i);
    for (size_t i = 0; i < creations.items.count; i++) {
        vec_free(&creations.items.items[i].events);
        vec_free(&creations.items.items[i].made);
    }
    vec_free(&creations.items);
    map_free(&creations.numbers);
    free(creations.origins);
}
