/* SPDX-License-Identifier: BSD-3-Clause */
/* Strata: which durations are told apart, on made-up runs; and counting in strata. */
#include "property/memory_trace.h"
#include "signature/phases/strata.h"
#include "test.h"
#include "unit/near.h"

#include <math.h>

enum { LONGEST = 4000 };

typedef struct Case {
    Arena *arena;
    uint64_t random;
    double durations_ns[LONGEST];
    double not_computed; /* share of the time beyond 1 ms that isn't computation */
    OccurrenceLevels levels[LONGEST];
    uint64_t n;
    Phase phase;
} Case;

/* n occurrences of 1 ms ± 5 %. 2 % of them are up to four times slower. */
static void make_steps(Case *c, uint64_t n)
{
    c->n = n;
    for (uint64_t i = 0; i < n; i++) {
        c->durations_ns[i] = 1e6 * (0.95 + 0.1 * random_below(&c->random, 1000) / 1000);
        if (random_below(&c->random, 50) == 0)
            c->durations_ns[i] *= 1 + 3.0 * random_below(&c->random, 1000) / 1000;
    }
}

static void slow_down(Case *c, uint64_t first, uint64_t count, uint64_t period, double factor)
{
    for (uint64_t i = 0; i < count && first + i * period < c->n; i++)
        c->durations_ns[first + i * period] *= factor;
}

/* Makes the phase the whole application. */
static const Phase *find(Case *c)
{
    double total_s = 0;
    for (uint64_t i = 0; i < c->n; i++) {
        double beyond_ns = fmax(0, c->durations_ns[i] - 1e6);
        c->levels[i] = (OccurrenceLevels){strata_level(c->durations_ns[i]),
                                          strata_level(c->durations_ns[i] - c->not_computed * beyond_ns)};
        total_s += c->durations_ns[i] * 1e-9;
    }
    c->phase = (Phase){.weight = c->n};
    strata_fill(&c->phase, c->levels, c->n, total_s, total_s, c->arena);
    return &c->phase;
}

static void assert_range(const Stratum *stratum, uint32_t i, uint64_t first, uint64_t count, uint64_t period)
{
    assert_true(i < stratum->n_ranges);
    assert_int_equal(stratum->ranges[i].first, first);
    assert_int_equal(stratum->ranges[i].count, count);
    assert_int_equal(stratum->ranges[i].period, period);
}

static double mean_s(const Stratum *stratum)
{
    return stratum->total_s / (double)stratum->count;
}

static void steps_that_are_alike_have_no_strata(void **state)
{
    Case *c = *state;
    make_steps(c, 4000);
    assert_int_equal(find(c)->n_strata, 0);
}

static void slow_steps_at_irregular_places_have_no_strata(void **state)
{
    Case *c = *state;
    make_steps(c, 4000);
    for (int i = 0; i < 200; i++)
        c->durations_ns[random_below(&c->random, 4000)] = 10e6;
    assert_int_equal(find(c)->n_strata, 0);
}

static void a_slow_beginning_is_a_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 0, 12, 1, 5);
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 2);
    assert_int_equal(phase->strata[1].n_ranges, 1);
    assert_range(&phase->strata[1], 0, 0, 12, 1);
    assert_int_equal(phase->strata[0].count, 988);
}

static void every_twentieth_is_a_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 200);
    slow_down(c, 19, 10, 20, 14);
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 2);
    assert_range(&phase->strata[1], 0, 19, 10, 20);
    assert_int_equal(phase->strata[1].count, 10);
    assert_near(mean_s(&phase->strata[1]) / mean_s(&phase->strata[0]), 14, 1.5);
}

static void steps_that_become_dearer_for_good_are_a_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 600, 400, 1, 3);
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 2);
    assert_range(&phase->strata[1], 0, 600, 400, 1);
}

static void a_slow_stretch_without_computation_is_no_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 400, 300, 1, 3);
    c->not_computed = 1;
    assert_int_equal(find(c)->n_strata, 0);
}

/* As of a molecular dynamics program that calls the same functions more often in each twentieth step. */
static void periods_that_shift_too_often_are_no_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 4000);
    for (uint64_t first = 0; first < 4000; first += 83)
        slow_down(c, first, 20, 4, 25);
    assert_int_equal(find(c)->n_strata, 0);
}

static void a_short_time_of_regular_interruptions_is_no_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 4000);
    slow_down(c, 1000, 20, 12, 8);
    c->not_computed = 1;
    assert_int_equal(find(c)->n_strata, 0);
}

static void waiting_at_every_twentieth_is_a_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 19, 50, 20, 14);
    c->not_computed = 1;
    assert_int_equal(find(c)->n_strata, 2);
}

static void a_fast_beginning_is_a_stratum_too(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 300, 700, 1, 3);
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 2);
    assert_range(&phase->strata[1], 0, 0, 300, 1);
    assert_near(mean_s(&phase->strata[1]) / mean_s(&phase->strata[0]), 1.0 / 3, 0.05);
}

static void two_periods_are_two_strata(void **state)
{
    Case *c = *state;
    make_steps(c, 2000);
    slow_down(c, 9, 200, 10, 4);
    slow_down(c, 99, 20, 100, 10); /* these take 40 ms */
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 3);
    assert_range(&phase->strata[1], 0, 9, 200, 10);
    assert_range(&phase->strata[2], 0, 99, 20, 100);
    assert_int_equal(phase->strata[1].count, 180);
    assert_int_equal(phase->strata[2].count, 20);
}

static void a_slow_beginning_and_a_period_are_told_apart(void **state)
{
    Case *c = *state;
    make_steps(c, 2000);
    slow_down(c, 0, 30, 1, 6);
    slow_down(c, 49, 40, 50, 40);
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 3);
    assert_int_equal(phase->strata[1].n_ranges, 1);
    assert_range(&phase->strata[1], 0, 0, 30, 1);
    assert_range(&phase->strata[2], 0, 49, 40, 50);
}

static void a_period_with_some_steps_missed_is_found(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 24, 40, 25, 8);
    c->durations_ns[24 + 25 * 7] = c->durations_ns[24 + 25 * 20] = 1e6;
    const Phase *phase = find(c);
    assert_int_equal(phase->n_strata, 2);
    assert_range(&phase->strata[1], 0, 24, 40, 25);
}

static void what_does_not_matter_is_no_stratum(void **state)
{
    Case *c = *state;
    make_steps(c, 4000);
    slow_down(c, 999, 4, 1000, 4); /* 12 ms of 4 s */
    assert_int_equal(find(c)->n_strata, 0);
}

static void the_strata_add_up_to_the_phase(void **state)
{
    Case *c = *state;
    make_steps(c, 1500);
    slow_down(c, 0, 40, 1, 3);
    slow_down(c, 9, 150, 10, 7);
    double total_s = 0, strata_s = 0;
    const Phase *phase = find(c);
    for (uint64_t i = 0; i < c->n; i++)
        total_s += c->durations_ns[i] * 1e-9;
    uint64_t count = 0;
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        strata_s += phase->strata[i].total_s;
        count += phase->strata[i].count;
    }
    assert_true(phase->n_strata > 1);
    assert_near(strata_s, total_s, 1e-9);
    assert_int_equal(count, c->n);
}

static void what_goes_on_to_the_last_known_occurrence_goes_on(void **state)
{
    Case *c = *state;
    make_steps(c, 1000);
    slow_down(c, 19, 50, 20, 14);
    find(c);
    c->phase = (Phase){.weight = 100000};
    strata_fill(&c->phase, c->levels, 1000, 165, 165, c->arena);
    assert_int_equal(c->phase.n_strata, 2);
    assert_range(&c->phase.strata[1], 0, 19, 5000, 20);
    assert_near(c->phase.strata[0].total_s + c->phase.strata[1].total_s, 165, 1e-9);
}

/* Compares with visiting all occurrences. */
static void counts_are_those_of_the_places(void **state)
{
    Case *c = *state;
    for (int round = 0; round < 200; round++) {
        enum { N = 3, WEIGHT = 300 };
        StratumRange ranges[N][3];
        Stratum strata[N] = {{0}};
        for (uint32_t i = 1; i < N; i++) {
            strata[i].ranges = ranges[i];
            strata[i].n_ranges = 1 + random_below(&c->random, 3);
            for (uint32_t k = 0; k < strata[i].n_ranges; k++) {
                uint64_t first = random_below(&c->random, WEIGHT), period = 1 + random_below(&c->random, 30);
                ranges[i][k] = (StratumRange){
                    first, 1 + random_below(&c->random, (uint32_t)((WEIGHT - 1 - first) / period + 1)), period};
            }
        }
        uint64_t walked[N] = {0};
        for (uint64_t ordinal = 0; ordinal <= WEIGHT; ordinal++) {
            for (uint32_t i = 0; i < N; i++)
                assert_int_equal(strata_count(strata, N, i, ordinal), walked[i]);
            walked[strata_find(strata, N, ordinal)]++;
        }
    }
}

static int new_case(void **state)
{
    static Case c;
    c = (Case){.arena = arena_new(), .random = 0x9e3779b97f4a7c15u};
    *state = &c;
    return 0;
}

static int free_case(void **state)
{
    arena_free(((Case *)*state)->arena);
    return 0;
}

int main(void)
{
#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, new_case, free_case)
    const struct CMUnitTest tests[] = {
        WITH_CASE(steps_that_are_alike_have_no_strata),
        WITH_CASE(slow_steps_at_irregular_places_have_no_strata),
        WITH_CASE(a_slow_beginning_is_a_stratum),
        WITH_CASE(every_twentieth_is_a_stratum),
        WITH_CASE(steps_that_become_dearer_for_good_are_a_stratum),
        WITH_CASE(a_slow_stretch_without_computation_is_no_stratum),
        WITH_CASE(periods_that_shift_too_often_are_no_stratum),
        WITH_CASE(a_short_time_of_regular_interruptions_is_no_stratum),
        WITH_CASE(waiting_at_every_twentieth_is_a_stratum),
        WITH_CASE(a_fast_beginning_is_a_stratum_too),
        WITH_CASE(two_periods_are_two_strata),
        WITH_CASE(a_slow_beginning_and_a_period_are_told_apart),
        WITH_CASE(a_period_with_some_steps_missed_is_found),
        WITH_CASE(what_does_not_matter_is_no_stratum),
        WITH_CASE(the_strata_add_up_to_the_phase),
        WITH_CASE(what_goes_on_to_the_last_known_occurrence_goes_on),
        WITH_CASE(counts_are_those_of_the_places),
    };
    return cmocka_run_group_tests_name("strata", tests, NULL, NULL);
}
