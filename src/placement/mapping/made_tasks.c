/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes tasks for a TTIG that was written by hand without tasks. Simulated alone, two of these
 * tasks take what the TTIG says,
 *
 *    w(i) + comm(i, j) + w(j) (1 - p(i, j))
 *
 * if the part of j that may overlap isn't longer than i. */
#include "placement/mapping/mapping.h"

#include "placement/mapping/neighbours.h"
#include <stdlib.h>

typedef struct Maker {
    const Ttig *ttig;
    Neighbours neighbours;
} Maker;

/* Whether the edge goes forward: from a lower level to a higher one, or within a level to a higher
 * number. So there can be no circle of waits. */
static bool goes_forward(const Maker *maker, const TtigEdge *edge)
{
    const uint32_t *levels = maker->neighbours.levels;
    return levels[edge->from] != levels[edge->to] ? levels[edge->from] < levels[edge->to] : edge->from < edge->to;
}

static int least_parallel_first(const void *a, const void *b)
{
    const TtigEdge *x = *(const TtigEdge *const *)a, *y = *(const TtigEdge *const *)b;
    if (x->parallelism != y->parallelism)
        return x->parallelism < y->parallelism ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* An edge is one message with all its bytes. */
static Step *add_message(Step *step, StepKind kind, uint32_t peer, const TtigEdge *edge)
{
    *step = (Step){.kind = kind, .peer = peer, .bytes = edge->bytes, .times = 1};
    return step + 1;
}

static Step *add_work(Step *step, double seconds)
{
    *step = (Step){.kind = STEP_COMPUTE, .seconds = seconds, .times = 1};
    return step + 1;
}

static Task make_task(const Maker *maker, uint32_t task, const TtigEdge **in, uint32_t n_in, const TtigEdge **out,
                      uint32_t n_out, Arena *arena)
{
    double work_s = maker->ttig->nodes[task].seconds, done_s = 0;
    Step *steps = arena_new_array(arena, Step, 2 * (size_t)n_in + n_out + 1), *end = steps;
    qsort(in, n_in, sizeof *in, least_parallel_first);
    for (uint32_t i = 0; i < n_in; i++) {
        if (!goes_forward(maker, in[i]))
            continue;
        double until_s = in[i]->parallelism * work_s;
        if (until_s > done_s) {
            end = add_work(end, until_s - done_s);
            done_s = until_s;
        }
        end = add_message(end, STEP_RECV, in[i]->from, in[i]);
    }
    end = add_work(end, work_s - done_s);
    for (uint32_t i = 0; i < n_out; i++)
        end = add_message(end, STEP_SEND, out[i]->to, out[i]);
    for (uint32_t i = 0; i < n_in; i++)
        if (!goes_forward(maker, in[i]))
            end = add_message(end, STEP_RECV, in[i]->from, in[i]);
    return (Task){maker->ttig->nodes[task].name, (uint32_t)(end - steps), steps};
}

/* Sorts edges by one of their ends: those of a task begin at lists[first[task]]. */
static const TtigEdge **by_end(const Ttig *ttig, bool incoming, uint32_t *first, Arena *arena)
{
    const TtigEdge **lists = arena_new_array(arena, const TtigEdge *, ttig->n_edges);
    uint32_t *at = arena_new_array(arena, uint32_t, ttig->n_nodes + 1);
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        first[(incoming ? ttig->edges[i].to : ttig->edges[i].from) + 1]++;
    for (uint32_t i = 0; i < ttig->n_nodes; i++)
        at[i + 1] = first[i + 1] = first[i] + first[i + 1];
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        lists[at[incoming ? ttig->edges[i].to : ttig->edges[i].from]++] = &ttig->edges[i];
    return lists;
}

const TaskGraph *mapping_make_tasks(const Ttig *ttig, Arena *arena)
{
    uint32_t n = ttig->n_nodes;
    Maker maker = {ttig, neighbours_new(ttig, NULL, arena)};
    uint32_t *first_in = arena_new_array(arena, uint32_t, n + 1), *first_out = arena_new_array(arena, uint32_t, n + 1);
    const TtigEdge **in = by_end(ttig, true, first_in, arena), **out = by_end(ttig, false, first_out, arena);
    Task *tasks = arena_new_array(arena, Task, n);
    TaskGraph *graph = arena_new_array(arena, TaskGraph, 1);
    for (uint32_t i = 0; i < n; i++)
        tasks[i] = make_task(&maker, i, in + first_in[i], first_in[i + 1] - first_in[i], out + first_out[i],
                             first_out[i + 1] - first_out[i], arena);
    *graph = (TaskGraph){.source = ttig->source, .n_tasks = n, .tasks = tasks};
    return graph;
}
