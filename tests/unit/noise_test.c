/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of a traced run: on a made-up run with given durations of occurrences. */
#include "signature/noise/noise.h"
#include "unit/made_run.h"
#include "unit/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

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
    const struct CMUnitTest tests[] = {with_arena(a_steady_run_has_none), with_arena(a_step_is_the_programs),
                                       with_arena(interruptions_of_few_pieces_are_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
