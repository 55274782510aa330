/* SPDX-License-Identifier: BSD-3-Clause */
/* See worlds.h. Processes are visited in the order in which they entered MPI_Init. */
#include "trace/writer/worlds.h"

#include "base/map.h"
#include "base/vec.h"
#include <assert.h>
#include <stdlib.h>

/* A job with processes that are still missing. */
typedef struct OpenWorld {
    uint32_t number;
    int32_t n_missing;
    const WorldMember *first, *latest;
    int64_t closes_ns; /* time at which its first process left MPI_Init */
} OpenWorld;

typedef struct Worlds {
    VEC(OpenWorld) open;
    Map taken; /* set of (world, rank) */
    uint32_t count;
    bool certain;
} Worlds;

static MapKey slot_key(uint32_t world, int32_t rank)
{
    return (MapKey){world, (uint64_t)rank};
}

static bool is_one_world(const WorldMember *members, size_t count)
{
    Map ranks = {0};
    bool one = true;
    for (size_t i = 0; one && i < count; i++) {
        uint64_t *taken = map_put(&ranks, slot_key(0, members[i].rank), NULL);
        one = members[i].n_processes == members[0].n_processes && !*taken;
        *taken = 1;
    }
    map_free(&ranks);
    return one;
}

static int compare_entries(const void *a, const void *b)
{
    const WorldMember *x = *(WorldMember *const *)a, *y = *(WorldMember *const *)b;
    if (x->init_enter_ns != y->init_enter_ns)
        return x->init_enter_ns < y->init_enter_ns ? -1 : 1;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return (x > y) - (x < y); /* by their place in the array, which is in the order of the files' names */
}

static bool may_join(const Worlds *worlds, const OpenWorld *world, const WorldMember *member)
{
    return member->n_processes == world->first->n_processes &&
           (member->host != world->first->host || member->init_enter_ns <= world->closes_ns) &&
           !map_get(&worlds->taken, slot_key(world->number, member->rank));
}

static int64_t distance(const OpenWorld *world, const WorldMember *member)
{
    int64_t away = llabs((int64_t)member->pid - world->latest->pid);
    bool other_program = member->program != world->first->program, other_host = member->host != world->latest->host;
    return away + ((int64_t)other_host << 32) + ((int64_t)other_program << 33);
}

/* Chooses the open world that the process joins; returns its index. */
static size_t choose_world(Worlds *worlds, const WorldMember *member)
{
    size_t chosen = worlds->open.count;
    for (size_t i = 0; i < worlds->open.count; i++) {
        if (!may_join(worlds, &worlds->open.items[i], member))
            continue;
        worlds->certain &= chosen == worlds->open.count;
        if (chosen == worlds->open.count ||
            distance(&worlds->open.items[i], member) < distance(&worlds->open.items[chosen], member))
            chosen = i;
    }
    if (chosen == worlds->open.count)
        *vec_push(&worlds->open) = (OpenWorld){
            .number = worlds->count++, .n_missing = member->n_processes, .first = member, .closes_ns = INT64_MAX};
    return chosen;
}

static void join_world(Worlds *worlds, size_t index, WorldMember *member)
{
    assert(index < worlds->open.count);
    OpenWorld *world = &worlds->open.items[index];
    member->world = world->number;
    *map_put(&worlds->taken, slot_key(world->number, member->rank), NULL) = 1;
    world->latest = member;
    if (member->host == world->first->host && member->init_leave_ns < world->closes_ns)
        world->closes_ns = member->init_leave_ns;
    if (--world->n_missing == 0)
        *world = worlds->open.items[--worlds->open.count];
}

void worlds_tell_apart(WorldMember *members, size_t count, bool *certain)
{
    *certain = true;
    for (size_t i = 0; i < count; i++)
        members[i].world = 0;
    if (is_one_world(members, count))
        return;
    Worlds worlds = {.certain = true};
    VEC(WorldMember *) by_entry = {0};
    for (size_t i = 0; i < count; i++)
        *vec_push(&by_entry) = &members[i];
    qsort(by_entry.items, by_entry.count, sizeof *by_entry.items, compare_entries);
    for (size_t i = 0; i < count; i++)
        join_world(&worlds, choose_world(&worlds, by_entry.items[i]), by_entry.items[i]);
    *certain = worlds.certain;
    vec_free(&by_entry);
    vec_free(&worlds.open);
    map_free(&worlds.taken);
}
