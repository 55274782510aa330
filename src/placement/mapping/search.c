/* SPDX-License-Identifier: BSD-3-Clause */
/* Local search. Moves a task to a free slot, or swaps two tasks, and simulates the result. Keeps a
 * change if the tasks end earlier, or at the same time with fewer bytes between nodes. Loops are
 * shortened meanwhile. At the end, the start and the result are simulated in full, and the better
 * one wins. */
#include "placement/mapping/mappers.h"

#include "base/vec.h"
#include "placement/mapping/neighbours.h"
#include "placement/mapping/room.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Most steps to simulate, some seconds' worth; least and most evaluations. If loops can't be shortened, the least are a
 * minute's worth. */
#define STEPS_AT_MOST 40e6
#define LEAST_EVALUATIONS 50.0
#define STEPS_OF_LEAST 400e6
#define MOST_EVALUATIONS 20000.0

/* A search that finds nothing in FRUITLESS_ROUNDS rounds over all tasks has probably found a local
 * optimum. It then goes on from there with some random changes, at most STUCK_AT_MOST times. */
enum { FRUITLESS_ROUNDS = 4, FRUITLESS_AT_LEAST = 200, STUCK_AT_MOST = 8 };

typedef struct Search {
    const MappingProblem *problem;
    Neighbours neighbours;
    Room room;
    uint32_t *processors;
    Outcome outcome;
    uint64_t random;
} Search;

/* xorshift64*, which gives the same numbers on every machine. */
static uint32_t random_below(Search *search, uint32_t n)
{
    search->random ^= search->random >> 12;
    search->random ^= search->random << 25;
    search->random ^= search->random >> 27;
    return (uint32_t)(((search->random * 2685821657736338717u) >> 32) * n >> 32);
}

static bool keeps(Search *search)
{
    Outcome outcome = simulate_briefly(search->problem->simulation, search->processors);
    if (!outcome_is_better(&outcome, &search->outcome))
        return false;
    search->outcome = outcome;
    return true;
}

static bool try_move(Search *search, uint32_t task, uint32_t to)
{
    uint32_t from = search->processors[task];
    search->processors[task] = to;
    if (keeps(search)) {
        assert(search->room.held[from] && room_is_on(&search->room, to));
        search->room.held[from]--;
        search->room.held[to]++;
        return true;
    }
    search->processors[task] = from;
    return false;
}

static bool try_swap(Search *search, uint32_t a, uint32_t b)
{
    uint32_t *processors = search->processors, of_a = processors[a];
    processors[a] = processors[b];
    processors[b] = of_a;
    if (keeps(search))
        return true;
    processors[b] = processors[a];
    processors[a] = of_a;
    return false;
}

/* Every other time a processor near one of the task's neighbours: of the same node, or of the same unit
 * of a level within. Otherwise any. */
static uint32_t choose_target(Search *search, uint32_t task)
{
    const Neighbours *neighbours = &search->neighbours;
    const Platform *platform = search->problem->platform;
    uint32_t first = neighbours->first[task], n = neighbours->first[task + 1] - first;
    if (!n || random_below(search, 2))
        return random_below(search, platform->n_processors);
    uint32_t other = neighbours->items[first + random_below(search, n)].task;
    uint32_t n_levels = platform->n_levels - platform->node_level - 1;
    uint32_t level = platform->node_level + (n_levels > 1 ? random_below(search, n_levels) : 0);
    const uint32_t *units = platform->levels[level].units;
    uint32_t begin = search->room.first[platform->processors[search->processors[other]].node_index];
    vec_bisect(begin, search->processors[other], units[begin] < units[search->processors[other]]);
    return begin + random_below(search, platform_unit_end(platform, begin, level) - begin);
}

/* A random task on the processor, other than `task`. NOWHERE: there is none. */
static uint32_t choose_occupant(Search *search, uint32_t processor, uint32_t task)
{
    uint32_t n = search->problem->ttig->n_nodes, from = random_below(search, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t other = (from + i) % n;
        if (other != task && search->processors[other] == processor)
            return other;
    }
    return NOWHERE;
}

static bool try_something(Search *search, uint32_t task)
{
    uint32_t to = choose_target(search, task);
    if (to == search->processors[task])
        return false;
    uint32_t other = choose_occupant(search, to, task);
    bool has_room = room_is_on(&search->room, to);
    if (has_room && (other == NOWHERE || random_below(search, 2)))
        return try_move(search, task, to);
    return other != NOWHERE && try_swap(search, task, other);
}

static double evaluations_of(const MappingProblem *problem)
{
    double steps =
        problem->ttig->n_nodes + problem->platform->n_processors + simulation_brief_steps(problem->simulation);
    double least = fmin(LEAST_EVALUATIONS, ceil(STEPS_OF_LEAST / steps));
    double affordable = fmin(MOST_EVALUATIONS, fmax(least, STEPS_AT_MOST / steps));
    return problem->evaluations > 0 ? fmin(problem->evaluations, affordable) : affordable;
}

/* Makes a few changes, whatever they bring, to leave a local optimum. */
static void shake(Search *search)
{
    enum { CHANGES = 3 };
    for (int i = 0; i < CHANGES; i++) {
        search->outcome.completion_s = HUGE_VAL;
        try_something(search, random_below(search, search->problem->ttig->n_nodes));
    }
    search->outcome = simulate_briefly(search->problem->simulation, search->processors);
}

static void count_held(Search *search)
{
    memset(search->room.held, 0, search->problem->platform->n_processors * sizeof *search->room.held);
    for (uint32_t i = 0; i < search->problem->ttig->n_nodes; i++)
        search->room.held[search->processors[i]]++;
}

/* Searches from the best mapping so far, with random changes, until it was stuck too often. */
static void search_on(Search *search, const Progress *progress, Arena *arena)
{
    uint32_t n = search->problem->ttig->n_nodes, fruitless = 0, n_stuck = 0;
    uint32_t *best = arena_copy_array(arena, search->processors, n, sizeof *best);
    Outcome best_outcome = search->outcome;
    double evaluations = evaluations_of(search->problem);
    double patience = fmax(FRUITLESS_AT_LEAST, (double)FRUITLESS_ROUNDS * n * search->room.n_clusters);
    for (double i = 0; i < evaluations && n_stuck < STUCK_AT_MOST; i++) {
        fruitless = try_something(search, random_below(search, n)) ? 0 : fruitless + 1;
        if (outcome_is_better(&search->outcome, &best_outcome)) {
            best_outcome = search->outcome;
            memcpy(best, search->processors, n * sizeof *best);
        }
        if (fruitless >= patience) {
            memcpy(search->processors, best, n * sizeof *best);
            count_held(search);
            shake(search);
            fruitless = 0;
            n_stuck++;
        }
        progress_report(progress, "searching", (uint64_t)i, (uint64_t)evaluations);
    }
    memcpy(search->processors, best, n * sizeof *best);
}

Outcome search_improve(const MappingProblem *problem, uint32_t *processors, const Outcome *known,
                       const Progress *progress)
{
    Arena *arena = arena_new();
    uint32_t n = problem->ttig->n_nodes;
    uint32_t *found = arena_copy_array(arena, processors, n, sizeof *found);
    Search search = {.problem = problem,
                     .neighbours = neighbours_new(problem->ttig, problem->tasks, arena),
                     .room = room_new(problem->platform, problem->slots_per_processor, arena),
                     .processors = found,
                     .outcome = simulate_briefly(problem->simulation, found),
                     .random = 0x9e3779b97f4a7c15u ^ problem->seed};
    count_held(&search);
    search_on(&search, progress, arena);
    Outcome before = *known, after = simulate(problem->simulation, found);
    if (outcome_is_better(&after, &before)) {
        memcpy(processors, found, n * sizeof *found);
        before = after;
    }
    arena_free(arena);
    return before;
}
