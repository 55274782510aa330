/* SPDX-License-Identifier: BSD-3-Clause */
/* Random task graphs without deadlocks. Their degrees of parallelism are compared with the thesis's
 * algorithm, which compares every phase of a task with every phase of the other. Traces of these
 * graphs must be read as the same graphs. */
#include "graph_oracle.h"
#include "graph_trace.h"
#include "pair_execution.h"
#include "test.h"

#include "model/shortening.h"
#include "model/traffic.h"
#include "placement/graph/graph.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 300, MOST_TASKS = 6, MOST_STEPS = 14, DEEPEST = 2 };

/* ---- random graphs ---- */

typedef struct Steps {
    VEC(Step) list;
} Steps;

static const Step *take(Steps *steps, Arena *arena, uint32_t *n)
{
    Step *taken = arena_new_array(arena, Step, steps->list.count);
    if (steps->list.count)
        memcpy(taken, steps->list.items, steps->list.count * sizeof *taken);
    *n = (uint32_t)steps->list.count;
    vec_free(&steps->list);
    return taken;
}

static void add_block(uint64_t *random, uint32_t n_tasks, int depth, Arena *arena, Steps *tasks);

/* Adds a loop with the same number of iterations in all tasks. But a task may do two iterations at
 * a time. */
static void add_loop(uint64_t *random, uint32_t n_tasks, int depth, Arena *arena, Steps *tasks)
{
    Steps bodies[MOST_TASKS] = {0};
    uint64_t times = 2 * (1 + random_below(random, 4));
    add_block(random, n_tasks, depth + 1, arena, bodies);
    for (uint32_t i = 0; i < n_tasks; i++) {
        size_t n = bodies[i].list.count;
        bool doubled = random_below(random, 5) == 0;
        if (!n)
            continue;
        for (size_t k = 0; doubled && k < n; k++) {
            Step step = bodies[i].list.items[k];
            *vec_push(&bodies[i].list) = step;
        }
        Step *loop = vec_push(&tasks[i].list);
        *loop = (Step){.kind = STEP_LOOP, .times = doubled ? times / 2 : times};
        loop->body = take(&bodies[i], arena, &loop->n_body);
    }
}

/* Messages are sent before they are received, in the order of their creation. So no deadlock is
 * possible. */
static void add_block(uint64_t *random, uint32_t n_tasks, int depth, Arena *arena, Steps *tasks)
{
    uint32_t n = 1 + random_below(random, MOST_STEPS);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = random_below(random, n_tasks), to = random_below(random, n_tasks);
        double bytes = random_below(random, 3);
        switch (random_below(random, 8)) {
        case 0:
            if (depth < DEEPEST)
                add_loop(random, n_tasks, depth, arena, tasks);
            break;
        case 1:
        case 2:
        case 3:
            *vec_push(&tasks[from].list) =
                (Step){.kind = STEP_COMPUTE, .seconds = 1 + random_below(random, 100), .times = 1};
            break;
        default:
            *vec_push(&tasks[from].list) = (Step){.kind = STEP_SEND, .peer = to, .bytes = bytes, .times = 1};
            *vec_push(&tasks[to].list) = (Step){.kind = STEP_RECV, .peer = from, .bytes = bytes, .times = 1};
        }
    }
}

static const TaskGraph *random_graph(uint64_t seed, Arena *arena)
{
    uint64_t random = seed * 2 + 1;
    Steps lists[MOST_TASKS] = {0};
    TaskGraph *graph = arena_new_array(arena, TaskGraph, 1);
    graph->n_tasks = 2 + random_below(&random, MOST_TASKS - 1);
    graph->source = "";
    Task *tasks = arena_new_array(arena, Task, graph->n_tasks);
    add_block(&random, graph->n_tasks, 0, arena, lists);
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        tasks[i].name = arena_printf(arena, "%u", i);
        tasks[i].steps = take(&lists[i], arena, &tasks[i].n_steps);
    }
    graph->tasks = tasks;
    return graph;
}

static void expand(const Step *steps, uint32_t n, Steps *open)
{
    for (uint32_t i = 0; i < n; i++) {
        if (steps[i].kind != STEP_LOOP)
            *vec_push(&open->list) = steps[i];
        for (uint64_t k = 0; steps[i].kind == STEP_LOOP && k < steps[i].times; k++)
            expand(steps[i].body, steps[i].n_body, open);
    }
}

static const TaskGraph *open_graph(const TaskGraph *graph, Arena *arena)
{
    TaskGraph *open = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_new_array(arena, Task, graph->n_tasks);
    *open = *graph;
    open->tasks = tasks;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        Steps steps = {0};
        expand(graph->tasks[i].steps, graph->tasks[i].n_steps, &steps);
        tasks[i] = graph->tasks[i];
        tasks[i].steps = take(&steps, arena, &tasks[i].n_steps);
    }
    return open;
}

/* ---- assertions ---- */

static void assert_near(double actual, double expected, uint64_t seed)
{
    if (!(fabs(actual - expected) <= 1e-6 * (1 + fabs(expected))))
        fail_msg("graph %llu: %.12g instead of %.12g", (unsigned long long)seed, actual, expected);
}

static double compute_of(const TaskGraph *graph, uint32_t task, Arena *arena)
{
    double sum = 0;
    const TaskGraph *open = open_graph(graph, arena);
    for (uint32_t i = 0; i < open->tasks[task].n_steps; i++)
        sum += open->tasks[task].steps[i].seconds;
    return sum;
}

static PairExecution execute(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena)
{
    Err err = {0};
    PairExecution execution;
    if (!pair_execute(graph, first, second, arena, &execution, &err))
        fail_msg("%s", err.message);
    return execution;
}

typedef void Property(const TaskGraph *graph, uint64_t seed, Arena *arena);

static void for_random_graphs(Property *property)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        Arena *arena = arena_new();
        property(random_graph(seed, arena), seed, arena);
        arena_free(arena);
    }
}

/* ---- properties ---- */

static void compare_with_oracle(const TaskGraph *graph, uint64_t seed, Arena *arena)
{
    const TaskGraph *open = open_graph(graph, arena), *folded = graph_fold(graph, arena);
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        for (uint32_t k = 0; k < graph->n_tasks; k++) {
            if (i == k)
                continue;
            assert_near(execute(folded, i, k, arena).overlap_s, oracle_overlap(folded, i, k, arena), seed);
            assert_near(execute(open, i, k, arena).overlap_s, oracle_overlap(open, i, k, arena), seed);
            assert_near(execute(graph, i, k, arena).overlap_s, oracle_overlap(open, i, k, arena), seed);
        }
}

static void overlaps_are_those_of_the_algorithm_of_the_thesis(void **state)
{
    for_random_graphs(compare_with_oracle);
}

static void check_edges(const TaskGraph *graph, uint64_t seed, Arena *arena)
{
    Err err = {0};
    Ttig *ttig;
    const TaskGraph *open = open_graph(graph, arena);
    assert_true(graph_ttig(graph, arena, &ttig, &err));
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i];
        double overlap = oracle_overlap(open, edge->from, edge->to, arena);
        double own = compute_of(graph, edge->to, arena);
        assert_true(edge->parallelism >= 0 && edge->parallelism <= 1);
        assert_near(edge->parallelism, own > 0 ? overlap / own : 0, seed);
        assert_near(ttig->nodes[edge->to].seconds, own, seed);
    }
}

static void degrees_of_parallelism_are_shares_of_what_a_task_computes(void **state)
{
    for_random_graphs(check_edges);
}

static void check_intervals(const TaskGraph *graph, uint64_t seed, Arena *arena)
{
    for (uint32_t i = 0; i + 1 < graph->n_tasks; i++) {
        PairExecution there = execute(graph, i, i + 1, arena), back = execute(graph, i + 1, i, arena);
        assert_near(there.overlap_s, back.overlap_s, seed);
        for (int side = 0; side < 2; side++) {
            double sum = 0, end = 0;
            for (uint32_t k = 0; k < there.n[side]; k++) {
                const ExecutionInterval *interval = &there.intervals[side][k];
                assert_true(interval->from_s >= end - 1e-6 && interval->to_s > interval->from_s);
                end = interval->to_s;
                sum += interval->to_s - interval->from_s;
            }
            assert_near(sum, compute_of(graph, i + (uint32_t)side, arena), seed);
        }
    }
}

static void intervals_are_disjoint_and_hold_all_computation(void **state)
{
    for_random_graphs(check_intervals);
}

static void check_no_deadlock(const TaskGraph *graph, uint64_t seed, Arena *arena)
{
    (void)seed;
    Err err = {0};
    (void)arena;
    if (!graph_check_waits(graph, NULL, &err))
        fail_msg("%s", err.message);
}

static void no_deadlock_is_seen_where_there_is_none(void **state)
{
    for_random_graphs(check_no_deadlock);
}

/* Compares the messages of each task in order, and its computation. */
static void check_reading(const TaskGraph *graph, uint64_t seed, Arena *arena)
{
    Err err = {0};
    TaskGraph *read;
    MemoryTrace *trace = trace_of_graph(graph, 1000);
    assert_true(graph_read(memory_trace_source(trace), COLLECTIVES_EXPANDED, NULL, arena, &read, &err));
    const TaskGraph *expected = open_graph(graph, arena), *found = open_graph(read, arena);
    assert_int_equal(read->n_unmatched, 0);
    for (uint32_t t = 0; t < graph->n_tasks; t++) {
        const Task *a = &expected->tasks[t], *b = &found->tasks[t];
        uint32_t k = 0;
        for (uint32_t i = 0; i < a->n_steps; i++) {
            if (a->steps[i].kind == STEP_COMPUTE)
                continue;
            while (k < b->n_steps && b->steps[k].kind == STEP_COMPUTE)
                k++;
            assert_true(k < b->n_steps);
            assert_int_equal(a->steps[i].kind, b->steps[k].kind);
            assert_int_equal(a->steps[i].peer, b->steps[k].peer);
            assert_near(a->steps[i].bytes, b->steps[k].bytes, seed);
            k++;
        }
        assert_near(compute_of(read, t, arena), 1e-6 * compute_of(graph, t, arena), seed);
    }
    memory_trace_free(trace);
}

static void a_graph_read_from_a_trace_does_what_the_trace_did(void **state)
{
    for_random_graphs(check_reading);
}

/* Times that need more than twelve digits. */
static const Step *odd_times(const Step *steps, uint32_t n, Arena *arena)
{
    Step *odd = arena_new_array(arena, Step, n);
    for (uint32_t i = 0; i < n; i++) {
        odd[i] = steps[i];
        odd[i].seconds = steps[i].seconds / 7;
        if (steps[i].kind == STEP_LOOP)
            odd[i].body = odd_times(steps[i].body, steps[i].n_body, arena);
    }
    return odd;
}

static void check_saved(const TaskGraph *graph, uint64_t seed, Arena *arena)
{
    char path[] = "/tmp/firma-graphs-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    Err err = {0};
    Ttig *made;
    TaskGraph odd = *graph;
    Task *tasks = arena_new_array(arena, Task, graph->n_tasks);
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        tasks[i] = (Task){graph->tasks[i].name, graph->tasks[i].n_steps,
                          odd_times(graph->tasks[i].steps, graph->tasks[i].n_steps, arena)};
    odd.tasks = tasks;
    assert_true(graph_ttig(&odd, arena, &made, &err));
    const Ttig *models[3] = {made}, *read;
    assert_true(graph_tig(made, arena, &models[1], &err) && graph_tpg(made, arena, &models[2], &err));
    for (int i = 0; i < 3; i++) {
        bool is_whole;
        if (!ttig_save(models[i], path, &err) || !graph_load(path, arena, &is_whole, &read, &err))
            fail_msg("graph %llu: %s", (unsigned long long)seed, err.message);
        assert_int_equal(read->n_edges, models[i]->n_edges);
        assert_int_equal(read->model, i);
    }
    unlink(path);
}

static void what_is_saved_agrees_with_its_tasks_when_it_is_read(void **state)
{
    for_random_graphs(check_saved);
}

/* The graph with outermost loops that run 20 times as often. */
static const TaskGraph *lengthen(const TaskGraph *graph, Arena *arena)
{
    TaskGraph *longer = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_copy_array(arena, graph->tasks, graph->n_tasks, sizeof *tasks);
    *longer = *graph;
    longer->tasks = tasks;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        Step *steps = arena_copy_array(arena, tasks[i].steps, tasks[i].n_steps, sizeof *steps);
        for (uint32_t k = 0; k < tasks[i].n_steps; k++)
            steps[k].times *= steps[k].kind == STEP_LOOP ? 20 : 1;
        tasks[i].steps = steps;
    }
    return longer;
}

static void count_traffic(const TaskGraph *graph, TrafficTable *table)
{
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        for (uint32_t k = 0; k < graph->tasks[i].n_steps; k++) {
            const Step *step = &graph->tasks[i].steps[k];
            if (step->kind == STEP_SEND)
                traffic_between(table, i, step->peer)->sent++;
            else if (step->kind == STEP_RECV)
                traffic_between(table, step->peer, i)->received++;
        }
}

static void a_shortened_graph_still_receives_what_it_sends(void **state)
{
    unsigned n_shorter = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        Arena *arena = arena_new();
        Err err = {0};
        TrafficTable traffic = {0};
        const TaskGraph *whole = lengthen(random_graph(seed, arena), arena);
        const Shortening *shortening = shortening_new(whole, arena);
        const TaskGraph *graph = shortening_make(shortening, 0.1, 2, arena);
        GraphSize size = graph_size(graph);
        assert_near(shortening_steps(shortening, 0.1, 2), (double)size.n_steps_open, seed);
        assert_near(shortening_steps(shortening, 1, 2), (double)graph_size(whole).n_steps_open, seed);
        n_shorter += size.n_steps_open < graph_size(whole).n_steps_open / 2;
        count_traffic(open_graph(graph, arena), &traffic);
        for (size_t i = 0; i < traffic.pairs.count; i++)
            assert_int_equal(traffic.pairs.items[i].received, traffic.pairs.items[i].sent);
        if (!graph_check_waits(graph, NULL, &err))
            fail_msg("graph %llu: %s", (unsigned long long)seed, err.message);
        traffic_free(&traffic);
        arena_free(arena);
    }
    assert_true(n_shorter > ROUNDS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_are_those_of_the_algorithm_of_the_thesis),
        cmocka_unit_test(degrees_of_parallelism_are_shares_of_what_a_task_computes),
        cmocka_unit_test(intervals_are_disjoint_and_hold_all_computation),
        cmocka_unit_test(no_deadlock_is_seen_where_there_is_none),
        cmocka_unit_test(what_is_saved_agrees_with_its_tasks_when_it_is_read),
        cmocka_unit_test(a_graph_read_from_a_trace_does_what_the_trace_did),
        cmocka_unit_test(a_shortened_graph_still_receives_what_it_sends),
    };
    return cmocka_run_group_tests_name("properties of the graph", tests, NULL, NULL);
}
