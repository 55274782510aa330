/* SPDX-License-Identifier: BSD-3-Clause */
/* List scheduling after HEFT. Tasks are taken by their upward rank: the longest way through
 * computation and messages to the end, from level to level. Each is put on the processor where it ends
 * first.
 *
 * HEFT's tasks run once: a task begins when its predecessors have ended. Processes repeat their work, so that layers
 * of a graph compute at the same time. The TTIG's parallelism says how much of a task may overlap with each of its
 * predecessors. Without this, layers seem to take turns, and are put on the same processors. */
#include "placement/mapping/mappers.h"

#include "placement/mapping/placing.h"
#include <stdlib.h>

typedef struct Ranked {
    uint32_t task, level;
    double rank_s;
} Ranked;

static int last_level_first(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->level != y->level)
        return x->level > y->level ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

static int highest_first(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->rank_s != y->rank_s)
        return x->rank_s > y->rank_s ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* Messages cost what they cost between the first and the last processor, which are on different
 * nodes if there are several. */
static Ranked *rank(const MappingProblem *problem, const Neighbours *neighbours, Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes, last = problem->platform->n_processors - 1;
    Ranked *ranked = arena_new_array(arena, Ranked, n);
    double *rank_s = arena_new_array(arena, double, n);
    for (uint32_t i = 0; i < n; i++)
        ranked[i] = (Ranked){.task = i, .level = neighbours->levels[i]};
    qsort(ranked, n, sizeof *ranked, last_level_first);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t task = ranked[i].task;
        for (uint32_t k = neighbours->first[task]; k < neighbours->first[task + 1]; k++) {
            const Neighbour *neighbour = &neighbours->items[k];
            double way_s = neighbours_cost_s(problem->platform, neighbour, 0, last) + rank_s[neighbour->task];
            if (neighbours->levels[neighbour->task] > ranked[i].level && way_s > rank_s[task])
                rank_s[task] = way_s;
        }
        ranked[i].rank_s = rank_s[task] += problem->ttig->nodes[task].seconds;
    }
    qsort(ranked, n, sizeof *ranked, highest_first);
    return ranked;
}

bool map_list(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    Placing placing = placing_new(problem, processors, arena);
    const Ranked *ranked = rank(problem, &placing.neighbours, arena);
    for (uint32_t i = 0; i < problem->ttig->n_nodes; i++)
        placing_place(&placing, ranked[i].task);
    arena_free(arena);
    return true;
}
