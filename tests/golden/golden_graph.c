/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's example of a TFG and its TTIG (figures 2.2 to 2.8), and its check that folding a
 * loop changes no overlap (§2.2.4). Seconds of the figures are microseconds here. */
#include "../property/graph_trace.h"
#include "../property/pair_execution.h"
#include "placement/graph/graph.h"
#include "unit/fixture.h"

#include <math.h>

static Err err;

/* ---- the program, as a graph and as a trace ---- */

#define COMPUTE(time_s)                                                                                                \
    {                                                                                                                  \
        .kind = STEP_COMPUTE, .seconds = (time_s), .times = 1                                                          \
    }
#define SEND(to, size)                                                                                                 \
    {                                                                                                                  \
        .kind = STEP_SEND, .peer = (to), .bytes = (size), .times = 1                                                   \
    }
#define RECV(from, size)                                                                                               \
    {                                                                                                                  \
        .kind = STEP_RECV, .peer = (from), .bytes = (size), .times = 1                                                 \
    }
#define LOOP(count, steps)                                                                                             \
    {                                                                                                                  \
        .kind = STEP_LOOP, .times = (count), .n_body = sizeof(steps) / sizeof *(steps), .body = (steps)                \
    }
#define TASK(title, list)                                                                                              \
    {                                                                                                                  \
        .name = (title), .n_steps = sizeof(list) / sizeof *(list), .steps = (list)                                     \
    }

static const Step T0_BODY[] = {RECV(1, 4), COMPUTE(43), SEND(1, 4), COMPUTE(18)};
static const Step T0[] = {COMPUTE(312), LOOP(10, T0_BODY), SEND(2, 4), COMPUTE(62)};
static const Step T1_BODY[] = {SEND(0, 4), COMPUTE(25), RECV(0, 4), COMPUTE(31)};
static const Step T1[] = {COMPUTE(66), LOOP(10, T1_BODY), COMPUTE(557)};
static const Step T2[] = {RECV(0, 4), COMPUTE(5)};
static const Task TASKS[] = {TASK("T0", T0), TASK("T1", T1), TASK("T2", T2)};
static const TaskGraph PROGRAM = {.source = "", .n_tasks = 3, .tasks = TASKS};

/* ---- assertions ---- */

static void assert_near(double actual, double expected)
{
    if (fabs(actual - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%.12g instead of %.12g", actual, expected);
}

static void assert_steps(const Step *steps, uint32_t n_steps, const Step *expected, uint32_t n_expected, double unit_s)
{
    assert_int_equal(n_steps, n_expected);
    for (uint32_t i = 0; i < n_steps; i++) {
        assert_int_equal(steps[i].kind, expected[i].kind);
        assert_int_equal(steps[i].times, expected[i].times);
        assert_int_equal(steps[i].peer, expected[i].peer);
        assert_near(steps[i].bytes, expected[i].bytes);
        assert_near(steps[i].seconds, expected[i].seconds * unit_s);
        if (steps[i].kind == STEP_LOOP)
            assert_steps(steps[i].body, steps[i].n_body, expected[i].body, expected[i].n_body, unit_s);
    }
}

static void assert_intervals(const ExecutionInterval *intervals, uint32_t n, const double (*expected)[2],
                             uint32_t n_expected)
{
    assert_int_equal(n, n_expected);
    for (uint32_t i = 0; i < n; i++) {
        assert_near(intervals[i].from_s, expected[i][0]);
        assert_near(intervals[i].to_s, expected[i][1]);
    }
}

static const TtigEdge *edge_between(const Ttig *ttig, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        if (ttig->edges[i].from == from && ttig->edges[i].to == to)
            return &ttig->edges[i];
    fail_msg("there is no edge from %u to %u", from, to);
    return NULL;
}

/* ---- tests ---- */

static void loops_are_folded_as_in_figure_2_4(void **state)
{
    static const Step folded_0[] = {COMPUTE(312), {.kind = STEP_RECV, .peer = 1, .bytes = 4, .times = 10},
                                    COMPUTE(430), {.kind = STEP_SEND, .peer = 1, .bytes = 4, .times = 10},
                                    COMPUTE(180), SEND(2, 4),
                                    COMPUTE(62)};
    static const Step folded_1[] = {COMPUTE(66),
                                    {.kind = STEP_SEND, .bytes = 4, .times = 10},
                                    COMPUTE(250),
                                    {.kind = STEP_RECV, .bytes = 4, .times = 10},
                                    COMPUTE(867)};
    const TaskGraph *folded = graph_fold(&PROGRAM, arena);
    assert_steps(folded->tasks[0].steps, folded->tasks[0].n_steps, folded_0, 7, 1);
    assert_steps(folded->tasks[1].steps, folded->tasks[1].n_steps, folded_1, 5, 1);
}

static void the_intervals_are_those_of_figure_2_6(void **state)
{
    static const double first[][2] = {{0, 312}, {312, 742}, {742, 922}, {922, 984}},
                        second[][2] = {{0, 66}, {66, 316}, {742, 1609}};
    PairExecution execution;
    assert_true(pair_execute(graph_fold(&PROGRAM, arena), 0, 1, arena, &execution, &err));
    assert_intervals(execution.intervals[0], execution.n[0], first, 4);
    assert_intervals(execution.intervals[1], execution.n[1], second, 3);
    assert_near(execution.overlap_s, 558);
}

static void the_degrees_of_parallelism_are_those_of_the_algorithm_in_figure_2_7(void **state)
{
    Ttig *ttig;
    assert_true(graph_ttig(&PROGRAM, arena, &ttig, &err));
    assert_int_equal(ttig->n_edges, 3);
    assert_near(ttig->nodes[0].seconds, 984);
    assert_near(ttig->nodes[1].seconds, 1183);
    assert_near(edge_between(ttig, 0, 1)->parallelism, 558.0 / 1183);
    assert_near(edge_between(ttig, 1, 0)->parallelism, 558.0 / 984);
    assert_near(edge_between(ttig, 1, 0)->bytes, 40);
    assert_near(edge_between(ttig, 0, 2)->parallelism, 1); /* T2's 5 s lie within T0's 62 s */
}

/* Leaves out what comes before and behind the loop. So the overlap is that of the loop. */
static void a_loop_overlaps_430_seconds_open_and_folded(void **state)
{
    static const Step first[] = {LOOP(10, T0_BODY)}, second[] = {LOOP(10, T1_BODY)};
    static const Task tasks[] = {TASK("T0", first), TASK("T1", second)};
    static const TaskGraph loop = {.source = "", .n_tasks = 2, .tasks = tasks};
    PairExecution open, folded;
    assert_true(pair_execute(&loop, 0, 1, arena, &open, &err));
    assert_true(pair_execute(graph_fold(&loop, arena), 0, 1, arena, &folded, &err));
    assert_near(open.overlap_s, 10 * (25 + 18));
    assert_near(folded.overlap_s, 250 + 180);
}

static void a_trace_of_the_program_gives_its_graph(void **state)
{
    MemoryTrace *trace = trace_of_graph(&PROGRAM, 1000);
    TaskGraph *graph;
    Ttig *ttig;
    assert_true(graph_read(memory_trace_source(trace), COLLECTIVES_EXPANDED, NULL, arena, &graph, &err));
    for (uint32_t i = 0; i < PROGRAM.n_tasks; i++)
        assert_steps(graph->tasks[i].steps, graph->tasks[i].n_steps, TASKS[i].steps, TASKS[i].n_steps, 1e-6);
    assert_true(graph_ttig(graph, arena, &ttig, &err));
    assert_near(edge_between(ttig, 0, 1)->parallelism, 558.0 / 1183);
    assert_near(edge_between(ttig, 1, 0)->parallelism, 558.0 / 984);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(loops_are_folded_as_in_figure_2_4),
        fixture_test(the_intervals_are_those_of_figure_2_6),
        fixture_test(the_degrees_of_parallelism_are_those_of_the_algorithm_in_figure_2_7),
        fixture_test(a_loop_overlaps_430_seconds_open_and_folded),
        fixture_test(a_trace_of_the_program_gives_its_graph),
    };
    return cmocka_run_group_tests_name("golden task graph", tests, NULL, NULL);
}
