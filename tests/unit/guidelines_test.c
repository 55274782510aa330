/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidelines of collectives, on made-up times. */
#include "comm/guidelines.h"
#include "unit/fixture.h"
#include "unit/made_comm.h"
#include "unit/near.h"

#include <string.h>

static const CommConfiguration shm = {"openmpi", "shm", "", ""};

static GuidelineCheck check_all(const CommSeries *series, uint32_t n)
{
    const CommMeasurement measurement = made_measurement(1, &shm, n, series);
    return guidelines_check(&measurement, COMM_MEDIAN, arena);
}

/* A size at which the operation takes `seconds`. */
static CommSeries one(const char *operation, uint32_t n_ranks, uint64_t bytes, double seconds)
{
    return made_series(0, operation, n_ranks, (const MadeTime[]){{bytes, seconds}, {0, 0}}, arena);
}

static bool violates(const GuidelineCheck *check, const char *guideline)
{
    for (uint32_t i = 0; i < check->n_violations; i++)
        if (strcmp(check->violations[i].guideline, guideline) == 0)
            return true;
    return false;
}

static void each_rule_is_violated_if_its_operation_is_slow(void **state)
{
    static const char *const rules[][3] = {
        {"allgather", "gather", "broadcast"}, {"allgather", "alltoall", NULL},       {"allgather", "allreduce", NULL},
        {"allreduce", "reduce", "broadcast"}, {"broadcast", "scatter", "allgather"}, {"gather", "allgather", NULL},
        {"gather", "reduce", NULL},           {"reduce", "allreduce", NULL},         {"scatter", "broadcast", NULL}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *const *rule = rules[i];
        const char *name =
            arena_printf(arena, "%s ≤ %s%s%s", rule[0], rule[1], rule[2] ? " + " : "", rule[2] ? rule[2] : "");
        double most_s = rule[2] ? 2e-6 : 1e-6;
        for (int is_slow = 0; is_slow < 2; is_slow++) {
            const CommSeries series[] = {one(rule[0], 4, 1024, (is_slow ? 1.05 : 0.99) * most_s),
                                         one(rule[1], 4, 1024, 1e-6), one(rule[2] ? rule[2] : rule[1], 4, 1024, 1e-6)};
            const GuidelineCheck check = check_all(series, rule[2] ? 3 : 2);
            assert_int_equal(violates(&check, name), is_slow);
        }
    }
}

static void a_violation_has_its_place_and_factor(void **state)
{
    const CommSeries series[] = {one("gather", 4, 1024, 3e-6), one("allgather", 4, 1024, 2e-6)};
    const GuidelineCheck check = check_all(series, 2);
    assert_int_equal(check.n_guidelines, 1);
    assert_int_equal(check.n_checks, 1);
    assert_int_equal(check.n_violations, 1);
    const GuidelineViolation *violation = check.violations;
    assert_ptr_equal(violation->series, &series[0]);
    assert_int_equal(violation->bytes, 1024);
    assert_near(violation->bound_s, 2e-6, 1e-15);
    assert_near(violation->factor.value, 1.5, 1e-9);
    assert_true(violation->factor.low > 1.45 && violation->factor.high < 1.55);
}

static void what_lies_within_the_intervals_is_no_violation(void **state)
{
    const CommSeries series[] = {one("gather", 4, 1024, 1.013e-6), one("allgather", 4, 1024, 1e-6)};
    const GuidelineCheck check = check_all(series, 2);
    assert_int_equal(check.n_checks, 1);
    assert_int_equal(check.n_violations, 0);
}

static void other_numbers_of_processes_and_methods_are_not_compared(void **state)
{
    CommSeries series[] = {one("gather", 4, 1024, 9e-6), one("allgather", 3, 1024, 1e-6),
                           one("allgather", 4, 1024, 1e-6)};
    series[2].method = "barrier";
    assert_int_equal(check_all(series, 3).n_checks, 0);
}

/* 4 B are requested: a scatter among 3 moves 6 B, a broadcast 4 B. */
static void rounded_sizes_belong_together_and_violate_nothing_by_themselves(void **state)
{
    const CommSeries series[] = {one("scatter", 3, 6, 1.4e-6), one("broadcast", 3, 4, 1e-6)};
    GuidelineCheck check = check_all(series, 2);
    assert_int_equal(check.n_checks, 1);
    assert_int_equal(check.n_violations, 0); /* 6 B of a broadcast may take 1.5 µs */
    const CommSeries slow[] = {one("scatter", 3, 6, 1.6e-6), one("broadcast", 3, 4, 1e-6)};
    assert_int_equal(check_all(slow, 2).n_violations, 1);
    const CommSeries apart[] = {one("scatter", 3, 33, 9e-6), one("broadcast", 3, 64, 1e-6)};
    assert_int_equal(check_all(apart, 2).n_checks, 0);
}

static void a_smaller_vector_takes_no_longer(void **state)
{
    const CommSeries falling =
        made_series(0, "broadcast", 4, (const MadeTime[]){{1024, 3e-6}, {2048, 2e-6}, {4096, 3e-6}, {0, 0}}, arena);
    const GuidelineCheck check = check_all(&falling, 1);
    assert_int_equal(check.n_violations, 1);
    assert_string_equal(check.violations[0].guideline, "monotony");
    assert_int_equal(check.violations[0].bytes, 1024);
    assert_int_equal(check.violations[0].bound_bytes, 2048);
    assert_int_equal(check.n_guidelines, 2);
    assert_int_equal(check.n_checks, 4);
}

static void a_vector_takes_no_longer_than_its_parts(void **state)
{
    const CommSeries jump =
        made_series(0, "allreduce", 4, (const MadeTime[]){{8, 1e-6}, {64, 7e-6}, {256, 40e-6}, {0, 0}}, arena);
    const GuidelineCheck check = check_all(&jump, 1);
    assert_int_equal(check.n_violations, 1);
    assert_string_equal(check.violations[0].guideline, "split");
    assert_int_equal(check.violations[0].bytes, 256);
    assert_int_equal(check.violations[0].parts, 4);
    assert_near(check.violations[0].bound_s, 28e-6, 1e-12);
}

static void ping_pongs_have_no_guidelines(void **state)
{
    const CommSeries falling = made_series(0, "pingpong", 2, (const MadeTime[]){{1, 3e-6}, {2, 2e-6}, {0, 0}}, arena);
    assert_int_equal(check_all(&falling, 1).n_checks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(each_rule_is_violated_if_its_operation_is_slow),
        fixture_test(a_violation_has_its_place_and_factor),
        fixture_test(what_lies_within_the_intervals_is_no_violation),
        fixture_test(other_numbers_of_processes_and_methods_are_not_compared),
        fixture_test(rounded_sizes_belong_together_and_violate_nothing_by_themselves),
        fixture_test(a_smaller_vector_takes_no_longer),
        fixture_test(a_vector_takes_no_longer_than_its_parts),
        fixture_test(ping_pongs_have_no_guidelines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
