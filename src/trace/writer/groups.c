/* SPDX-License-Identifier: BSD-3-Clause */
/* See groups.h. */
#include "trace/writer/groups.h"

#include "base/vec.h"
#include "trace/writer/incomplete.h"
#include <stdlib.h>

/* A group as one process used it. */
typedef struct Use {
    const GroupRecord *record;
    uint32_t rank, place;
    bool has_ended; /* by itself */
} Use;

typedef VEC(Use) Uses;

static int by_group(const void *left, const void *right)
{
    const Use *a = left, *b = right;
    if (a->record->name_hash != b->record->name_hash)
        return a->record->name_hash < b->record->name_hash ? -1 : 1;
    if (a->record->count != b->record->count)
        return a->record->count < b->record->count ? -1 : 1;
    if (a->record->instance != b->record->instance)
        return a->record->instance < b->record->instance ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool is_same_group(const Use *a, const Use *b)
{
    return a->record->name_hash == b->record->name_hash && a->record->count == b->record->count;
}

static bool has_all_numbers(const Use *uses, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (uses[i].record->instance != (int32_t)i)
            return false;
    return true;
}

static bool is_twice(const Use *uses, size_t n, size_t i)
{
    for (size_t k = i + 1; k < n; k++)
        if (uses[k].rank == uses[i].rank)
            return true;
    return false;
}

/* The uses of a group are those of an unchanging one. */
static bool is_steady(const Use *uses, size_t n)
{
    const int32_t count = uses[0].record->count;
    const Use *first = NULL;
    if (count > 0 ? n != (size_t)count : !has_all_numbers(uses, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (is_twice(uses, n, i))
            return false;
        if (!uses[i].has_ended)
            continue;
        if (first && first->record->n_calls != uses[i].record->n_calls)
            return false;
        first = &uses[i];
    }
    return true;
}

static Group *make_group(const Use *uses, size_t n, uint32_t number, Arena *arena)
{
    Group *group = arena_new_array(arena, Group, 1);
    group->number = number;
    if (!is_steady(uses, n))
        return group;
    CommRange *members = arena_new_array(arena, CommRange, n);
    for (size_t i = 0; i < n; i++)
        members[i] = (CommRange){.first = (int32_t)uses[i].rank, .stride = 1, .count = 1};
    group->n_members = (uint32_t)n;
    group->members = members;
    return group;
}

static void collect(const Recording *recording, Uses *uses)
{
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        const RecordedProcess *process = &recording->processes[rank];
        for (uint32_t place = 0; place < process->n_groups; place++)
            *vec_push(uses) = (Use){.record = &process->groups[place],
                                    .rank = rank,
                                    .place = place,
                                    .has_ended = process->finalize_leave_ns && !process_is_cut_off(process)};
    }
}

void groups_find(const Recording *recording, Arena *arena, Groups *groups)
{
    Uses uses = {0};
    uint32_t number = 0;
    collect(recording, &uses);
    *groups = (Groups){0};
    if (!uses.count)
        return;
    const Group **of = arena_new_array(arena, const Group *, (size_t)recording->n_processes *GROUPS_LIMIT);
    qsort(uses.items, uses.count, sizeof *uses.items, by_group);
    for (size_t begin = 0, end; begin < uses.count; begin = end, number++) {
        for (end = begin + 1; end < uses.count && is_same_group(&uses.items[begin], &uses.items[end]);)
            end++;
        const Group *group = make_group(&uses.items[begin], end - begin, number, arena);
        for (size_t i = begin; i < end; i++)
            of[(size_t)uses.items[i].rank * GROUPS_LIMIT + uses.items[i].place] = group;
    }
    groups->of = of;
    vec_free(&uses);
}
