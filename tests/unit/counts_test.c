/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of phases over several numbers of processes: what predicts their time. */
#include "scaling/counts/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "near.h"

enum { RUNS = 3 };

/* Exchanges along a tree of 4, 8 and 16 processes, in SimGrid: each level adds 60 ms, of which transfer has less and
 * waiting more. */
static const double computation[RUNS] = {0.24, 0.24, 0.24}, transfer[RUNS] = {0.0362, 0.0461, 0.0514},
                    waiting[RUNS] = {0.0598, 0.1099, 0.1646};

static CountPhase make_row(CountScaling scaling, Arena *arena)
{
    static const CountRun runs[RUNS] = {
        {.p = 4, .x = 4, .time_s = 0.336}, {.p = 8, .x = 8, .time_s = 0.396}, {.p = 16, .x = 16, .time_s = 0.456}};
    const Counts counts = {.n_runs = RUNS, .runs = runs, .scaling = scaling, .efficiency_limit = 0.5};
    Sums sums = sums_new(RUNS, arena);
    for (int i = 0; i < RUNS; i++) {
        sums.parts[COUNT_COMPUTATION][i] = computation[i];
        sums.parts[COUNT_TRANSFER][i] = transfer[i];
        sums.parts[COUNT_WAITING][i] = waiting[i];
    }
    return row_make("send", &sums, &counts, arena);
}

static void what_grows_by_levels_is_predicted_though_its_parts_do_not(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const CountPhase row = make_row(COUNT_WEAK, arena);
    assert_near(row_best_s(&row, 32), 0.516, 0.001);
    assert_near(row_best_s(&row, 64), 0.576, 0.002);
    arena_free(arena);
}

static void parts_add_up_to_what_they_take_together(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (CountScaling scaling = COUNT_UNKNOWN; scaling <= COUNT_WEAK; scaling++) {
        const CountPhase row = make_row(scaling, arena);
        double parts_s[COUNT_PARTS] = {0}, sum = 0;
        row_divide(&row, 0.3, 32, parts_s);
        for (int part = 0; part < COUNT_PARTS; part++)
            sum += parts_s[part];
        assert_near(sum, 0.3, 1e-12);
        assert_true((parts_s[COUNT_COMPUTATION] > 0) == (scaling == COUNT_WEAK));
        assert_true(parts_s[COUNT_WAITING] > parts_s[COUNT_TRANSFER]);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_grows_by_levels_is_predicted_though_its_parts_do_not),
        cmocka_unit_test(parts_add_up_to_what_they_take_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
