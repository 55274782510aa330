/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents of task graphs: errors in a TTIG, and its agreement with the tasks in it. */
#include "placement/graph/graph.h"
#include "unit/graph_files.h"

static Err err;

static void what_is_wrong_in_a_ttig_is_named_with_its_place(void **state)
{
    static const char *const wrong[][2] = {
        {TTIG("\"nodes\": [1, 2], \"edges\": [{\"from\": 0, \"to\": 2, \"bytes\": 1, \"parallelism\": 0}]"),
         "edges[0].to: there is no task 2"},
        {TTIG("\"nodes\": [1, 2], \"edges\": [{\"from\": 0, \"to\": 1, \"bytes\": 1, \"parallelism\": 1.5}]"),
         "edges[0].parallelism: more than 1"},
        {TTIG("\"nodes\": [1, -2], \"edges\": []"), "nodes[1]: expected seconds"},
        {TTIG("\"nodes\": [1], \"edges\": [{\"from\": 0, \"to\": 0, \"bytes\": 1, \"parallelism\": 1}]"),
         "edges[0]: an edge from a task to itself"},
        {TTIG("\"nodes\": [1], \"edges\": [], \"edge\": []"), "unknown member `edge`"},
        {TTIG("\"nodes\": [{\"computation\": 1}], \"edges\": []"), "nodes[0]: unknown member `computation`"},
        {TTIG("\"nodes\": [1, 2], \"edges\": [{\"from\": 0, \"to\": 1, \"byte\": 1, \"parallelism\": 0}]"),
         "edges[0]: unknown member `byte`"},
        {TTIG("\"nodes\": [1e300], \"edges\": []"), "nodes[0]: expected seconds of computation, from 0 to 1e+12"},
        {TTIG("\"nodes\": [{\"computation_s\": 1e300}], \"edges\": []"), "nodes[0].computation_s: more than 1e+12"},
        {TTIG("\"nodes\": [1, 2], \"edges\": [{\"from\": 0, \"to\": 1, \"bytes\": 1e308, \"parallelism\": 0}]"),
         "edges[0].bytes: more than 1e+18"},
        {TTIG("\"nodes\": [1, 2], \"edges\": [{\"from\": 0, \"to\": 1, \"bytes\": 1, \"messages\": 1e300, "
              "\"parallelism\": 0}]"),
         "edges[0].messages: more than 1e+15"},
        {TTIG("\"nodes\": [1, 2], \"edges\": [{\"from\": 0, \"to\": 1, \"bytes\": 1, \"messages\": 0, "
              "\"parallelism\": 0}]"),
         "edges[0].messages: must be above 0"},
        {TTIG("\"nodes\": [1], \"edges\": [7]"), "edges[0]: expected an edge"},
        {TTIG("\"nodes\": [1], \"edges\": [], \"model\": \"TGI\""), "model: expected TTIG, TIG or TPG"},
        {TTIG("\"nodes\": [{\"name\": \"a\\nb\", \"computation_s\": 1}], \"edges\": []"),
         "nodes[0].name: contains a control character"},
        {TTIG("\"nodes\": [1], \"edges\": [], \"graph\": {\"tasks\": [[{\"send\": 5}]]}"), "graph.tasks[0][0].send"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Ttig *ttig;
        write_text(wrong[i][0]);
        assert_false(ttig_load(graph_path(), arena, &ttig, &err));
        if (!strstr(err.message, wrong[i][1]))
            fail_msg("`%s` doesn't say `%s`", err.message, wrong[i][1]);
    }
}

/* ---- TTIGs with their tasks ---- */

/* 0 computes for 3 s, and sends 8 bytes to 1, which then computes for 5 s: p = 0. */
#define PIPELINE "\"graph\": {\"tasks\": [[3, {\"send\": 1, \"bytes\": 8}], [{\"recv\": 0}, 5]]}"
#define EDGE(members) "{\"from\": 0, \"to\": 1, " members "}"

static void assert_disagrees(const char *text, const char *words)
{
    const Ttig *ttig;
    bool is_whole;
    write_text(text);
    assert_false(graph_load(graph_path(), arena, &is_whole, &ttig, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    if (!strstr(err.message, words))
        fail_msg("`%s` doesn't say `%s`", err.message, words);
}

static void an_edit_that_the_tasks_contradict_is_named(void **state)
{
    assert_disagrees(TTIG("\"nodes\": [3, 6], \"edges\": [" EDGE("\"bytes\": 8, \"parallelism\": 0") "], " PIPELINE),
                     "nodes[1].computation_s: 6, but the task `1` in `graph` computes 5");
    assert_disagrees(TTIG("\"nodes\": [3], \"edges\": [], " PIPELINE), "nodes: 1, but `graph` has 2 tasks");
    assert_disagrees(TTIG("\"nodes\": [3, {\"name\": \"b\", \"computation_s\": 5}], \"edges\": [], " PIPELINE),
                     "nodes[1].name: `b`, but the task in `graph` is called `1`");
    assert_disagrees(TTIG("\"nodes\": [3, 5], \"edges\": [" EDGE("\"bytes\": 9, \"parallelism\": 0") "], " PIPELINE),
                     "edges: from `0` to `1`: bytes 9, but `graph` gives 8");
    assert_disagrees(TTIG("\"nodes\": [3, 5], \"edges\": [" EDGE("\"bytes\": 8, \"parallelism\": 1") "], " PIPELINE),
                     "edges: from `0` to `1`: parallelism 1, but `graph` gives 0");
    assert_disagrees(TTIG("\"nodes\": [3, 5], \"edges\": [], " PIPELINE), "edges: none from `0` to `1`");
    assert_disagrees(
        TTIG("\"nodes\": [3, 5], \"edges\": [{\"from\": 1, \"to\": 0, \"bytes\": 8, \"parallelism\": 0}], " PIPELINE),
        "edges: from `1` to `0`, but in `graph` the first sends nothing to the second");
}

static void a_deadlock_of_the_tasks_in_a_ttig_is_named(void **state)
{
    assert_disagrees(TTIG("\"nodes\": [0, 0], \"edges\": [], \"graph\": {\"tasks\": [[{\"recv\": 1}, {\"send\": 1}], "
                          "[{\"recv\": 0}, {\"send\": 0}]]}"),
                     "in a circle: `0` for `1`, `1` for `0`");
}

static void a_ttig_without_nodes_is_made_of_its_tasks(void **state)
{
    const Ttig *ttig;
    bool is_whole;
    write_text(TTIG(PIPELINE));
    assert_true(graph_load(graph_path(), arena, &is_whole, &ttig, &err));
    assert_int_equal(ttig->n_nodes, 2);
    assert_true(is_whole && ttig->nodes[1].seconds == 5 && ttig->edges[0].bytes == 8);
}

static void classical_models_are_loaded_as_what_they_are(void **state)
{
    bool is_whole;
    const Ttig *ttig;
    write_text(TFG("[{\"recv\": 1}, 2, {\"send\": 1}], [1, {\"send\": 0}, {\"recv\": 0}]"));
    assert_true(graph_load(graph_path(), arena, &is_whole, &ttig, &err));
    const Ttig *models[2], *again;
    assert_true(graph_tig(ttig, arena, &models[0], &err) && graph_tpg(ttig, arena, &models[1], &err));
    for (int i = 0; i < 2; i++) {
        assert_true(ttig_save(models[i], graph_path(), &err));
        if (!graph_load(graph_path(), arena, &is_whole, &again, &err))
            fail_msg("%s", err.message);
        assert_int_equal(again->model, models[i]->model);
        assert_int_equal(again->n_edges, 2 - i);
    }
    assert_true(graph_tig(again, arena, &again, &err));
    assert_int_equal(again->n_edges, 2); /* a TPG, too, gets its edges from the tasks */
}

static void a_document_is_known_by_its_format_wherever_that_stands(void **state)
{
    const Ttig *ttig;
    bool is_whole;
    write_text(arena_printf(arena,
                            "{\"source\": \"%400s firma task graph\", \"nodes\": [1], \"edges\": [], "
                            "\"version\": 1, \"format\": \"firma ttig\"}",
                            ""));
    assert_true(graph_load(graph_path(), arena, &is_whole, &ttig, &err));
    write_text("{\"tasks\": [[1]], \"source\": \"\\\"firma ttig\\\"\", \"version\": 1, "
               "\"format\": \"firma task graph\"}");
    assert_true(graph_load(graph_path(), arena, &is_whole, &ttig, &err));
    assert_int_equal(ttig->n_nodes, 1);
}

static void sums_beyond_what_a_graph_holds_are_refused(void **state)
{
    assert_disagrees(TFG("[{\"times\": 1000, \"body\": [1e12]}]"), "task `0` computes 1e+15 s");
    assert_disagrees(TFG("[{\"times\": 1000, \"body\": [{\"send\": 1, \"bytes\": 1e18}]}], []"),
                     "task `0` sends task `1` 1e+21 bytes in 1000 messages");
}

static void what_was_not_looked_through_for_deadlocks_is_told(void **state)
{
    const Ttig *ttig;
    bool is_whole;
    write_text(TFG("[{\"times\": 4000000000, \"body\": [{\"send\": 1}]}], "
                   "[{\"times\": 4000000000, \"body\": [{\"recv\": 0}]}]"));
    assert_true(graph_load(graph_path(), arena, &is_whole, &ttig, &err));
    assert_false(is_whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(what_is_wrong_in_a_ttig_is_named_with_its_place),
        fixture_test(an_edit_that_the_tasks_contradict_is_named),
        fixture_test(a_deadlock_of_the_tasks_in_a_ttig_is_named),
        fixture_test(a_ttig_without_nodes_is_made_of_its_tasks),
        fixture_test(classical_models_are_loaded_as_what_they_are),
        fixture_test(a_document_is_known_by_its_format_wherever_that_stands),
        fixture_test(sums_beyond_what_a_graph_holds_are_refused),
        fixture_test(what_was_not_looked_through_for_deadlocks_is_told),
    };
    return cmocka_run_group_tests_name("documents of task graphs", tests, NULL, NULL);
}
