/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons of made-up measurements, and what they say in a sentence. */
#include "comm/compare.h"
#include "comm/estimates.h"
#include "unit/fixture.h"
#include "unit/made_comm.h"
#include "unit/near.h"
#include "verbs/comm/compare_views.h"

static const CommConfiguration tcp[] = {{"openmpi", "tcp", "", "Open MPI 4"}, {"mpich", "tcp", "", "MPICH 4"}};
static const MadeTime as_ever[] = {{1, 1e-6}, {1024, 2e-6}, {4096, 4e-6}, {65536, 64e-6}, {0, 0}};

/* ---- estimates ---- */

static void fewer_than_six_samples_have_no_interval(void **state)
{
    CommPoint point = made_point((MadeTime){1, 1e-6});
    Estimated time_s;
    assert_true(estimate_of_point(&point, COMM_MEDIAN, &time_s));
    assert_near(time_s.high, 1.01e-6, 1e-12);
    point.n_samples = 5;
    assert_false(estimate_of_point(&point, COMM_MEDIAN, &time_s));
}

static void one_launch_has_no_interval_of_the_shortest_time(void **state)
{
    CommPoint point = made_point((MadeTime){1, 1e-6});
    Estimated time_s;
    assert_true(estimate_of_point(&point, COMM_MINIMUM, &time_s));
    assert_near(time_s.value, 0.9e-6, 1e-15);
    assert_near(time_s.high, 0.909e-6, 1e-15);
    point.n_launches = 1;
    assert_false(estimate_of_point(&point, COMM_MINIMUM, &time_s));
}

static void intervals_add_up_as_squares(void **state)
{
    const Estimated a = {10, 7, 14}, b = {20, 16, 23};
    const Estimated sum = estimate_sum(a, b), ratio = estimate_ratio(a, b);
    assert_near(sum.low, 25, 1e-12);
    assert_near(sum.high, 35, 1e-12);
    assert_near(ratio.value, 0.5, 1e-12);
    /* By logarithms: ln ½ - √(ln²(10/7) + ln²(23/20)) and + √(ln²(14/10) + ln²(20/16)). */
    assert_near(log(ratio.low), log(0.5) - hypot(log(10 / 7.0), log(23 / 20.0)), 1e-12);
    assert_near(log(ratio.high), log(0.5) + hypot(log(1.4), log(1.25)), 1e-12);
}

/* ---- comparisons ---- */

static CommMeasurement of_one(const CommConfiguration *configuration, const char *operation, const MadeTime *times)
{
    CommSeries *series = arena_new_array(arena, CommSeries, 1);
    *series = made_series(0, operation, 2, times, arena);
    return made_measurement(1, configuration, 1, series);
}

static CommComparison compare(const CommMeasurement *a, const CommMeasurement *b)
{
    const CommMeasurement *const both[2] = {a, b};
    return comm_compare(both, (const char *const[2]){NULL, NULL}, COMM_MEDIAN, arena);
}

static void times_differ_beyond_the_interval_of_their_ratio(void **state)
{
    static const MadeTime other[] = {{1, 1.02e-6}, {1024, 1.96e-6}, {4096, 4.04e-6}, {65536, 64e-6}, {0, 0}};
    static const CommVerdict expected[] = {COMM_SLOWER, COMM_FASTER, COMM_SAME, COMM_SAME};
    const CommMeasurement a = of_one(tcp, "pingpong", as_ever), b = of_one(tcp, "pingpong", other);
    const CommComparison comparison = compare(&a, &b);
    assert_int_equal(comparison.n_series, 1);
    assert_int_equal(comparison.series[0].n_points, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(comparison.series[0].points[i].verdict, expected[i]);
    assert_near(comparison.series[0].points[0].ratio.value, 1.02, 1e-9);
    assert_int_equal(comparison.n_of[COMM_SAME], 2);
    assert_int_equal(comparison.n_lonely, 0);
}

static void what_one_lacks_is_listed(void **state)
{
    static const MadeTime fewer[] = {{1, 1e-6}, {8, 1e-6}, {0, 0}};
    CommMeasurement a = of_one(tcp, "pingpong", as_ever), b = of_one(tcp, "pingpong", fewer);
    CommSeries more[2] = {b.series[0], made_series(0, "barrier", 4, fewer, arena)};
    b.n_series = 2;
    b.series = more;
    const CommComparison comparison = compare(&a, &b);
    assert_int_equal(comparison.series[0].n_points, 1);
    assert_int_equal(comparison.n_lonely, 3);
    assert_int_equal(comparison.lonely[0].side, 0);
    assert_int_equal(comparison.lonely[0].n_bytes, 3);
    assert_int_equal(comparison.lonely[0].bytes[0], 1024);
    assert_int_equal(comparison.lonely[1].side, 1);
    assert_int_equal(comparison.lonely[1].bytes[0], 8);
    assert_int_equal(comparison.lonely[2].n_bytes, 0);
    assert_string_equal(comparison.lonely[2].series->operation, "barrier");
}

static void libraries_are_paired_by_transport_if_nothing_is_in_both(void **state)
{
    const CommMeasurement a = of_one(&tcp[0], "pingpong", as_ever), b = of_one(&tcp[1], "pingpong", as_ever);
    const CommComparison comparison = compare(&a, &b);
    assert_int_equal(comparison.n_series, 1);
    assert_int_equal(comparison.n_of[COMM_SAME], 4);
}

static void two_configurations_of_one_measurement_are_compared(void **state)
{
    static const MadeTime slower[] = {{1, 2e-6}, {1024, 4e-6}, {0, 0}};
    const CommSeries series[] = {made_series(0, "pingpong", 2, as_ever, arena),
                                 made_series(1, "pingpong", 2, slower, arena)};
    const CommMeasurement one = made_measurement(2, tcp, 2, series);
    const CommMeasurement *const both[2] = {&one, &one};
    const CommComparison comparison =
        comm_compare(both, (const char *const[2]){"openmpi tcp", "mpich tcp"}, COMM_MEDIAN, arena);
    assert_int_equal(comparison.n_series, 1);
    assert_int_equal(comparison.n_of[COMM_SLOWER], 2);
    assert_int_equal(comparison.n_lonely, 1);
    assert_true(comm_has_configuration(&one, "mpich tcp") && !comm_has_configuration(&one, "mpich"));
}

/* ---- sentences ---- */

static const char *sentence(const MadeTime *times)
{
    const CommMeasurement a = of_one(tcp, "pingpong", as_ever), b = of_one(tcp, "pingpong", times);
    const CommComparison comparison = compare(&a, &b);
    return comm_comparison_view(&comparison, (const char *const[2]){"a", "b"}, arena).summary;
}

static void a_sentence_names_the_sizes_at_which_b_is_slower(void **state)
{
    static const MadeTime small[] = {{1, 1.12e-6}, {1024, 2.24e-6}, {4096, 4.48e-6}, {65536, 64e-6}, {0, 0}};
    static const MadeTime all[] = {{1, 0.8e-6}, {1024, 1.6e-6}, {4096, 3.2e-6}, {65536, 51.2e-6}, {0, 0}};
    static const MadeTime large[] = {{1, 1e-6}, {1024, 2e-6}, {4096, 10e-6}, {65536, 160e-6}, {0, 0}};
    assert_string_equal(sentence(small), "B is 12.0 % slower for messages up to 4.10 kB, the same above");
    assert_string_equal(sentence(all), "B is 20.0 % faster");
    assert_string_equal(sentence(large), "B is the same for messages up to 1.02 kB, 2.5 times as slow above");
    assert_string_equal(sentence(as_ever), "A and B are the same, within their intervals");
}

static void a_sentence_counts_times_that_go_to_and_fro(void **state)
{
    static const MadeTime mixed[] = {{1, 1.5e-6}, {1024, 1e-6}, {4096, 6e-6}, {65536, 64e-6}, {0, 0}};
    assert_string_equal(sentence(mixed), "B is slower in 2 of 4 times, by 50.0 %, faster in 1, by 50.0 %, and the "
                                         "same in the others");
}

static void too_few_samples_make_no_claim(void **state)
{
    CommPoint points[2] = {made_point((MadeTime){1, 1e-6}), made_point((MadeTime){1, 9e-6})};
    points[0].n_samples = points[1].n_samples = 5;
    CommMeasurement sides[2];
    CommSeries series[2];
    for (int side = 0; side < 2; side++) {
        sides[side] = of_one(tcp, "pingpong", as_ever);
        series[side] = sides[side].series[0];
        series[side].n_points = 1;
        series[side].points = &points[side];
        sides[side].series = &series[side];
    }
    const CommComparison comparison = compare(&sides[0], &sides[1]);
    assert_int_equal(comparison.n_of[COMM_UNSURE], 1);
    const ComparisonView view = comm_comparison_view(&comparison, (const char *const[2]){"a", "b"}, arena);
    assert_false(view.is_same);
    assert_string_equal(view.summary, "too few samples to tell");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(fewer_than_six_samples_have_no_interval),
        fixture_test(one_launch_has_no_interval_of_the_shortest_time),
        fixture_test(intervals_add_up_as_squares),
        fixture_test(times_differ_beyond_the_interval_of_their_ratio),
        fixture_test(what_one_lacks_is_listed),
        fixture_test(libraries_are_paired_by_transport_if_nothing_is_in_both),
        fixture_test(two_configurations_of_one_measurement_are_compared),
        fixture_test(a_sentence_names_the_sizes_at_which_b_is_slower),
        fixture_test(a_sentence_counts_times_that_go_to_and_fro),
        fixture_test(too_few_samples_make_no_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
