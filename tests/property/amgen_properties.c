/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of functions count operations exactly, for all values of the parameters. This test
 * compares them with the functions themselves. */
#include "amgen_loops.h"
#include "cost/model/cost.h"
#include "cost/source/analyse.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = -4, MOST = 33 };

typedef struct Loop {
    const char *name;
    long (*run)(long n, long m);
} Loop;

#define LOOP(name) {#name, name},
static const Loop loops[] = {AMGEN_LOOPS(LOOP)};

/* The value of a cost, with 1 for bitwise operations and 0 for all others. */
static double hits(const Expr *cost, ExprSpace *space, long n, long m, Arena *arena)
{
    const char *const *names;
    size_t count = expr_symbols(space, cost, &names);
    ExprBinding *bindings = arena_new_array(arena, ExprBinding, count);
    Interval value;
    Err err;
    for (size_t i = 0; i < count; i++) {
        double number = strcmp(names[i], "n") == 0   ? (double)n
                        : strcmp(names[i], "m") == 0 ? (double)m
                                                     : strncmp(names[i], "t_bitwise_", 10) == 0;
        bindings[i] = (ExprBinding){names[i], {number, number}};
    }
    if (!expr_evaluate(cost, bindings, count, &value, NULL, &err))
        fail_msg("n = %ld, m = %ld: %s", n, m, err.message);
    if (value.low != value.high)
        fail_msg("n = %ld, m = %ld: an interval, [%g, %g], for %s", n, m, value.low, value.high,
                 expr_text(cost, arena));
    return value.low;
}

static void check(const SourceProgram *program, const Loop *loop, Arena *arena)
{
    ExprSpace *space = expr_space_new(arena);
    const AnalysisOptions options = {0};
    Analysis *analysis;
    const CostGroup one = {.kind = "c", .n_machines = 1, .workers_each = 1, .n_cores = 1};
    const CostPlatform platform = {.n_groups = 1, .groups = &one};
    const PamelaModel *placed;
    CostApplication *application;
    CostExpressions *expressions;
    Err err;
    if (!analyse_task(program, loop->name, &options, space, arena, &analysis, &err))
        fail_msg("%s: %s", loop->name, err.message);
    cost_application_written(analysis->model, arena, &application);
    bool is_found =
        cost_place(application, &platform, NULL, &placed, &err) && cost_of_placed(application, &expressions, &err);
    cost_application_end(application);
    if (!is_found)
        fail_msg("%s: %s", loop->name, err.message);
    const Expr *cost = expressions->whole.without_contention;
    for (long n = LEAST; n <= MOST; n++)
        for (long m = LEAST; m <= MOST; m++) {
            long expected = loop->run(n, m);
            double found = hits(cost, space, n, m, arena);
            if (found != (double)expected)
                fail_msg("%s(%ld, %ld): %g instead of %ld in\n%s", loop->name, n, m, found, expected,
                         pamela_text(analysis->model, arena));
        }
}

static void models_count_what_functions_do(void **state)
{
    Arena *arena = arena_new();
    SourceOptions options = {.file = getenv("AMGEN_LOOPS"), .options = ""};
    SourceProgram *program;
    Err err = {0};
    if (!source_read_c(&options, arena, &program, &err)) {
        if (err.kind != ERR_ENVIRONMENT)
            fail_msg("%s", err.message);
        print_message("skipped: %s\n", err.message);
        arena_free(arena);
        skip();
    }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        Arena *scratch = arena_new();
        check(program, &loops[i], scratch);
        arena_free(scratch);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_count_what_functions_do)};
    return cmocka_run_group_tests_name("properties of models of sources", tests, NULL, NULL);
}
