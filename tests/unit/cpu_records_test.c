/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of the programs that measure operations, and the intervals computed from these
 * records. */
#include "cost/cpu/machine.h"
#include "cost/cpu/records.h"
#include "model/machine.h"
#include "test.h"
#include "unit/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
    Arena *arena;
    CpuRecords *records;
    CpuCosts costs;
    Err err;
} Fixture;

static int begin(void **state)
{
    static Fixture fixture;
    fixture = (Fixture){.arena = arena_new()};
    fixture.records = cpu_records_new(fixture.arena);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    Fixture *fixture = *state;
    cpu_records_free(fixture->records);
    arena_free(fixture->arena);
    return 0;
}

static void take_all(Fixture *fixture, const char *const *lines)
{
    for (; *lines; lines++)
        assert_true(cpu_records_take(fixture->records, *lines));
}

static Interval cost_of(const CpuCosts *costs, const char *name)
{
    CpuOperation operation;
    CpuType type;
    assert_true(cpu_find(name, &operation, &type));
    return costs->cost_s[operation][type];
}

static bool finish(Fixture *fixture)
{
    return cpu_records_finish(fixture->records, "c", fixture->arena, &fixture->costs, &fixture->err);
}

static void an_interval_reaches_from_one_way_to_the_other(void **state)
{
    Fixture *fixture = *state;
    take_all(fixture, (const char *const[]){"compiler gcc -O2", "sample sum_double throughput 1e-9",
                                            "sample sum_double latency 4e-9", "set sort 2", "set matrices 1",
                                            "round 1 1", "done", NULL});
    assert_true(finish(fixture));
    assert_near(cost_of(&fixture->costs, "sum_double").low, 1e-9, 1e-18);
    assert_near(cost_of(&fixture->costs, "sum_double").high, 4e-9, 1e-18);
    assert_near(fixture->costs.benchmark_s, 3, 1e-9);
    assert_string_equal(fixture->costs.compiler, "gcc -O2");
    assert_true(cost_of(&fixture->costs, "sum_float").high < 0);
    assert_true(cpu_records_are_done(fixture->records));
}

static void rare_disturbances_do_not_widen_an_interval(void **state)
{
    Fixture *fixture = *state;
    char line[64];
    for (int i = 0; i < 100; i++) {
        snprintf(line, sizeof line, "sample div_int32 latency %g", i == 50 ? 1e-3 : (100 + i % 10) * 1e-10);
        assert_true(cpu_records_take(fixture->records, line));
    }
    take_all(fixture, (const char *const[]){"set sort 1", "round 1 1", NULL});
    assert_true(finish(fixture));
    assert_true(cost_of(&fixture->costs, "div_int32").low >= 100e-10);
    assert_true(cost_of(&fixture->costs, "div_int32").high <= 109e-10);
}

static void a_processor_that_others_use_half_the_time_costs_twice(void **state)
{
    Fixture *fixture = *state;
    take_all(fixture, (const char *const[]){"sample sum_int32 latency 1e-9", "set sort 1", "round 2 1", NULL});
    assert_true(finish(fixture));
    assert_near(cost_of(&fixture->costs, "sum_int32").low, 2e-9, 1e-18);
    assert_near(fixture->costs.benchmark_s, 2, 1e-9);
}

static void a_load_that_comes_and_goes_widens_intervals(void **state)
{
    Fixture *fixture = *state;
    take_all(fixture,
             (const char *const[]){"sample sum_int32 latency 1e-9", "set sort 1", "round 1 1", "round 3 1", NULL});
    assert_true(finish(fixture));
    assert_near(cost_of(&fixture->costs, "sum_int32").low, 1.2e-9, 1e-18);
    assert_near(cost_of(&fixture->costs, "sum_int32").high, 2.8e-9, 1e-18);
}

static void what_compilers_leave_nothing_of_costs_from_zero(void **state)
{
    Fixture *fixture = *state;
    take_all(fixture, (const char *const[]){"free access_int8", "free call_int8", "sample access_int8 load 5e-10",
                                            "set sort 1", "round 1 1", NULL});
    assert_true(finish(fixture));
    assert_near(cost_of(&fixture->costs, "access_int8").low, 0, 0);
    assert_near(cost_of(&fixture->costs, "access_int8").high, 5e-10, 1e-18);
    assert_near(cost_of(&fixture->costs, "call_int8").high, 0, 0);
}

static void lines_that_are_none_are_kept_for_errors(void **state)
{
    Fixture *fixture = *state;
    static const char *const lines[] = {"sample sum_complex latency 1e-9",
                                        "sample sum_int8 latency -1",
                                        "sample sum_int8 latency nan",
                                        "set sort",
                                        "round 1",
                                        "round 1 0",
                                        "OpenJDK warning: something",
                                        ""};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_false(cpu_records_take(fixture->records, lines[i]));
        assert_string_equal(cpu_records_other(fixture->records), lines[i]);
    }
    assert_true(cpu_records_take(fixture->records, "sample sum_int8 latency 1e-9"));
    assert_false(cpu_records_take(fixture->records, "Killed"));
    assert_false(finish(fixture));
    assert_int_equal(fixture->err.kind, ERR_ENVIRONMENT);
    assert_non_null(strstr(fixture->err.message, "Killed"));
}

static void a_kind_keeps_what_was_not_measured_now(void **state)
{
    Fixture *fixture = *state;
    json_t *root =
        json_loads("{\"format\": \"firma machine\", \"version\": 1, \"note\": 3, \"processors\": ["
                   "{\"name\": \"old\", \"cores\": 1, \"languages\": []},"
                   "{\"name\": \"fast\", \"cores\": 1, \"hosts\": [\"anna\"], \"mark\": true, \"languages\": ["
                   "{\"language\": \"c\", \"benchmark_s\": 9, \"operations\": {}},"
                   "{\"language\": \"java\", \"benchmark_s\": 7, \"operations\": {}}]}]}",
                   0, NULL);
    const CpuCosts costs = {.language = "c", .compiler = "gcc", .benchmark_s = 2};
    const CpuModel cpu = {.name = "fast",
                          .processor = "p",
                          .date = "d",
                          .command = "m",
                          .n_cores = 4,
                          .n_languages = 1,
                          .languages = &costs};
    (void)fixture;
    cpu_put(root, &cpu);
    json_t *kinds = json_object_get(root, "processors"), *kind = json_array_get(kinds, 1);
    json_t *languages = json_object_get(kind, "languages");
    assert_int_equal(json_array_size(kinds), 2);
    assert_int_equal(json_integer_value(json_object_get(root, "note")), 3);
    assert_true(json_is_true(json_object_get(kind, "mark")));
    assert_int_equal(json_integer_value(json_object_get(kind, "cores")), 4);
    assert_int_equal(json_array_size(json_object_get(kind, "hosts")), 1);
    assert_int_equal(json_array_size(languages), 2);
    assert_near(json_number_value(json_object_get(json_array_get(languages, 0), "benchmark_s")), 2, 0);
    assert_near(json_number_value(json_object_get(json_array_get(languages, 1), "benchmark_s")), 7, 0);
    json_decref(root);
}

static void a_kind_of_another_name_is_added(void **state)
{
    json_t *root = cpu_new_document();
    const CpuCosts costs = {.language = "c", .compiler = "gcc", .benchmark_s = 2};
    CpuModel cpu = {.name = "fast",
                    .processor = "",
                    .date = "",
                    .command = "",
                    .n_cores = 4,
                    .n_languages = 1,
                    .languages = &costs};
    cpu_put(root, &cpu);
    cpu.name = "old";
    cpu_put(root, &cpu);
    assert_int_equal(json_array_size(json_object_get(root, "processors")), 2);
    json_decref(root);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_interval_reaches_from_one_way_to_the_other),
        TEST(rare_disturbances_do_not_widen_an_interval),
        TEST(a_processor_that_others_use_half_the_time_costs_twice),
        TEST(a_load_that_comes_and_goes_widens_intervals),
        TEST(what_compilers_leave_nothing_of_costs_from_zero),
        TEST(lines_that_are_none_are_kept_for_errors),
        TEST(a_kind_keeps_what_was_not_measured_now),
        TEST(a_kind_of_another_name_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
