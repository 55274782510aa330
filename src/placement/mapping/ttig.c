/* SPDX-License-Identifier: BSD-3-Clause */
/* TTIG list mapping, after MATE (docs/METHOD.md, section 14). Goes level by level. Within a level,
 * takes the task with the largest absolute gain with a placed neighbour:
 *
 *    gain(i, j) = comm(i, j) - p(i, j) w(j)    above 0: together saves more than in parallel
 *
 * Puts the task where its estimated end is earliest. If each processor holds one task, being
 * together means the same node. */
#include "placement/mapping/mappers.h"

#include "base/heap.h"
#include "base/vec.h"
#include "placement/mapping/placing.h"
#include <math.h>

/* A task to be placed, with its largest absolute gain with a placed neighbour when it was added to
 * the heap. */
typedef struct Waiting {
    double gain_s; /* -1: no placed neighbour */
    double seconds;
    uint32_t task, level;
} Waiting;

typedef struct Choosing {
    Placing placing;
    double *gain_s; /* [n_tasks] current */
    /* A heap, the next task at its top. A task whose gain has grown is added again. */
    VEC(Waiting) waiting;
} Choosing;

/* The lowest level first, then the largest gain, then the longest computation. */
static bool is_before(const void *left, const void *right)
{
    const Waiting *a = left, *b = right;
    if (a->level != b->level)
        return a->level < b->level;
    if (a->gain_s != b->gain_s)
        return a->gain_s > b->gain_s;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds;
    return a->task < b->task;
}

static void await(Choosing *choosing, uint32_t task)
{
    const Waiting waiting = {choosing->gain_s[task], choosing->placing.problem->ttig->nodes[task].seconds, task,
                             choosing->placing.neighbours.levels[task]};
    vec_push(&choosing->waiting);
    heap_put(choosing->waiting.items, choosing->waiting.count - 1, sizeof waiting, &waiting, is_before);
}

/* The next task that isn't placed, by its current gain. NOWHERE: all are placed. */
static uint32_t choose(Choosing *choosing)
{
    while (choosing->waiting.count) {
        Waiting top;
        heap_take(choosing->waiting.items, choosing->waiting.count--, sizeof top, &top, is_before);
        if (choosing->placing.processors[top.task] == NOWHERE && top.gain_s == choosing->gain_s[top.task])
            return top.task;
    }
    return NOWHERE;
}

static void note_gain(Choosing *choosing, uint32_t task, const Neighbour *placed)
{
    const MappingProblem *problem = choosing->placing.problem;
    double comm_s = neighbours_cost_s(problem->platform, placed, 0, problem->platform->n_processors - 1);
    double gain_s = fabs(comm_s - placed->parallelism * problem->ttig->nodes[task].seconds);
    if (choosing->placing.processors[task] != NOWHERE || !(gain_s > choosing->gain_s[task]))
        return;
    choosing->gain_s[task] = gain_s;
    await(choosing, task);
}

static void note_gains(Choosing *choosing, uint32_t placed)
{
    const Neighbours *neighbours = &choosing->placing.neighbours;
    for (uint32_t i = neighbours->first[placed]; i < neighbours->first[placed + 1]; i++) {
        uint32_t task = neighbours->items[i].task;
        for (uint32_t k = neighbours->first[task]; k < neighbours->first[task + 1]; k++)
            if (neighbours->items[k].task == placed)
                note_gain(choosing, task, &neighbours->items[k]);
    }
}

bool map_ttig(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    uint32_t n = problem->ttig->n_nodes, task;
    Choosing choosing = {.placing = placing_new(problem, processors, arena),
                         .gain_s = arena_new_array(arena, double, n)};
    for (uint32_t i = 0; i < n; i++) {
        choosing.gain_s[i] = -1;
        await(&choosing, i);
    }
    while ((task = choose(&choosing)) != NOWHERE) {
        placing_place(&choosing.placing, task);
        note_gains(&choosing, task);
    }
    vec_free(&choosing.waiting);
    arena_free(arena);
    return true;
}
