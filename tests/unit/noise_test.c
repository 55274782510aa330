/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of a traced run: on a made-up run with given durations of occurrences. */
#include "signature/noise/drift.h"
#include "signature/noise/noise.h"
#include "test.h"
#include "unit/made_run.h"
#include "unit/near.h"

#include <math.h>
#include <stdlib.h>

static uint32_t one_phase(uint64_t occurrence)
{
    (void)occurrence;
    return 1;
}
static double steady(uint64_t occurrence)
{
    (void)occurrence;
    return 0.001;
}
static double twice_as_slow_from_the_middle(uint64_t occurrence)
{
    return occurrence < 500 ? 0.001 : 0.002;
}
static double slow_every_hundred(uint64_t occurrence)
{
    return occurrence / 20 % 5 == 2 ? 0.0011 : 0.001;
}

static Noise noise_of(Arena *arena, double (*duration_s)(uint64_t occurrence))
{
    return noise_of_runs(make_signature(arena, one_phase, duration_s), 0, 0);
}

static void a_steady_run_has_none(void **state)
{
    Noise noise = noise_of(*state, steady);
    assert_true(noise.n_levels > 0);
    assert_near(noise.deviation[0], 0, 1e-9);
}

static void a_step_is_the_programs(void **state)
{
    assert_near(noise_of(*state, twice_as_slow_from_the_middle).deviation[0], 0, 1e-9);
}

/* Most pieces take as long as the others, so the median difference is 0. */
static void interruptions_of_few_pieces_are_noise(void **state)
{
    Noise noise = noise_of(*state, slow_every_hundred);
    assert_true(noise.deviation[0] > 0.02 && noise.deviation[0] < 0.1);
    assert_true(noise_within(&noise, 0.02, 0.9) > 0);
    assert_true(noise_within(&noise, 0.02, 0.9) > noise_within(&noise, 0.2, 0.9));
}

/* Of white noise, σ falls as the square root of the length; of what alternates every 64 values, it stays
 * until then. */
static void levels_of_a_series_tell_how_its_noise_depends_on_the_length(void **state)
{
    enum { LENGTH = 4096 };
    double white[LENGTH], slow[LENGTH];
    uint64_t random = 1;
    for (int i = 0; i < LENGTH; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        white[i] = 0.01 * ((double)(random >> 33) / (double)(UINT64_C(1) << 31) - 0.5) * sqrt(12);
        slow[i] = i / 64 % 2 ? 0.01 : -0.01;
    }
    Noise fast = noise_of_series(white, LENGTH, 0.01), drifting = noise_of_series(slow, LENGTH, 0.01);
    assert_near(fast.base_s, 0.01, 1e-12);
    assert_int_equal(fast.n_levels, 10);
    for (int level = 0; level < 6; level++)
        assert_near(fast.deviation[level] * exp2(level / 2.0), 0.01, 0.002);
    assert_true(drifting.deviation[6] > 5 * drifting.deviation[0]);
    assert_near(drifting.deviation[6], 0.02 / sqrt(2), 1e-3);
    Noise same = noise_of_levels(fast.deviation, fast.n_levels, fast.base_s);
    assert_near(noise_between_runs(&same, 0.02), noise_between_runs(&fast, 0.02), 1e-15);
}

/* The sum of a variance that is hardly known and one that is known is known the better, the smaller the
 * first is. */
static void variances_add_up_with_how_well_they_are_known(void **state)
{
    const Deviation hardly = {1, 3}, well = deviation_of(1);
    assert_near(deviation_half_width(hardly), 3.182, 1e-3);
    assert_near(deviation_half_width(well), 1.96, 1e-3);
    assert_near(deviation_sum(hardly, well).freedom, 12, 1e-9); /* 2² / (1²/3) */
    assert_near(deviation_half_width(deviation_sum(hardly, well)), 2.179 * sqrt(2), 1e-3);
    assert_near(deviation_half_width(deviation_sum(deviation_scaled(hardly, 1e-9), well)), 1.96, 1e-3);
    assert_near(deviation_half_width(deviation_of(0)), 0, 0);
}

/* Of one run, only what was measured on other programs is known. Equal runs narrow it. */
static void drift_is_what_further_runs_show(void **state)
{
    Signature *signature = make_signature(*state, one_phase, steady);
    signature->application.mpi_library = "Open MPI";
    double *times_s = arena_new_array(*state, double, signature->n_milestones);
    const RepeatedRun again[] = {{signature->application_s, signature->n_milestones, times_s},
                                 {signature->application_s, signature->n_milestones, times_s}};
    const Drift unknown = drift_of_runs(signature, 0);
    assert_near(deviation_half_width(unknown), 3.182 * 0.027, 1e-4);
    signature->repeats = again;
    signature->n_repeats = 2;
    for (int percent = 0; percent <= 20; percent += 20) {
        for (uint32_t i = 0; i < signature->n_milestones; i++)
            times_s[i] = signature->milestones[i].time_s * (1 + percent / 100.0);
        const Drift drift = drift_of_runs(signature, 2);
        /* Σ (x - mean)² = 2/3 · ln² 1.2 for x = 0, ln 1.2, ln 1.2 */
        assert_near(drift.variance, (3 * 0.027 * 0.027 + 4.0 / 3 * pow(log(1 + percent / 100.0), 2)) / 5, 1e-9);
        assert_true((deviation_half_width(drift) < 0.06) == (percent == 0));
    }
    const Drift none = drift_none();
    assert_near(deviation_half_width(none), 0, 0);
    assert_near(none.variance, 0, 0);
}

static int make_arena(void **state)
{
    *state = arena_new();
    return 0;
}

static int free_arena(void **state)
{
    arena_free(*state);
    return 0;
}

#define with_arena(test) cmocka_unit_test_setup_teardown(test, make_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {with_arena(a_steady_run_has_none),
                                       with_arena(a_step_is_the_programs),
                                       with_arena(interruptions_of_few_pieces_are_noise),
                                       with_arena(drift_is_what_further_runs_show),
                                       with_arena(variances_add_up_with_how_well_they_are_known),
                                       with_arena(levels_of_a_series_tell_how_its_noise_depends_on_the_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
