/* SPDX-License-Identifier: BSD-3-Clause */
/* From a temporal flow graph to a TTIG, and to the two classical models (graph.h). */
#include "placement/graph/adjacent.h"
#include "placement/graph/graph.h"

/* Limits for open simulation: all pairs together for a few seconds, and one pair within some
 * hundred megabytes. */
#define OPEN_STEPS ((uint64_t)1 << 26)
#define OPEN_STEPS_OF_PAIR ((uint64_t)1 << 23)

typedef struct Making {
    const TaskGraph *graph;
    AdjacentTasks adjacent;
    PairRun run;
    PairMessages open[2];
    uint64_t steps_left;
    uint32_t n_inexact;
    TtigEdge *edges;
    uint32_t n_edges;
} Making;

static bool simulate_open(Making *making, const AdjacentPair *pair, Err *err)
{
    PairSide sides[2];
    for (int i = 0; i < 2; i++)
        sides[i] = pair_messages_collect(making->graph, pair->tasks[i], pair->tasks[!i], &making->open[i]);
    return pair_simulate(&making->run, sides) || pair_deadlock(making->graph, pair->tasks[0], pair->tasks[1], err);
}

/* The cost of simulating the pair open: all its messages, and a pass over the steps of both
 * tasks. */
static uint64_t open_cost(const Making *making, const AdjacentPair *pair)
{
    uint64_t cost = 0;
    for (int i = 0; i < 2; i++)
        cost += 2 * pair->sent[i].n_messages + making->adjacent.tasks[pair->tasks[i]].n_steps;
    return cost;
}

/* Whether some message stands in a loop. If not, folded and open simulation are the same for this
 * pair. */
static bool has_loops(const AdjacentPair *pair)
{
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < pair->sides[i].n_messages; k++)
            if (pair->sides[i].messages[k].times > 1)
                return true;
    return false;
}

static bool simulate(Making *making, const AdjacentPair *pair, Err *err)
{
    if (!pair_simulate(&making->run, pair->sides))
        return pair_deadlock(making->graph, pair->tasks[0], pair->tasks[1], err);
    uint64_t cost = open_cost(making, pair);
    if (!has_loops(pair))
        return true;
    if (cost > making->steps_left || cost > OPEN_STEPS_OF_PAIR) {
        making->n_inexact++;
        return true;
    }
    making->steps_left -= cost;
    return simulate_open(making, pair, err);
}

/* The numbers in a graph written by hand are within limits, but their sums may not be. */
static bool check_sums(const Making *making, const AdjacentPair *pair, Err *err)
{
    for (int i = 0; i < 2; i++)
        if (pair->sent[i].bytes > BYTES_LIMIT || (double)pair->sent[i].n_messages > MESSAGES_LIMIT)
            return err_set(
                err, ERR_INPUT,
                "task `%.80s` sends task `%.80s` %g bytes in %g messages; the limits are %g bytes and %g messages",
                making->graph->tasks[pair->tasks[i]].name, making->graph->tasks[pair->tasks[!i]].name,
                pair->sent[i].bytes, (double)pair->sent[i].n_messages, BYTES_LIMIT, MESSAGES_LIMIT);
    return true;
}

static bool check_computation(const Making *making, Err *err)
{
    for (uint32_t i = 0; i < making->graph->n_tasks; i++)
        if (making->adjacent.tasks[i].compute_s > SECONDS_LIMIT)
            return err_set(err, ERR_INPUT, "task `%.80s` computes %g s; the limit is %g s",
                           making->graph->tasks[i].name, making->adjacent.tasks[i].compute_s, SECONDS_LIMIT);
    return true;
}

static void add_edges(Making *making, const AdjacentPair *pair)
{
    for (int i = 0; i < 2; i++) {
        double own_s = pair->sides[!i].compute_s;
        double share = own_s > 0 ? making->run.overlap_s / own_s : 0;
        if (pair->sent[i].n_messages)
            making->edges[making->n_edges++] = (TtigEdge){.from = pair->tasks[i],
                                                          .to = pair->tasks[!i],
                                                          .bytes = pair->sent[i].bytes,
                                                          .messages = (double)pair->sent[i].n_messages,
                                                          .parallelism = share < 1 ? share : 1};
    }
}

static Ttig *keep(Making *making, Arena *arena)
{
    Ttig *ttig = arena_new_array(arena, Ttig, 1);
    TtigNode *nodes = arena_new_array(arena, TtigNode, making->graph->n_tasks);
    for (uint32_t i = 0; i < making->graph->n_tasks; i++)
        nodes[i] = (TtigNode){making->graph->tasks[i].name, making->adjacent.tasks[i].compute_s};
    qsort(making->edges, making->n_edges, sizeof *making->edges, ttig_compare_edges);
    *ttig = (Ttig){.source = making->graph->source,
                   .n_nodes = making->graph->n_tasks,
                   .n_edges = making->n_edges,
                   .nodes = nodes,
                   .edges = making->edges,
                   .tasks = making->graph,
                   .n_inexact = making->n_inexact};
    return ttig;
}

bool graph_ttig(const TaskGraph *graph, Arena *arena, Ttig **ttig, Err *err)
{
    Arena *scratch = arena_new();
    Making making = {.graph = graph, .adjacent = adjacent_tasks(graph, scratch), .steps_left = OPEN_STEPS};
    AdjacentPair pair;
    making.edges = arena_new_array(arena, TtigEdge, adjacent_count_senders(&making.adjacent));
    bool ok = check_computation(&making, err);
    while (ok && adjacent_next(&making.adjacent, &pair)) {
        ok = check_sums(&making, &pair, err) && simulate(&making, &pair, err);
        if (ok)
            add_edges(&making, &pair);
    }
    if (ok)
        *ttig = keep(&making, arena);
    pair_run_free(&making.run);
    vec_free(&making.open[0].messages);
    vec_free(&making.open[1].messages);
    arena_free(scratch);
    return ok;
}

/* ---- Classical models ---- */

static Ttig *with_parallelism(const Ttig *ttig, TtigModel model, double parallelism, Arena *arena)
{
    Ttig *copy = arena_new_array(arena, Ttig, 1);
    TtigEdge *edges = arena_copy_array(arena, ttig->edges, ttig->n_edges, sizeof *edges);
    *copy = *ttig;
    copy->model = model;
    copy->edges = edges;
    copy->n_inexact = 0;
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        edges[i].parallelism = parallelism;
    return copy;
}

bool graph_tig(const Ttig *ttig, Arena *arena, const Ttig **tig, Err *err)
{
    Ttig *whole;
    *tig = with_parallelism(ttig, MODEL_TIG, 1, arena);
    if (ttig->model != MODEL_TPG)
        return true;
    if (!ttig->tasks)
        return err_set(err, ERR_INPUT,
                       "the graph is a TPG without tasks, so the edges in the other direction are unknown");
    if (!graph_ttig(ttig->tasks, arena, &whole, err))
        return false;
    *tig = with_parallelism(whole, MODEL_TIG, 1, arena);
    return true;
}

/* The task that sends first. If only one task begins with a receive from the other, it is the
 * other. Otherwise, the task that computes less before its first message. */
static int first_sender(const AdjacentPair *pair)
{
    const PairSide *sides = pair->sides;
    if (!sides[0].n_messages || !sides[1].n_messages)
        return sides[0].n_messages ? 0 : 1;
    const PairMessage *first[2] = {&sides[0].messages[0], &sides[1].messages[0]};
    if (first[0]->sends != first[1]->sends)
        return first[0]->sends ? 0 : 1;
    return first[0]->compute_s <= first[1]->compute_s ? 0 : 1;
}

bool graph_tpg(const Ttig *ttig, Arena *arena, const Ttig **tpg, Err *err)
{
    if (!ttig->tasks)
        return err_set(err, ERR_INPUT, "the graph has no tasks with steps, so it is unknown which task precedes which");
    Arena *scratch = arena_new();
    AdjacentTasks tasks = adjacent_tasks(ttig->tasks, scratch);
    AdjacentPair pair;
    VEC(TtigEdge) edges = {0};
    while (adjacent_next(&tasks, &pair)) {
        int from = first_sender(&pair);
        if (pair.sent[from].n_messages) /* otherwise neither sends: a graph has no receives without sends */
            *vec_push(&edges) = (TtigEdge){.from = pair.tasks[from],
                                           .to = pair.tasks[!from],
                                           .bytes = pair.sent[from].bytes,
                                           .messages = (double)pair.sent[from].n_messages};
    }
    if (edges.count)
        qsort(edges.items, edges.count, sizeof(TtigEdge), ttig_compare_edges);
    Ttig *result = with_parallelism(ttig, MODEL_TPG, 0, arena);
    result->edges = vec_copy(&edges, arena);
    result->n_edges = (uint32_t)edges.count;
    *tpg = result;
    vec_free(&edges);
    arena_free(scratch);
    return true;
}
