/* SPDX-License-Identifier: BSD-3-Clause */
/* Task graphs: JSON forms written by hand and saved, deadlocks, receives without sends, loops,
 * classical models. */
#include "placement/graph/graph.h"
#include "placement/graph/summary.h"
#include "property/graph_trace.h"
#include "property/pair_execution.h"
#include "unit/graph_files.h"

#include <math.h>

static Err err;

static TaskGraph *load(const char *text)
{
    TaskGraph *graph;
    write_text(text);
    if (!tfg_load(graph_path(), arena, &graph, &err))
        fail_msg("%s", err.message);
    return graph;
}

static Ttig *ttig_of(const char *text)
{
    Ttig *ttig;
    if (!graph_ttig(load(text), arena, &ttig, &err))
        fail_msg("%s", err.message);
    return ttig;
}

static void assert_refused(const char *text, const char *words)
{
    TaskGraph *graph;
    write_text(text);
    assert_false(tfg_load(graph_path(), arena, &graph, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    if (!strstr(err.message, words))
        fail_msg("`%s` doesn't say `%s`", err.message, words);
}

/* ---- JSON ---- */

static void a_graph_is_written_by_hand_in_few_words(void **state)
{
    const TaskGraph *graph =
        load(TFG("[1, {\"send\": \"b\", \"bytes\": 8}, {\"times\": 3, \"body\": [2, {\"recv\": 1}]}],"
                 "{\"name\": \"b\", \"steps\": [{\"recv\": 0}, {\"times\": 3, \"body\": "
                 "[{\"send\": \"0\"}]}]}"));
    assert_int_equal(graph->n_tasks, 2);
    assert_string_equal(graph->tasks[0].name, "0");
    assert_string_equal(graph->tasks[1].name, "b");
    const Step *steps = graph->tasks[0].steps;
    assert_int_equal(steps[1].peer, 1);
    assert_true(steps[0].seconds == 1 && steps[1].bytes == 8 && steps[1].times == 1);
    assert_int_equal(steps[2].kind, STEP_LOOP);
    assert_int_equal(steps[2].times, 3);
    assert_int_equal(steps[2].body[1].kind, STEP_RECV);
}

static void what_is_saved_is_loaded_again(void **state)
{
    Ttig *again, *ttig = ttig_of(TFG("[1, {\"times\": 4, \"body\": [{\"send\": 1, \"bytes\": 100}, 0.5]}],"
                                     "[{\"times\": 4, \"body\": [{\"recv\": 0}, 0.25]}]"));
    assert_true(ttig_save(ttig, graph_path(), &err));
    assert_true(ttig_load(graph_path(), arena, &again, &err));
    json_t *before = ttig_to_json(ttig), *after = ttig_to_json(again);
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
    assert_int_equal(again->tasks->tasks[0].steps[1].times, 4);
}

static void puts_and_gets_are_volumes_that_bind_nobody(void **state)
{
    Ttig *again, *ttig = ttig_of(TFG("[{\"times\": 3, \"body\": [{\"put\": 1, \"bytes\": 100}]}, 1,"
                                     "{\"get\": 1, \"bytes\": 7, \"blocks\": true}, {\"send\": 1, \"bytes\": 5}],"
                                     "[{\"recv\": 0}, 1], [{\"get\": 1, \"bytes\": 9}]"));
    assert_true(ttig_save(ttig, graph_path(), &err));
    assert_true(ttig_load(graph_path(), arena, &again, &err));
    assert_int_equal(again->tasks->tasks[0].steps[0].body[0].kind, STEP_PUT);
    assert_true(again->tasks->tasks[0].steps[2].kind == STEP_GET && again->tasks->tasks[0].steps[2].blocks);
    assert_int_equal(again->n_edges, 3);
    const double bytes[] = {305, 7, 9}, messages[] = {4, 1, 1}, parallelism[] = {0, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(again->edges[i].bytes == bytes[i] && again->edges[i].messages == messages[i]);
        assert_true(again->edges[i].parallelism == parallelism[i]);
    }
}

static void what_is_wrong_in_a_graph_is_named_with_its_place(void **state)
{
    assert_refused(TFG(""), "tasks: 0 tasks");
    assert_refused(TFG("7"), "tasks[0]: expected a task");
    assert_refused(TFG("[1, -2]"), "tasks[0][1]: expected seconds of computation, not negative");
    assert_refused(TFG("[{\"send\": 3}]"), "tasks[0][0].send: there is no task 3, only 0 to 0");
    assert_refused(TFG("[{\"send\": -1}]"), "there is no task -1");
    assert_refused(TFG("[{\"recv\": \"who\"}]"), "tasks[0][0].recv: there is no task `who`");
    assert_refused(TFG("{\"steps\": [{\"send\": 0, \"bytes\": -8}]}"),
                   "tasks[0].steps[0].bytes: expected a number, not");
    assert_refused(TFG("[{\"send\": 0, \"byte\": 8}]"), "tasks[0][0]: unknown member `byte`");
    assert_refused(TFG("[{\"times\": 0, \"body\": [1]}]"), "tasks[0][0]: expected at least one iteration");
    assert_refused(TFG("[{\"times\": 2, \"body\": [1, [2]]}]"), "tasks[0][0].body[1]: expected seconds");
    assert_refused(TFG("[{\"times\": 1099511627776, \"body\": [{\"times\": 2, \"body\": [1]}]}]"),
                   "tasks[0][0].body[0]: more than 2^40 iterations");
    assert_refused(TFG("{\"name\": \"a\\u001b[2J\", \"steps\": []}"), "tasks[0].name: contains a control character");
    assert_refused(TFG("{\"name\": \"\", \"steps\": []}"), "tasks[0].name: expected a text that isn't empty");
    assert_refused("{\"format\": \"firma task graph\", \"version\": 1, \"unmached\": 3, \"tasks\": [[1]]}",
                   "unknown member `unmached`");
    assert_refused(TFG("{\"name\": \"a\", \"steps\": []}, {\"name\": \"a\", \"steps\": []}"),
                   "tasks[1].name: `a` is the name of an earlier task");
}

static void a_receive_that_nobody_sends_is_refused(void **state)
{
    assert_refused(TFG("[{\"send\": 1}], [{\"times\": 2, \"body\": [{\"recv\": 0}]}]"),
                   "tasks[1]: task `1` receives 2 messages from `0`, which sends it 1");
}

/* ---- deadlocks ---- */

static void assert_deadlock(const char *text, const char *words)
{
    assert_false(graph_check_waits(load(text), NULL, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    if (!strstr(err.message, words))
        fail_msg("`%s` doesn't say `%s`", err.message, words);
}

static void a_circle_of_waits_is_named_with_its_tasks(void **state)
{
    assert_deadlock(
        TFG("[{\"recv\": 2}, {\"send\": 1}], [{\"recv\": 0}, {\"send\": 2}], [{\"recv\": 1}, {\"send\": 0}]"),
        "`0` for `2`, `2` for `1`, `1` for `0`");
}

static void a_deadlock_of_a_later_iteration_is_found(void **state)
{
    assert_deadlock(TFG("[{\"times\": 2, \"body\": [{\"send\": 1}, {\"recv\": 1}]}],"
                        "[{\"recv\": 0}, {\"recv\": 0}, {\"send\": 0}, {\"send\": 0}]"),
                    "`0` for `1`, `1` for `0`");
}

/* ---- parallelism ---- */

static void a_pipeline_of_one_message_cannot_overlap(void **state)
{
    const Ttig *ttig = ttig_of(TFG("[3, {\"send\": 1}], [{\"recv\": 0}, 5]"));
    assert_int_equal(ttig->n_edges, 1);
    assert_true(ttig->edges[0].parallelism == 0);
    assert_int_equal(graph_summarise(ttig, arena).n_of[PAIR_SEQUENTIAL], 1);
}

static void loops_are_simulated_open(void **state)
{
    /* Open: 0 computes for 1 s before and behind each message, and 1 for 3 s behind each second
     * message. */
    const char *text = TFG("[{\"times\": 4, \"body\": [1, {\"send\": 1}, 1]}],"
                           "[{\"times\": 2, \"body\": [{\"recv\": 0}, {\"recv\": 0}, 3]}]");
    PairExecution open;
    const TaskGraph *graph = load(text);
    assert_true(pair_execute(graph, 0, 1, arena, &open, &err));
    const Ttig *ttig = ttig_of(text);
    assert_true(fabs(open.overlap_s - 4) < 1e-9); /* 0 computes [0,8]; 1 [3,6] and [7,10] */
    assert_true(fabs(ttig->edges[0].parallelism - 4.0 / 6) < 1e-9);
    assert_int_equal(ttig->n_inexact, 0);
}

static void stages_of_a_pipeline_overlap_but_for_its_first_and_last_iteration(void **state)
{
    /* Folded, the first stage would compute for all iterations before the second stage begins. */
    const Ttig *ttig = ttig_of(TFG("[{\"times\": 100, \"body\": [0.1, {\"send\": 1}]}],"
                                   "[{\"times\": 100, \"body\": [{\"recv\": 0}, 0.1]}]"));
    assert_true(fabs(ttig->edges[0].parallelism - 0.99) < 1e-9);
    assert_int_equal(ttig->n_inexact, 0);
}

static void loops_too_long_to_open_are_estimated_and_counted(void **state)
{
    const Ttig *ttig = ttig_of(TFG("[{\"times\": 4000000000, \"body\": [1, {\"send\": 1}]}],"
                                   "[{\"times\": 2000000000, \"body\": [{\"recv\": 0}, {\"recv\": 0}, 3]}]"));
    assert_int_equal(ttig->n_inexact, 1);
    assert_true(ttig->edges[0].parallelism >= 0 && ttig->edges[0].parallelism <= 1);
}

static void classical_models_come_from_the_same_graph(void **state)
{
    const Ttig *ttig = ttig_of(TFG("[{\"recv\": 1}, 2, {\"send\": 1, \"bytes\": 5}],"
                                   "[1, {\"send\": 0, \"bytes\": 7}, {\"recv\": 0}]")),
               *tig, *tpg;
    assert_true(graph_tig(ttig, arena, &tig, &err));
    assert_true(graph_tpg(ttig, arena, &tpg, &err));
    assert_int_equal(tig->n_edges, 2);
    assert_true(tig->edges[0].parallelism == 1 && tig->edges[1].parallelism == 1);
    assert_int_equal(tpg->n_edges, 1);
    assert_int_equal(tpg->edges[0].from, 1);
    assert_true(tpg->edges[0].parallelism == 0 && tpg->edges[0].bytes == 7);
}

/* ---- traces ---- */

static void receives_without_a_send_are_left_out_and_counted(void **state)
{
    TaskGraph *graph;
    MemoryTrace *trace = memory_trace_new(2);
    for (int i = 0; i < 10; i++) {
        if (i < 7)
            add_send(trace, 0, 1, 0, 8);
        add_recv(trace, 1, 0, 0, 8);
        add_send(trace, 1, 0, 0, 4);
        add_recv(trace, 0, 1, 0, 4);
    }
    assert_true(graph_read(memory_trace_source(trace), COLLECTIVES_EXPANDED, NULL, arena, &graph, &err));
    assert_int_equal(graph->n_unmatched, 3);
    assert_true(tfg_save(graph, graph_path(), &err)); /* tfg_save() checks the graph */
    assert_int_equal(graph_size(graph).n_messages, 17);
    assert_int_equal(graph->tasks[1].steps[0].times, 7);
    assert_true(graph_check_waits(graph, NULL, &err));
    memory_trace_free(trace);
}

static void long_loops_take_no_room(void **state)
{
    TaskGraph *graph;
    const TaskGraph *program = load(TFG("[{\"times\": 20, \"body\": [{\"times\": 50, \"body\": [3, {\"send\": 1}, 2, "
                                        "{\"recv\": 1}]}, {\"send\": 1, \"bytes\": 9}]}],"
                                        "[{\"times\": 20, \"body\": [{\"times\": 50, \"body\": [{\"recv\": 0}, 5, "
                                        "{\"send\": 0}]}, {\"recv\": 0, \"bytes\": 9}]}]"));
    MemoryTrace *trace = trace_of_graph(program, 1000);
    assert_true(graph_read(memory_trace_source(trace), COLLECTIVES_EXPANDED, NULL, arena, &graph, &err));
    GraphSize size = graph_size(graph);
    assert_int_equal(size.n_messages, 20 * (50 + 50 + 1));
    assert_true(size.n_steps < 40);
    memory_trace_free(trace);
}

static void collectives_and_one_sided_operations_are_counted(void **state)
{
    TaskGraph *graph;
    MemoryTrace *trace = memory_trace_new(2);
    add_collective(trace, 0, 0, COLLECTIVE_BARRIER, 0);
    add_collective(trace, 1, 0, COLLECTIVE_BARRIER, 0);
    memory_trace_add(trace, 0, (Event){.kind = EVENT_ONE_SIDED, .peer = 1, .bytes = 8, .request = NO_REQUEST});
    assert_true(graph_read(memory_trace_source(trace), COLLECTIVES_EXPANDED, NULL, arena, &graph, &err));
    assert_int_equal(graph->n_collectives, 1);
    assert_int_equal(graph->n_collectives_left_out, 0);
    assert_int_equal(graph->n_one_sided_left_out, 1);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(a_graph_is_written_by_hand_in_few_words),
        fixture_test(what_is_saved_is_loaded_again),
        fixture_test(puts_and_gets_are_volumes_that_bind_nobody),
        fixture_test(what_is_wrong_in_a_graph_is_named_with_its_place),
        fixture_test(a_receive_that_nobody_sends_is_refused),
        fixture_test(a_circle_of_waits_is_named_with_its_tasks),
        fixture_test(a_deadlock_of_a_later_iteration_is_found),
        fixture_test(a_pipeline_of_one_message_cannot_overlap),
        fixture_test(loops_are_simulated_open),
        fixture_test(stages_of_a_pipeline_overlap_but_for_its_first_and_last_iteration),
        fixture_test(loops_too_long_to_open_are_estimated_and_counted),
        fixture_test(classical_models_come_from_the_same_graph),
        fixture_test(receives_without_a_send_are_left_out_and_counted),
        fixture_test(long_loops_take_no_room),
        fixture_test(collectives_and_one_sided_operations_are_counted),
    };
    return cmocka_run_group_tests_name("task graphs", tests, NULL, NULL);
}
