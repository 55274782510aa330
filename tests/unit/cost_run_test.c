/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of calibration, and the numbers that tasks get. */
#include "base/files.h"
#include "cost/run/sample.h"
#include "cost/run/tasks.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void samples_are_spread_evenly(void **state)
{
    Arena *arena = arena_new();
    const uint64_t *numbers = sample_tasks(100, 4, arena), *all = sample_tasks(3, 3, arena);
    const uint64_t spread[] = {13, 38, 63, 88}, three[] = {1, 2, 3};
    assert_memory_equal(numbers, spread, sizeof spread);
    assert_memory_equal(all, three, sizeof three);
    arena_free(arena);
}

static const char flow[] = "application a\nparameter N = 10\nparameter M = 2*N\n"
                           "batch last { source x.c entry f tasks 1 }\n"
                           "batch first { source x.c entry f tasks 5 argument n = M + task argument k = N/4\n"
                           "  receives 3*task bytes returns 1 bytes }\nflow first -> last\n";

static PaslApplication *load(Arena *arena)
{
    char path[] = "/tmp/firma-cost-run-XXXXXX";
    int file = mkstemp(path);
    Err err = {0};
    PaslApplication *application;
    assert_true(file >= 0 && files_save_text(path, flow, &err));
    close(file);
    bool ok = pasl_load(path, arena, &application, &err);
    unlink(path);
    assert_true(ok);
    return application;
}

static void check_piece(const TaskPiece *piece, TaskPiece expected)
{
    assert_int_equal(piece->count, expected.count);
    assert_int_equal(piece->receives, expected.receives);
    assert_int_equal(piece->returns, expected.returns);
    assert_int_equal(piece->worker, expected.worker);
}

static void without_counts_any_worker_may_get_each_task(void **state)
{
    Arena *arena = arena_new();
    const RunRequest request = {.application = load(arena), .n_workers = 2};
    const TaskList *lists;
    Err err = {0};
    assert_true(tasks_list(&request, arena, &lists, &err));
    assert_int_equal(lists[0].n_pieces, 5);
    check_piece(&lists[0].pieces[4], (TaskPiece){1, 15, 1, 0});
    assert_int_equal(lists[1].n_pieces, 1);
    arena_free(arena);
}

static void tasks_are_given_what_the_flow_file_says(void **state)
{
    Arena *arena = arena_new();
    const uint64_t of_first[] = {3, 2}, of_last[] = {0, 1};
    const uint64_t *const counts[] = {of_first, of_last};
    const double arguments[] = {21, 2.5, 22, 2.5, 23, 2.5, 24, 2.5, 25, 2.5};
    const RunRequest request = {.application = load(arena), .n_workers = 2, .counts = counts};
    const TaskList *lists;
    Err err = {0};
    assert_true(tasks_list(&request, arena, &lists, &err));
    assert_int_equal(lists[0].n_tasks, 5);
    assert_memory_equal(lists[0].arguments, arguments, sizeof arguments);
    check_piece(&lists[0].pieces[0], (TaskPiece){3, 3 + 6 + 9, 3, 1});
    check_piece(&lists[0].pieces[1], (TaskPiece){2, 12 + 15, 2, 2});
    assert_int_equal(lists[1].n_pieces, 1);
    check_piece(&lists[1].pieces[0], (TaskPiece){1, 0, 0, 2});
    assert_int_equal(lists[0].level, 0);
    assert_int_equal(lists[1].level, 1);
    arena_free(arena);
}

static uint32_t threads_of_last(PaslApplication *application, const char *options, const Expr *set, Arena *arena,
                                Err *err)
{
    PaslBatch batches[] = {application->batches[0], application->batches[1]};
    const RunRequest request = {.application = application, .n_workers = 1, .omp_threads = set};
    const TaskList *lists;
    const PaslBatch *before = application->batches;
    batches[1].options = options;
    application->batches = batches;
    bool ok = tasks_list(&request, arena, &lists, err);
    application->batches = before;
    return ok ? lists[1].threads : UINT32_MAX;
}

static void threads_are_those_of_set_or_of_the_flow_file_if_tasks_have_such(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    PaslApplication *application = load(arena);
    PaslBinding parameters[] = {application->parameters[0], application->parameters[1], application->parameters[1]};
    const Expr *five = expr_integer(application->space, 5), *none = expr_integer(application->space, 0);
    Err err = {0};
    assert_int_equal(threads_of_last(application, "-fopenmp", NULL, arena, &err), 0);
    assert_int_equal(threads_of_last(application, "-fopenmp", five, arena, &err), 5);
    assert_int_equal(threads_of_last(application, "", five, arena, &err), 0);
    parameters[2].name = "omp_threads"; /* 2*N */
    application->parameters = parameters;
    application->n_parameters = 3;
    assert_int_equal(threads_of_last(application, "-fopenmp", NULL, arena, &err), 20);
    assert_int_equal(threads_of_last(application, "-fopenmp", none, arena, &err), UINT32_MAX);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.message, "--set: `omp_threads` is a number of threads"));
    arena_free(arena);
}

static void a_parameter_without_a_value_is_named(void **state)
{
    Arena *arena = arena_new();
    PaslApplication *application = load(arena);
    PaslBinding parameters[] = {application->parameters[0], application->parameters[1]};
    Err err = {0};
    uint64_t n;
    parameters[0].value = NULL;
    application->parameters = parameters;
    assert_false(run_count_tasks(application, &application->batches[0], &n, &err));
    assert_error(err, ERR_INPUT, "parameter `N` has no value");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_spread_evenly),
        cmocka_unit_test(tasks_are_given_what_the_flow_file_says),
        cmocka_unit_test(without_counts_any_worker_may_get_each_task),
        cmocka_unit_test(threads_are_those_of_set_or_of_the_flow_file_if_tasks_have_such),
        cmocka_unit_test(a_parameter_without_a_value_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
