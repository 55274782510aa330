/* SPDX-License-Identifier: BSD-3-Clause */
/* The floor of the tolerance for blocks' computation: the noise, and not what the program does. */
#include "../property/memory_trace.h"
#include "signature/phases/block_floor.h"
#include "test.h"

enum { PROCESSES = 4 };

/* A computation of this length, up to `noise_ns` longer. */
static float about(uint64_t *random, double work_ns, uint32_t noise_ns)
{
    return (float)(work_ns + random_below(random, noise_ns + 1));
}

/* The floor of n blocks, whose work alternates between the given lengths. */
static double floor_of(size_t n, const double *works_ns, size_t n_works, uint32_t noise_ns)
{
    uint64_t random = 7;
    BlockFloor floor;
    double floor_ns;
    Err err = {0};
    block_floor_init(&floor, 0.05);
    for (size_t i = 0; i < n; i++) {
        float times[PROCESSES];
        for (int p = 0; p < PROCESSES; p++)
            times[p] = about(&random, works_ns[i % n_works], noise_ns);
        assert_true(block_floor_add(&floor, 0, 1, times, PROCESSES, &err));
    }
    assert_true(block_floor_find(&floor, &floor_ns, &err));
    block_floor_free(&floor);
    return floor_ns;
}

static void exact_repetitions_have_no_floor(void **state)
{
    assert_true(floor_of(1000, (double[]){1000}, 1, 0) == 0);
    assert_true(floor_of(1000, (double[]){1000, 2000, 9000}, 3, 0) == 0);
}

static void the_floor_is_the_noise(void **state)
{
    double floor_ns = floor_of(20000, (double[]){1000}, 1, 400);
    /* The largest of four differences of two uniform numbers is below x with probability
     * (1 - (1 - x)^2)^4: 95 % at x = 0.887. */
    assert_true(floor_ns > 0.87 * 400 && floor_ns < 0.90 * 400);
}

static void work_that_alternates_is_no_noise(void **state)
{
    assert_true(floor_of(1000, (double[]){10000, 12000}, 2, 100) == 0); /* within 5 % */
    double floor_ns = floor_of(1000, (double[]){1000, 1200, 1200, 1000, 1200}, 5, 80);
    assert_true(floor_ns > 60 && floor_ns < 80);
}

static void few_blocks_tell_nothing(void **state)
{
    assert_true(floor_of(15, (double[]){1000}, 1, 900) == 0);
    assert_true(floor_of(0, (double[]){1000}, 1, 900) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_repetitions_have_no_floor),
        cmocka_unit_test(the_floor_is_the_noise),
        cmocka_unit_test(work_that_alternates_is_no_noise),
        cmocka_unit_test(few_blocks_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
