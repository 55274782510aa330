/* SPDX-License-Identifier: BSD-3-Clause */
/* Known values of speedup, laws and isoefficiency, from exact times. */
#include "scaling/scaling.h"
#include "test.h"
#include "unit/made_times.h"
#include "unit/near.h"

static const ScalingOptions plain = {.efficiency_limit = 0.5};

static double amdahl_20(double n, double p)
{
    (void)n;
    return 0.05 + 0.95 / p;
}

static double amdahl_100(double n, double p)
{
    (void)n;
    return 0.01 + 0.99 / p;
}

static double hypercube(double n, double p)
{
    return n / p + 2 * log2(p);
}

/* n² + n², where only the first phase is parallel. */
static double two_phases(double n, double p)
{
    return n * n / p + n * n;
}

static double two_phases_rewritten(double n, double p)
{
    return 2 * n * n / p + p;
}

static const uint32_t powers[] = {1, 2, 4, 8, 16, 32};

static const Scaling *scale(MadeTime time, const double *sizes, uint32_t n_sizes, const ScalingOptions *options,
                            Arena *arena)
{
    return scaling_make(made_times(time, sizes, n_sizes, powers, 6, arena), options, arena);
}

static void a_serial_share_of_a_twentieth_bounds_the_speedup_by_20(void **state)
{
    Arena *arena = arena_new();
    const Scaling *scaling = scale(amdahl_20, (const double[]){1}, 1, &plain, arena);
    assert_near(scaling->sizes[0].speedup_bound.value, 20, 1e-6);
    assert_int_equal(scaling->sizes[0].laws[0].kind, LAW_AMDAHL);
    for (uint32_t i = 1; i < 6; i++)
        assert_near(scaling->sizes[0].points[i].serial_share, 0.05, 1e-12);
    arena_free(arena);
}

static void a_serial_share_of_a_hundredth_gives_91_on_1024_processes(void **state)
{
    Arena *arena = arena_new();
    const uint32_t p = 1024;
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = &p, .n_extrapolate = 1};
    const Scaling *scaling = scale(amdahl_100, (const double[]){1}, 1, &options, arena);
    assert_near(scaling->sizes[0].predictions[0].speedup, 91.2, 0.05);
    assert_true(scaling->sizes[0].predictions[0].distance.is_far);
    arena_free(arena);
}

static void the_sum_on_a_hypercube_has_its_known_efficiencies(void **state)
{
    static const double sizes[] = {64, 192, 320, 512}, known[4][5] = {{1.0, .80, .57, .33, .17},
                                                                      {1.0, .92, .80, .60, .38},
                                                                      {1.0, .95, .87, .71, .50},
                                                                      {1.0, .97, .91, .80, .62}};
    static const uint32_t at[] = {0, 2, 3, 4, 5}; /* p = 1, 4, 8, 16, 32 */
    Arena *arena = arena_new();
    const Scaling *scaling = scale(hypercube, sizes, 4, &plain, arena);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++)
            assert_near(scaling->sizes[i].points[at[k]].efficiency, known[i][k], 0.0051);
    arena_free(arena);
}

static void its_isoefficiency_goes_through_the_known_points(void **state)
{
    static const double sizes[] = {64, 192, 320, 512}, known[][2] = {{4, 64}, {8, 192}, {16, 512}};
    const ScalingOptions options = {.efficiency_limit = 0.8};
    Arena *arena = arena_new();
    const Scaling *scaling = scale(hypercube, sizes, 4, &options, arena);
    const Isoefficiency *found = &scaling->isoefficiency;
    for (int i = 0; i < 3; i++) {
        assert_near(found->points[i + 1].p, known[i][0], 0);
        assert_near(found->points[i + 1].n.value, known[i][1], 1e-6);
        assert_false(found->points[i + 1].is_extrapolated);
    }
    assert_true(found->is_scalable);
    arena_free(arena);
}

static void two_phases_of_which_one_is_parallel_are_at_most_twice_as_fast(void **state)
{
    Arena *arena = arena_new();
    const Scaling *scaling = scale(two_phases, (const double[]){100}, 1, &plain, arena);
    assert_near(scaling->sizes[0].speedup_bound.value, 2, 1e-6);
    for (uint32_t i = 0; i < 6; i++)
        assert_true(scaling->sizes[0].points[i].speedup.value < 2);
    arena_free(arena);
}

static void two_phases_rewritten_have_the_known_speedup(void **state)
{
    const double n = 100;
    const ScalingOptions options = {.sequential_s = 2 * n * n, .efficiency_limit = 0.5};
    Arena *arena = arena_new();
    const SizeScaling *size = &scale(two_phases_rewritten, &n, 1, &options, arena)->sizes[0];
    for (uint32_t i = 0; i < 6; i++) {
        double p = size->points[i].run->p;
        assert_near(size->points[i].real_speedup, 2 * n * n * p / (2 * n * n + p * p), 1e-9);
    }
    assert_near(size->fastest_p, sqrt(2) * n, 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_serial_share_of_a_twentieth_bounds_the_speedup_by_20),
        cmocka_unit_test(a_serial_share_of_a_hundredth_gives_91_on_1024_processes),
        cmocka_unit_test(the_sum_on_a_hypercube_has_its_known_efficiencies),
        cmocka_unit_test(its_isoefficiency_goes_through_the_known_points),
        cmocka_unit_test(two_phases_of_which_one_is_parallel_are_at_most_twice_as_fast),
        cmocka_unit_test(two_phases_rewritten_have_the_known_speedup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
