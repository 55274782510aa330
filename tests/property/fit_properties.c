/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost functions of messages, recovered from made-up measurements of paths with known costs: with
 * noise, with sizes that took far too long, with protocol switches, and on a path that no line
 * describes. */
#include "comm/fit.h"
#include "test.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { TRIALS = 20, SIZES_LIMIT = 128 };

typedef struct Truth {
    const char *name;
    unsigned n_segments;
    struct {
        double from_bytes, latency_s, s_per_byte;
    } segments[3];
} Truth;

static const Truth one_line = {"one line", 1, {{0, 5e-6, 1e-9}}};
static const Truth slow_line = {"a slow network", 1, {{0, 300e-6, 88e-9}}};
static const Truth two_lines = {"eager and rendezvous", 2, {{0, 5e-6, 1e-9}, {65536, 40e-6, 0.8e-9}}};
static const Truth three_lines = {
    "three protocols", 3, {{0, 0.3e-6, 0.5e-9}, {4096, 3e-6, 0.35e-9}, {131072, 30e-6, 0.1e-9}}};
static const Truth bent_line = {"a bent line", 2, {{0, 2e-6, 2e-9}, {16384, 2e-6 + 16384 * 1e-9, 1e-9}}};

typedef struct Noise {
    double deviation;      /* relative error of each median */
    double outliers;       /* probability of an outlier */
    unsigned per_doubling; /* sizes per doubling */
    bool told;             /* the medians' intervals show the size of the noise */
} Noise;

static double true_s(const Truth *truth, double bytes)
{
    unsigned at = 0;
    while (at + 1 < truth->n_segments && truth->segments[at + 1].from_bytes <= bytes)
        at++;
    return truth->segments[at].latency_s + bytes * truth->segments[at].s_per_byte;
}

static CommSeries measure(const Truth *truth, Noise noise, gsl_rng *random, CommPoint points[SIZES_LIMIT])
{
    unsigned n = 0;
    for (double bytes = 1; bytes <= 4194304 * 1.001; bytes *= exp2(1.0 / noise.per_doubling)) {
        uint64_t whole = (uint64_t)lround(bytes);
        if (n && points[n - 1].bytes == whole)
            continue;
        double time_s = true_s(truth, (double)whole) * (1 + gsl_ran_gaussian(random, noise.deviation));
        if (gsl_rng_uniform(random) < noise.outliers)
            time_s *= 1.5 + 3 * gsl_rng_uniform(random);
        double half = noise.told ? 1.96 * noise.deviation * time_s : 0;
        points[n++] = (CommPoint){
            .bytes = whole, .n_samples = 100, .median_s = time_s, .low_s = time_s - half, .high_s = time_s + half};
    }
    return (CommSeries){.operation = "pingpong", .method = "", .n_ranks = 2, .n_points = n, .points = points};
}

typedef struct Score {
    unsigned n_right, n_more, n_fewer, n_not_linear; /* numbers of trials, by the number of segments found */
    unsigned n_parameters, n_covered;                /* in trials with the right number of segments */
} Score;

static bool covers(Estimated estimated, double value)
{
    return estimated.low <= value && value <= estimated.high;
}

static Score recover(const Truth *truth, Noise noise)
{
    Score score = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        gsl_rng_set(random, trial + 1);
        CommPoint points[SIZES_LIMIT];
        CommSeries series = measure(truth, noise, random, points);
        Arena *arena = arena_new();
        MachinePath path;
        fit_path(&series, COMM_MEDIAN, arena, &path);
        score.n_not_linear += !path.linear;
        score.n_right += path.n_segments == truth->n_segments;
        score.n_more += path.n_segments > truth->n_segments;
        score.n_fewer += path.n_segments < truth->n_segments;
        for (unsigned i = 0; path.n_segments == truth->n_segments && i < truth->n_segments; i++) {
            score.n_parameters += 2;
            score.n_covered += covers(path.segments[i].latency_s, truth->segments[i].latency_s);
            score.n_covered += covers(path.segments[i].s_per_byte, truth->segments[i].s_per_byte);
        }
        arena_free(arena);
    }
    gsl_rng_free(random);
    return score;
}

/* With noise as small as in real measurements, the number of segments is nearly always right. It is
 * never much too high. */
static void check_score(const Truth *truth, Noise noise)
{
    Score score = recover(truth, noise);
    if (score.n_more * 20 > TRIALS)
        fail_msg("%s: invents segments in %u of %u trials", truth->name, score.n_more, TRIALS);
    if (noise.deviation < 0.05 && score.n_right * 10 < TRIALS * 9)
        fail_msg("%s: has %u segments in %u of %u trials only", truth->name, truth->n_segments, score.n_right, TRIALS);
    if (noise.deviation < 0.05 && score.n_not_linear * 50 > TRIALS)
        fail_msg("%s: is not believed to be lines in %u of %u trials", truth->name, score.n_not_linear, TRIALS);
    if (score.n_covered * 10 < score.n_parameters * 9)
        fail_msg("%s: the intervals hold %u of %u parameters", truth->name, score.n_covered, score.n_parameters);
}

static const Truth *const truths[] = {&one_line, &slow_line, &two_lines, &three_lines, &bent_line};

static void parameters_are_within_their_intervals_and_no_segments_are_invented(void **state)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        for (double deviation = 0.01; deviation < 0.2; deviation *= 3)
            check_score(truths[i], (Noise){deviation, 0, 2, deviation > 0.02});
}

static void sizes_that_came_out_far_too_long_change_nothing(void **state)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        check_score(truths[i], (Noise){0.03, 0.05, 2, false});
}

static void few_sizes_are_enough_for_clear_switches(void **state)
{
    check_score(&two_lines, (Noise){0.01, 0, 1, false});
    check_score(&three_lines, (Noise){0.01, 0, 1, false});
}

static void switches_are_found_where_they_are(void **state)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    Arena *arena = arena_new();
    CommPoint points[SIZES_LIMIT];
    CommSeries series = measure(&three_lines, (Noise){0.001, 0, 1, true}, random, points);
    MachinePath path;
    fit_path(&series, COMM_MEDIAN, arena, &path);
    assert_int_equal(path.n_segments, 3);
    assert_int_equal(path.segments[0].from_bytes, 0);
    assert_int_equal(path.segments[1].from_bytes, 4096);
    /* The last two lines meet between the two sizes around 131072. */
    assert_in_range(path.segments[2].from_bytes, 27e-6 / 0.25e-9 * 0.97, 27e-6 / 0.25e-9 * 1.03);
    assert_int_equal(path.largest_bytes, 4194304);
    assert_true(path.largest_error < 0.01);
    arena_free(arena);
    gsl_rng_free(random);
}

/* A token bucket lets 32 KiB through at once, and the rest at its rate. Its line has a latency of
 * -2.6 ms. */
static CommSeries measure_bucket(double deviation, unsigned per_doubling, gsl_rng *random,
                                 CommPoint points[SIZES_LIMIT])
{
    CommSeries series = measure(&one_line, (Noise){0, 0, per_doubling, false}, random, points);
    for (unsigned i = 0; i < series.n_points; i++) {
        double bytes = (double)points[i].bytes, beyond = fmax(0, bytes - 32768);
        double time_s = (30e-6 + bytes * 1e-10 + beyond / 12.5e6) * (1 + gsl_ran_gaussian(random, deviation));
        points[i].median_s = points[i].low_s = points[i].high_s = time_s;
    }
    return series;
}

static void what_needs_a_negative_latency_is_flagged(void **state)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned per_doubling = 1; per_doubling <= 3; per_doubling++)
        for (double deviation = 0; deviation < 0.05; deviation += 0.02) {
            Arena *arena = arena_new();
            CommPoint points[SIZES_LIMIT];
            CommSeries series = measure_bucket(deviation, per_doubling, random, points);
            MachinePath path;
            fit_path(&series, COMM_MEDIAN, arena, &path);
            assert_false(path.linear);
            for (unsigned i = 0; i < path.n_segments; i++) {
                assert_true(path.segments[i].latency_s.low >= 0 && path.segments[i].s_per_byte.low >= 0);
                assert_true(path.segments[i].latency_s.value >= 0 && path.segments[i].s_per_byte.value >= 0);
            }
            arena_free(arena);
        }
    gsl_rng_free(random);
}

static void one_size_is_no_line(void **state)
{
    Arena *arena = arena_new();
    const CommPoint points[] = {{.bytes = 0, .median_s = 0},
                                {.bytes = 8, .median_s = 1e-6, .low_s = 1e-6, .high_s = 1e-6}};
    const CommSeries series = {.operation = "pingpong", .n_points = 2, .points = points};
    MachinePath path;
    fit_path(&series, COMM_MEDIAN, arena, &path);
    assert_int_equal(path.n_segments, 0);
    assert_false(path.linear);
    arena_free(arena);
}

static void two_sizes_are_a_line_through_both(void **state)
{
    Arena *arena = arena_new();
    const CommPoint points[] = {{.bytes = 1000, .median_s = 2e-6, .low_s = 2e-6, .high_s = 2e-6},
                                {.bytes = 2000, .median_s = 3e-6, .low_s = 3e-6, .high_s = 3e-6}};
    const CommSeries series = {.operation = "pingpong", .n_points = 2, .points = points};
    MachinePath path;
    fit_path(&series, COMM_MEDIAN, arena, &path);
    assert_int_equal(path.n_segments, 1);
    assert_true(path.linear && path.largest_error < 1e-9);
    assert_true(fabs(path.segments[0].latency_s.value - 1e-6) < 1e-12);
    assert_true(fabs(machine_message_s(&path, 4000) - 5e-6) < 1e-12);
    arena_free(arena);
}

static void times_never_fall_with_size_whatever_was_measured(void **state)
{
    enum { MOST_SIZES = 23 };
    Arena *arena = arena_new();
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < TRIALS; trial++) {
        CommPoint points[MOST_SIZES];
        for (uint32_t i = 0; i < MOST_SIZES; i++) {
            double time_s = 1e-6 * exp2(trial % 2 ? 14 * gsl_rng_uniform(random) : 10 - i / 2.0);
            points[i] = (CommPoint){.bytes = 1ULL << i, .median_s = time_s, .low_s = time_s / 2, .high_s = 2 * time_s};
        }
        const CommSeries series = {.operation = "pingpong", .n_points = MOST_SIZES, .points = points};
        MachinePath path;
        fit_path(&series, COMM_MEDIAN, arena, &path);
        assert_true(path.n_segments > 0 && path.segments[0].from_bytes == 0);
        double before_s = 0;
        for (double bytes = 0; bytes <= 1 << 22; bytes += bytes < 4096 ? 1 : 511) {
            assert_true(machine_message_s(&path, bytes) >= before_s * (1 - 1e-12));
            before_s = machine_message_s(&path, bytes);
        }
    }
    gsl_rng_free(random);
    arena_free(arena);
}

static void small_messages_that_were_disturbed_take_no_longer_than_larger_ones(void **state)
{
    Arena *arena = arena_new();
    CommPoint points[16];
    for (uint32_t i = 0; i < 16; i++) {
        double time_s = i < 5 ? 20e-3 : 10e-6 + 1e-9 * (double)(1 << i);
        points[i] = (CommPoint){.bytes = 1ULL << i, .median_s = time_s, .low_s = time_s, .high_s = time_s};
    }
    const CommSeries series = {.operation = "pingpong", .n_points = 16, .points = points};
    MachinePath path;
    fit_path(&series, COMM_MEDIAN, arena, &path);
    assert_true(machine_message_s(&path, 1) < 11e-6);
    assert_false(path.linear); /* since the sizes that were disturbed are far off */
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_within_their_intervals_and_no_segments_are_invented),
        cmocka_unit_test(sizes_that_came_out_far_too_long_change_nothing),
        cmocka_unit_test(few_sizes_are_enough_for_clear_switches),
        cmocka_unit_test(switches_are_found_where_they_are),
        cmocka_unit_test(what_needs_a_negative_latency_is_flagged),
        cmocka_unit_test(one_size_is_no_line),
        cmocka_unit_test(two_sizes_are_a_line_through_both),
        cmocka_unit_test(times_never_fall_with_size_whatever_was_measured),
        cmocka_unit_test(small_messages_that_were_disturbed_take_no_longer_than_larger_ones),
    };
    return cmocka_run_group_tests_name("fits", tests, NULL, NULL);
}
