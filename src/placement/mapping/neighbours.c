/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts a TTIG's edges by task, and finds the tasks' levels (neighbours.h). */
#include "placement/mapping/neighbours.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whether the first message in these steps is received. *is_known: there is a message. */
static bool receives_first(const Step *steps, uint32_t n, bool *is_known)
{
    *is_known = true;
    for (uint32_t i = 0; i < n; i++) {
        if (steps[i].kind != STEP_COMPUTE && steps[i].kind != STEP_LOOP)
            return steps[i].kind == STEP_RECV;
        if (steps[i].kind == STEP_LOOP) {
            bool in_body = receives_first(steps[i].body, steps[i].n_body, is_known);
            if (*is_known)
                return in_body;
        }
    }
    *is_known = false;
    return false;
}

static bool starts_alone(const Task *task)
{
    bool is_known;
    return !receives_first(task->steps, task->n_steps, &is_known);
}

/* Searches breadth first along the messages, from the tasks that can start alone. A task that isn't
 * reached starts a search of its own. */
static const uint32_t *find_levels(const Ttig *ttig, const TaskGraph *tasks, const Neighbours *of, Arena *arena)
{
    uint32_t n = ttig->n_nodes, *levels = arena_new_array(arena, uint32_t, n);
    uint32_t *order = arena_new_array(arena, uint32_t, n), head = 0, end = 0;
    bool *is_found = arena_new_array(arena, bool, n), *receives = arena_new_array(arena, bool, n);
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        receives[ttig->edges[i].to] = true;
    for (uint32_t i = 0; i < n; i++)
        if ((is_found[i] = tasks ? starts_alone(&tasks->tasks[i]) : !receives[i]))
            order[end++] = i;
    for (uint32_t unseen = 0; unseen < n || head < end;) {
        if (head == end) {
            if (!is_found[unseen]) {
                is_found[unseen] = true;
                order[end++] = unseen;
            }
            unseen++;
            continue;
        }
        uint32_t task = order[head++];
        for (uint32_t i = of->first[task]; i < of->first[task + 1]; i++) {
            uint32_t next = of->items[i].task;
            if (!is_found[next]) {
                is_found[next] = true;
                levels[next] = levels[task] + 1;
                order[end++] = next;
            }
        }
    }
    assert(end == n);
    return levels;
}

static int by_task(const void *a, const void *b)
{
    const Neighbour *x = a, *y = b;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* Adds the edge to both of its tasks, unmerged. */
static void add_edge(const TtigEdge *edge, Neighbour *items, uint32_t *end)
{
    items[end[edge->to]++] = (Neighbour){edge->from, edge->bytes, edge->messages, 0, edge->parallelism};
    items[end[edge->from]++] = (Neighbour){edge->to, edge->bytes, edge->messages, edge->bytes, -1};
}

/* Fills in the parallelism if this direction has no edge, from the other direction: the overlap is
 * as long for one task as for the other. */
static void settle_parallelism(const Ttig *ttig, uint32_t task, Neighbour *neighbour, double of_other)
{
    if (neighbour->parallelism >= 0)
        return;
    double own_s = ttig->nodes[task].seconds;
    double share = own_s > 0 ? of_other * ttig->nodes[neighbour->task].seconds / own_s : 0;
    neighbour->parallelism = share < 1 ? share : 1;
}

static uint32_t merge(Neighbour *items, uint32_t n)
{
    uint32_t end = 0;
    qsort(items, n, sizeof *items, by_task);
    for (uint32_t i = 0; i < n; i++) {
        if (end && items[end - 1].task == items[i].task) {
            Neighbour *merged = &items[end - 1];
            merged->bytes += items[i].bytes;
            merged->messages += items[i].messages;
            merged->received_bytes += items[i].received_bytes;
            if (items[i].parallelism > merged->parallelism)
                merged->parallelism = items[i].parallelism;
        } else {
            items[end++] = items[i];
        }
    }
    return end;
}

static double parallelism_seen_from(const Neighbours *of, uint32_t task, uint32_t other)
{
    for (uint32_t i = of->first[other]; i < of->first[other + 1]; i++)
        if (of->items[i].task == task)
            return of->items[i].parallelism;
    return 0;
}

Neighbours neighbours_new(const Ttig *ttig, const TaskGraph *tasks, Arena *arena)
{
    uint32_t n = ttig->n_nodes;
    uint32_t *begin = arena_new_array(arena, uint32_t, n + 1), *end = arena_new_array(arena, uint32_t, n);
    uint32_t *first = arena_new_array(arena, uint32_t, n + 1);
    Neighbour *items = arena_new_array(arena, Neighbour, 2 * (size_t)ttig->n_edges);
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        begin[ttig->edges[i].from + 1]++;
        begin[ttig->edges[i].to + 1]++;
    }
    for (uint32_t i = 0; i < n; i++)
        begin[i + 1] += begin[i];
    for (uint32_t i = 0; i < n; i++)
        end[i] = begin[i];
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        add_edge(&ttig->edges[i], items, end);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t merged = merge(&items[begin[i]], begin[i + 1] - begin[i]);
        memmove(&items[first[i]], &items[begin[i]], merged * sizeof *items);
        first[i + 1] = first[i] + merged;
    }
    Neighbours made = {.first = first, .items = items};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = first[i]; k < first[i + 1]; k++)
            settle_parallelism(ttig, i, &items[k], parallelism_seen_from(&made, i, items[k].task));
    made.levels = find_levels(ttig, tasks, &made, arena);
    return made;
}

double neighbours_cost_s(const Platform *platform, const Neighbour *neighbour, uint32_t from, uint32_t to)
{
    double messages = neighbour->messages > 1 ? neighbour->messages : 1;
    return messages * platform_message_s(platform, from, to, neighbour->bytes / messages);
}
