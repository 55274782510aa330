/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates every mapping of a few tasks. The best is a reference for the other mappers. Of
 * interchangeable nodes, parts of nodes or processors that are still empty, only the first is tried. */
#include "placement/mapping/mappers.h"

#include "placement/mapping/room.h"
#include "placement/platform/alike.h"
#include <math.h>

enum { TASKS_AT_MOST = 8 };
#define LEAVES_AT_MOST 200000
#define STEPS_AT_MOST 30e6

typedef struct Enumeration {
    const MappingProblem *problem;
    Room room;
    const AlikeUnits *units; /* of each level from the nodes on */
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

static bool is_empty(const Enumeration *all, uint32_t unit, uint32_t end)
{
    for (uint32_t i = unit; i < end; i++)
        if (all->room.held[i])
            return false;
    return true;
}

/* Whether an earlier empty unit of the level is interchangeable with the processor's, and this is empty. */
static bool is_repeated_at(const Enumeration *all, uint32_t processor, uint32_t level)
{
    const Platform *platform = all->problem->platform;
    const AlikeUnits *units = &all->units[level - platform->node_level];
    uint32_t own = units->firsts[processor], at = level > platform->node_level ? units[-1].firsts[processor] : 0, end;
    if (!is_empty(all, own, platform_unit_end(platform, own, level)))
        return false;
    for (; at < own; at = end) {
        end = platform_unit_end(platform, at, level);
        if (units->kinds[at] == units->kinds[own] && is_empty(all, at, end))
            return true;
    }
    return false;
}

static bool is_repeated(const Enumeration *all, uint32_t processor)
{
    const Platform *platform = all->problem->platform;
    for (uint32_t level = platform->node_level; level < platform->n_levels; level++)
        if (is_repeated_at(all, processor, level))
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
        if (!room_is_on(&all->room, i) || is_repeated(all, i))
            continue;
        all->processors[task] = i;
        all->room.held[i]++;
        enumerate(all, task + 1);
        all->room.held[i]--;
    }
}

static Enumeration enumeration_new(const MappingProblem *problem, Arena *arena)
{
    const Platform *platform = problem->platform;
    Enumeration all = {.problem = problem,
                       .room = room_new(platform, problem->slots_per_processor, arena),
                       .units = alike_find(platform, arena),
                       .processors = arena_new_array(arena, uint32_t, problem->ttig->n_nodes),
                       .leaves_limit =
                           fmin(LEAVES_AT_MOST, STEPS_AT_MOST / fmax(1, simulation_steps(problem->simulation)))};
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
