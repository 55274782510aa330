/* SPDX-License-Identifier: BSD-3-Clause */
/* TTIG list mapping, after MATE (spec 4 §4.3): level by level; within one, the task whose gain with a placed neighbour
 * is largest, whichever way it goes,
 *
 *     gain(i, j) = comm(i, j) - p(i, j) w(j)        above 0: together saves more than working at the same time
 *
 * onto the processor with the least estimated time. Where processors hold one task each, together is the same node. */
#include "mapping/mappers.h"

#include "mapping/placing.h"
#include <math.h>

typedef struct Choosing {
    Placing placing;
    double *gain_s;    /* [n_tasks] the largest |gain| with a placed neighbour; -1: it has none */
    uint32_t *waiting; /* tasks by level that aren't placed yet */
    uint32_t n_waiting;
} Choosing;

static void note_gains(Choosing *choosing, uint32_t placed)
{
    const MappingProblem *problem = choosing->placing.problem;
    const Neighbours *neighbours = &choosing->placing.neighbours;
    for (uint32_t i = neighbours->first[placed]; i < neighbours->first[placed + 1]; i++) {
        uint32_t task = neighbours->items[i].task;
        for (uint32_t k = neighbours->first[task]; k < neighbours->first[task + 1]; k++) {
            const Neighbour *back = &neighbours->items[k];
            if (back->task != placed)
                continue;
            double comm_s = neighbours_cost_s(problem->platform, back, 0, problem->platform->n_processors - 1);
            double gain_s = fabs(comm_s - back->parallelism * problem->ttig->nodes[task].seconds);
            choosing->gain_s[task] = fmax(choosing->gain_s[task], gain_s);
        }
    }
}

/* Who is next: of the lowest level, the largest |gain|; of those without placed neighbours, the longest. */
static uint32_t choose(const Choosing *choosing, uint32_t level, uint32_t *at)
{
    const TtigNode *nodes = choosing->placing.problem->ttig->nodes;
    uint32_t best = NOWHERE;
    for (uint32_t i = 0; i < choosing->n_waiting; i++) {
        uint32_t task = choosing->waiting[i];
        if (choosing->placing.neighbours.levels[task] != level)
            continue;
        bool is_better = best == NOWHERE || choosing->gain_s[task] > choosing->gain_s[best] ||
                         (choosing->gain_s[task] == choosing->gain_s[best] &&
                          (nodes[task].seconds > nodes[best].seconds ||
                           (nodes[task].seconds == nodes[best].seconds && task < best)));
        if (is_better) {
            best = task;
            *at = i;
        }
    }
    return best;
}

bool map_ttig(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    uint32_t n = problem->ttig->n_nodes, level = 0, at = 0;
    Choosing choosing = {.placing = placing_new(problem, true, processors, arena),
                         .gain_s = arena_new_array(arena, double, n),
                         .waiting = arena_new_array(arena, uint32_t, n),
                         .n_waiting = n};
    for (uint32_t i = 0; i < n; i++) {
        choosing.waiting[i] = i;
        choosing.gain_s[i] = -1;
    }
    while (choosing.n_waiting) {
        uint32_t task = choose(&choosing, level, &at);
        if (task == NOWHERE) {
            level++;
            continue;
        }
        placing_place(&choosing.placing, task);
        note_gains(&choosing, task);
        choosing.waiting[at] = choosing.waiting[--choosing.n_waiting];
    }
    arena_free(arena);
    return true;
}
