/* SPDX-License-Identifier: BSD-3-Clause */
/* Summarises a TTIG's pairs of tasks (summary.h). */
#include "placement/graph/summary.h"

#include <math.h>
#include <stdlib.h>

#define MOSTLY 0.99

const char *const pair_kind_names[] = {"sequential", "partial", "concurrent", NULL};
_Static_assert(sizeof pair_kind_names / sizeof *pair_kind_names == PAIR_CONCURRENT + 2, "each kind has a name");

static int compare_tasks(const void *left, const void *right)
{
    const TaskPair *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->tasks[i] != b->tasks[i])
            return a->tasks[i] < b->tasks[i] ? -1 : 1;
    return 0;
}

static int compare_volumes(const void *left, const void *right)
{
    const TaskPair *a = left, *b = right;
    double of_a = a->bytes[0] + a->bytes[1], of_b = b->bytes[0] + b->bytes[1];
    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return compare_tasks(left, right);
}

static TaskPair pair_of(const Ttig *ttig, const TtigEdge *edge)
{
    int side = edge->from > edge->to;
    double seconds[2] = {ttig->nodes[edge->from].seconds, ttig->nodes[edge->to].seconds};
    /* In a file written by hand, p may give an overlap that is longer than the other task. */
    TaskPair pair = {.overlap_s = fmin(edge->parallelism * seconds[1], fmin(seconds[0], seconds[1]))};
    pair.parallelism[side] = edge->parallelism;
    pair.parallelism[!side] = seconds[0] > 0 ? pair.overlap_s / seconds[0] : 0;
    pair.has_edge[side] = true;
    pair.tasks[side] = edge->from;
    pair.tasks[!side] = edge->to;
    pair.bytes[side] = edge->bytes;
    pair.messages[side] = edge->messages;
    return pair;
}

static void judge(const Ttig *ttig, TaskPair *pair)
{
    double seconds[2] = {ttig->nodes[pair->tasks[0]].seconds, ttig->nodes[pair->tasks[1]].seconds};
    double shorter_s = seconds[0] < seconds[1] ? seconds[0] : seconds[1];
    double share = shorter_s > 0 ? pair->overlap_s / shorter_s : 0;
    pair->kind = share >= MOSTLY ? PAIR_CONCURRENT : share <= 1 - MOSTLY ? PAIR_SEQUENTIAL : PAIR_PARTIAL;
}

/* Merges the two edges of a pair, which are neighbours in the list. */
static uint32_t merge(TaskPair *pairs, uint32_t n)
{
    uint32_t n_merged = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (n_merged && compare_tasks(&pairs[n_merged - 1], &pairs[i]) == 0) {
            for (int k = 0; k < 2; k++) {
                pairs[n_merged - 1].bytes[k] += pairs[i].bytes[k];
                pairs[n_merged - 1].messages[k] += pairs[i].messages[k];
                if (pairs[i].has_edge[k])
                    pairs[n_merged - 1].parallelism[k] = pairs[i].parallelism[k];
            }
        } else {
            pairs[n_merged++] = pairs[i];
        }
    }
    return n_merged;
}

GraphSummary graph_summarise(const Ttig *ttig, Arena *arena)
{
    GraphSummary summary = {0};
    TaskPair *pairs = arena_new_array(arena, TaskPair, ttig->n_edges);
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        pairs[i] = pair_of(ttig, &ttig->edges[i]);
        summary.bytes += ttig->edges[i].bytes;
        summary.messages += ttig->edges[i].messages;
    }
    for (uint32_t i = 0; i < ttig->n_nodes; i++)
        summary.compute_s += ttig->nodes[i].seconds;
    qsort(pairs, ttig->n_edges, sizeof *pairs, compare_tasks);
    summary.n_pairs = merge(pairs, ttig->n_edges);
    for (uint32_t i = 0; i < summary.n_pairs; i++) {
        judge(ttig, &pairs[i]);
        summary.n_of[pairs[i].kind]++;
    }
    qsort(pairs, summary.n_pairs, sizeof *pairs, compare_volumes);
    summary.pairs = pairs;
    return summary;
}
