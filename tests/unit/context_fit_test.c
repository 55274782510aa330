/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of classes of operations, fitted to times of kernels that are made up. */
#include "cost/context/fit.h"
#include "cost/context/kernels.h"
#include "test.h"
#include "unit/near.h"

enum { KERNELS = 30, RUNS = 2 * KERNELS };
static const double costs[CONTEXT_CLASSES] = {[CONTEXT_SCALAR] = 2e-11,       [CONTEXT_WHOLE] = 2e-10,
                                              [CONTEXT_PRODUCT] = 4e-10,      [CONTEXT_FLOATING] = 2e-10,
                                              [CONTEXT_ELEMENT] = 3e-10,      [CONTEXT_STRAY] = 3e-10,
                                              [CONTEXT_FIELD] = 1e-10,        [CONTEXT_REFERENCE] = 1e-9,
                                              [CONTEXT_BRANCH] = 1e-10,       [CONTEXT_SURPRISE] = 2e-9,
                                              [CONTEXT_WAIT] = 3e-10,         [CONTEXT_CALL] = 2e-10,
                                              [CONTEXT_BYTE] = 5e-11,         [CONTEXT_LONG] = 1,
                                              [CONTEXT_ELEMENT_FAR] = 5e-11,  [CONTEXT_STRAY_FAR] = 2e-10,
                                              [CONTEXT_REFERENCE_FAR] = 1e-9, [CONTEXT_WAIT_FLOATING] = 2e-10,
                                              [CONTEXT_SURPRISE_FAR] = 5e-10};

/* Operations in changing proportions; `deviation` is that of the logarithm of a kernel's time. */
static void make_runs(double deviation, ContextRun *runs)
{
    uint32_t random = 1;
    for (unsigned i = 0; i < RUNS; i++) {
        double sign = i / 2 % 2 ? 1 : -1;
        runs[i] = (ContextRun){.kernel = i / 2};
        for (unsigned k = 0; k < CONTEXT_CYCLE; k++) {
            random = random * 1664525 + 1013904223;
            double amount = (random >> 16) % 4 ? 0 : 1 + (random >> 20) % 16;
            runs[i].amounts[k] = amount * (k == CONTEXT_LONG ? 1e-9 : 1);
            runs[i].time_s += costs[k] * runs[i].amounts[k];
        }
        runs[i].amounts[CONTEXT_WHOLE] += 1;
        runs[i].time_s = (runs[i].time_s + costs[CONTEXT_WHOLE]) * exp(sign * deviation);
    }
}

static ContextFit fit_of(const ContextRun *runs, size_t n)
{
    ContextFit fit;
    Err err = {0};
    if (!context_fit(runs, n, NULL, 0, &fit, &err))
        fail_msg("%s", err.message);
    return fit;
}

static void predicts_exact_times(void **state)
{
    ContextRun runs[RUNS];
    make_runs(0, runs);
    ContextFit fit = fit_of(runs, RUNS);
    for (unsigned i = 0; i < RUNS; i++) {
        double sum_s = 0;
        for (unsigned k = 0; k < CONTEXT_CLASSES; k++)
            sum_s += fit.costs[k] * runs[i].amounts[k];
        assert_near(sum_s / runs[i].time_s, 1, 0.15);
    }
    assert_true(fit.spread.low <= 1 && fit.spread.low > 0.6);
    assert_true(fit.spread.high >= 1 && fit.spread.high < 1.6);
}

/* Times with guessed probabilities, a third to three times as long as counted: the interval becomes as wide. */
static void guesses_widen_the_spread(void **state)
{
    ContextRun runs[RUNS];
    make_runs(0.1, runs);
    ContextFit fit = fit_of(runs, RUNS);
    Interval none = context_guess(runs, 0, &fit), same = context_guess(runs, RUNS, &fit);
    assert_true(none.low == 1 && none.high == 1);
    assert_true(same.low > 0.85 && same.low <= 1 && same.high >= 1 && same.high < 1.15);
    for (unsigned i = 0; i < RUNS; i++)
        runs[i].time_s *= i / 2 % 2 ? 3 : 1.0 / 3;
    Interval wide = context_guess(runs, RUNS, &fit);
    assert_true(wide.low * fit.spread.low < 0.36 && wide.high * fit.spread.high > 2.8);
}

static void spread_holds_kernels_that_differ(void **state)
{
    ContextRun runs[RUNS];
    make_runs(0.3, runs);
    ContextFit fit = fit_of(runs, RUNS);
    assert_true(fit.spread.low < exp(-0.2) && fit.spread.low > exp(-1.2));
    assert_true(fit.spread.high > exp(0.2) && fit.spread.high < exp(1.2));
}

static void a_class_without_operations_keeps_its_relation_to_others(void **state)
{
    ContextRun runs[RUNS];
    make_runs(0, runs);
    for (unsigned i = 0; i < RUNS; i++) {
        runs[i].time_s -= costs[CONTEXT_FIELD] * runs[i].amounts[CONTEXT_FIELD];
        runs[i].amounts[CONTEXT_FIELD] = 0;
    }
    double before = fit_of(runs, RUNS).costs[CONTEXT_FIELD];
    for (unsigned i = 0; i < RUNS; i++)
        runs[i].time_s *= 3;
    assert_near(fit_of(runs, RUNS).costs[CONTEXT_FIELD] / before, 3, 1e-6);
}

static void compiled_code_keeps_the_costs_of_operations(void **state)
{
    ContextRun runs[RUNS];
    Err err = {0};
    ContextFit operations, compiled;
    make_runs(0, runs);
    operations = fit_of(runs, RUNS);
    for (unsigned i = 0; i < RUNS; i++) {
        runs[i].amounts[CONTEXT_CYCLE] = i % 7 ? 30 : 3;
        runs[i].time_s += runs[i].amounts[CONTEXT_CYCLE] * 2.5e-10;
    }
    if (!context_fit(runs, RUNS, &operations, 0, &compiled, &err))
        fail_msg("%s", err.message);
    assert_near(compiled.costs[CONTEXT_CYCLE] / 2.5e-10, 1, 0.2);
    assert_near(compiled.costs[CONTEXT_WHOLE] / operations.costs[CONTEXT_WHOLE], 1, 0.2);
}

static void refuses_too_few_kernels_and_times_of_zero(void **state)
{
    ContextRun runs[RUNS];
    ContextFit fit;
    Err err = {0};
    make_runs(0, runs);
    assert_false(context_fit(runs, 6, NULL, 0, &fit, &err));
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    runs[3].time_s = 0;
    assert_false(context_fit(runs, RUNS, NULL, 0, &fit, &err));
}

/* The price of new memory is that of the runs in which it takes much: here 3 ns a byte, and 2 to 4 in a tenth each. */
static void prices_new_memory(void **state)
{
    enum { ALL = 60, MUCH = 41 };
    ContextRun runs[ALL] = {{0}};
    for (size_t i = 0; i < MUCH; i++) {
        const double price_s = i % 10 == 0 ? 2e-9 : i % 10 == 1 ? 4e-9 : 3e-9;
        runs[i] = (ContextRun){.time_s = 0.01, .bytes = 1e7 + 1e5 * (double)i};
        runs[i].new_s = runs[i].time_s + price_s * runs[i].bytes;
    }
    for (size_t i = MUCH; i < ALL; i++) /* noise of runs that take long, small data, and what didn't run so */
        runs[i] = i % 3 == 0   ? (ContextRun){.time_s = 1, .new_s = 1.5, .bytes = 1e7}
                  : i % 3 == 1 ? (ContextRun){.time_s = 0.001, .new_s = 0.01, .bytes = 1e5}
                               : (ContextRun){.time_s = 0.01, .bytes = 1e7};
    const Interval price_s = kernels_new_byte_s(runs, ALL);
    assert_near(price_s.low, 2e-9, 1e-12);
    assert_near(price_s.high, 4e-9, 1e-12);
    assert_near(kernels_new_byte_s(runs, 4).low, 0, 0);
    assert_near(kernels_new_byte_s(runs, 4).high, 4e-9, 1e-9);
    assert_near(kernels_new_byte_s(runs, 0).high, 0, 0);
}

static void classes_follow_operation_and_type(void **state)
{
    assert_int_equal(context_class("c", CPU_SUM, CPU_INT64), CONTEXT_WHOLE);
    assert_int_equal(context_class("c", CPU_SUM, CPU_FLOAT), CONTEXT_FLOATING);
    assert_int_equal(context_class("c", CPU_MUL, CPU_INT32), CONTEXT_PRODUCT);
    assert_int_equal(context_class("c", CPU_MUL, CPU_DOUBLE), CONTEXT_FLOATING);
    assert_int_equal(context_class("c", CPU_DIV, CPU_DOUBLE), CONTEXT_LONG);
    assert_int_equal(context_class("c", CPU_ACCESS, CPU_DOUBLE), CONTEXT_SCALAR);
    assert_int_equal(context_class("c", CPU_ELEMENT, CPU_REFERENCE), CONTEXT_WHOLE);
    assert_int_equal(context_class("java", CPU_ELEMENT, CPU_REFERENCE), CONTEXT_ELEMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicts_exact_times),
        cmocka_unit_test(guesses_widen_the_spread),
        cmocka_unit_test(spread_holds_kernels_that_differ),
        cmocka_unit_test(a_class_without_operations_keeps_its_relation_to_others),
        cmocka_unit_test(compiled_code_keeps_the_costs_of_operations),
        cmocka_unit_test(refuses_too_few_kernels_and_times_of_zero),
        cmocka_unit_test(prices_new_memory),
        cmocka_unit_test(classes_follow_operation_and_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
