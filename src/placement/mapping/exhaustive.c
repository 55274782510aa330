/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates every mapping of a few tasks. The best is a reference for the other mappers. Of equal
 * processors that are still empty, only the first is tried; likewise of interchangeable nodes. */
#include "placement/mapping/mappers.h"

#include "placement/mapping/room.h"
#include <math.h>

enum { TASKS_AT_MOST = 8 };
#define LEAVES_AT_MOST 200000
#define STEPS_AT_MOST 30e6

typedef struct Enumeration {
    const MappingProblem *problem;
    Room room;
    uint32_t *kinds; /* [n_nodes] the first node that is interchangeable with it */
    uint32_t *processors;
    double leaves, leaves_limit;
    uint32_t *best; /* NULL: mappings are only counted */
    Outcome best_outcome;
} Enumeration;

static void judge(Enumeration *all)
{
    all->leaves++;
    if (!all->best)
        return;
    Outcome outcome = simulate(all->problem->simulation, all->processors);
    if (all->leaves > 1 && !outcome_is_better(&outcome, &all->best_outcome))
        return;
    all->best_outcome = outcome;
    for (uint32_t i = 0; i < all->problem->ttig->n_nodes; i++)
        all->best[i] = all->processors[i];
}

/* Whether an earlier empty node, or an earlier empty processor of the node, is equal. */
static bool is_repeated(const Enumeration *all, uint32_t processor)
{
    const Processor *list = all->problem->platform->processors;
    uint32_t node = list[processor].node_index;
    for (uint32_t i = 0; !all->room.held_by_node[node] && i < node; i++)
        if (!all->room.held_by_node[i] && all->kinds[i] == all->kinds[node])
            return true;
    for (uint32_t i = all->room.first[node]; !all->room.held[processor] && i < processor; i++)
        if (!all->room.held[i] && list[i].speed == list[processor].speed)
            return true;
    return false;
}

static void enumerate(Enumeration *all, uint32_t task)
{
    if (all->leaves > all->leaves_limit)
        return;
    if (task == all->problem->ttig->n_nodes) {
        judge(all);
        return;
    }
    for (uint32_t i = 0; i < all->problem->platform->n_processors; i++) {
        uint32_t node = all->problem->platform->processors[i].node_index;
        if (!room_is_on(&all->room, i) || is_repeated(all, i))
            continue;
        all->processors[task] = i;
        all->room.held[i]++;
        all->room.held_by_node[node]++;
        enumerate(all, task + 1);
        all->room.held[i]--;
        all->room.held_by_node[node]--;
    }
}

static Enumeration enumeration_new(const MappingProblem *problem, Arena *arena)
{
    const Platform *platform = problem->platform;
    Enumeration all = {.problem = problem,
                       .room = room_new(platform, problem->slots_per_processor, arena),
                       .kinds = arena_new_array(arena, uint32_t, platform->n_nodes),
                       .processors = arena_new_array(arena, uint32_t, problem->ttig->n_nodes),
                       .leaves_limit =
                           fmin(LEAVES_AT_MOST, STEPS_AT_MOST / fmax(1, simulation_steps(problem->simulation)))};
    for (uint32_t i = 0; i < platform->n_nodes; i++) {
        uint32_t like = 0;
        while (like < i && (all.kinds[like] != like || !platform_nodes_are_alike(platform, like, i)))
            like++;
        all.kinds[i] = like;
    }
    return all;
}

bool exhaustive_is_applicable(const MappingProblem *problem)
{
    enum { PROCESSORS_AT_MOST = 1024 };
    if (problem->ttig->n_nodes > TASKS_AT_MOST || problem->platform->n_processors > PROCESSORS_AT_MOST)
        return false;
    Arena *arena = arena_new();
    Enumeration all = enumeration_new(problem, arena);
    enumerate(&all, 0);
    bool is_few = all.leaves <= all.leaves_limit;
    arena_free(arena);
    return is_few;
}

bool map_exhaustive(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    Enumeration all = enumeration_new(problem, arena);
    all.best = processors;
    enumerate(&all, 0);
    arena_free(arena);
    return true;
}
