/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of scaling, found in times that were made by formulas. */
#include "scaling/scaling.h"
#include "test.h"
#include "unit/made_times.h"
#include "unit/near.h"

#include <string.h>

static const uint32_t powers[] = {1, 2, 4, 8, 16, 32};
static const ScalingOptions plain = {.efficiency_limit = 0.5};
static const double one = 1;

/* ± 2 %, in a pattern that no law has. */
static double jitter(double p)
{
    return 1 + 0.02 * cos(3 * log2(p));
}

static double usl(double n, double p)
{
    return n * (1 + 0.03 * (p - 1) + 0.001 * p * (p - 1)) / p;
}

static double noisy_usl(double n, double p)
{
    return usl(n, p) * jitter(p);
}

static double perfect(double n, double p)
{
    return n / p;
}

static double noisy_perfect(double n, double p)
{
    return n / p * jitter(p);
}

static double amdahl(double n, double p)
{
    (void)n;
    return 0.05 + 0.95 / p;
}

static double serial(double n, double p)
{
    (void)p;
    return n;
}

/* Sizes 10 p whose parallel part grows as p, and whose serial part doesn't grow. */
static double gustafson(double n, double p)
{
    return p > 1 ? 10 : 10 * (0.1 + 0.9 * n / 10);
}

/* Each doubling takes three times as long. */
static double slower_and_slower(double n, double p)
{
    return n * pow(p, log2(3));
}

static double in_cache_from_4(double n, double p)
{
    return n / p * (p < 4 ? 1 : p < 8 ? 0.9 : 0.7);
}

static double in_memory_from_2(double n, double p)
{
    return n / p * (p < 2 ? 1 : 0.5);
}

static double superlinear(double n, double p)
{
    return n * pow(p, -1.2);
}

/* The share of a process fits its cache from p = 8 on. */
static double threshold(double n, double p)
{
    return n * ((p < 8 ? 1.5 : 1) / p + 0.01);
}

static const SizeScaling *scale(MadeTime time, uint32_t n_processes, const ScalingOptions *options, Arena *arena)
{
    return &scaling_make(made_times(time, &one, 1, powers, n_processes, arena), options, arena)->sizes[0];
}

static const LawFit *law_of(const SizeScaling *size, LawKind kind)
{
    for (uint32_t i = 0; i < size->n_laws; i++)
        if (size->laws[i].kind == kind)
            return &size->laws[i];
    fail_msg("there is no such law");
    return NULL;
}

static bool warns(const Scaling *scaling, const char *text)
{
    for (uint32_t i = 0; i < scaling->n_warnings; i++)
        if (strstr(scaling->warnings[i], text))
            return true;
    return false;
}

static void finds_the_parameters_of_the_universal_scalability_law(void **state)
{
    Arena *arena = arena_new();
    const LawFit *law = law_of(scale(usl, 6, &plain, arena), LAW_USL);
    assert_near(law->values[0].value, 1, 1e-9);
    assert_near(law->values[1].value, 0.03, 1e-9);
    assert_near(law->values[2].value, 0.001, 1e-10);
    arena_free(arena);
}

static void intervals_hold_their_values_and_what_is_true(void **state)
{
    static const double truth[] = {1, 0.03, 0.001};
    Arena *arena = arena_new();
    const LawFit *law = law_of(scale(noisy_usl, 6, &plain, arena), LAW_USL);
    for (int i = 0; i < 3; i++) {
        assert_true(law->values[i].low < law->values[i].value && law->values[i].value < law->values[i].high);
        assert_true(law->values[i].low < truth[i] && truth[i] < law->values[i].high);
    }
    arena_free(arena);
}

static void an_interval_at_a_bound_ends_there(void **state)
{
    Arena *arena = arena_new();
    const SizeScaling *size = scale(noisy_perfect, 6, &plain, arena);
    const Estimated *share = &law_of(size, LAW_AMDAHL)->values[1];
    assert_near(share->low, 0, 0);
    assert_true(share->high > 0);
    assert_true(isinf(size->speedup_bound.high));
    arena_free(arena);
}

static void extrapolated_intervals_grow_with_the_distance(void **state)
{
    Arena *arena = arena_new();
    static const uint32_t beyond[] = {32, 64, 128, 256};
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = beyond, .n_extrapolate = 4};
    const SizeScaling *size = scale(noisy_usl, 6, &options, arena);
    double before = 0;
    for (int i = 0; i < 4; i++) {
        const Estimated *time_s = &size->predictions[i].time_s;
        double width = (time_s->high - time_s->low) / time_s->value;
        assert_true(width > before);
        assert_true(time_s->low <= usl(1, beyond[i]) && usl(1, beyond[i]) <= time_s->high);
        before = width;
    }
    arena_free(arena);
}

static void a_perfect_program_has_no_bound(void **state)
{
    Arena *arena = arena_new();
    const SizeScaling *size = scale(perfect, 6, &plain, arena);
    assert_true(isinf(size->most_processes));
    assert_true(isinf(size->fastest_p));
    for (uint32_t i = 0; i < 6; i++)
        assert_near(size->points[i].efficiency, 1, 1e-12);
    arena_free(arena);
}

static void a_serial_program_keeps_half_the_efficiency_on_two(void **state)
{
    Arena *arena = arena_new();
    const SizeScaling *size = scale(serial, 6, &plain, arena);
    assert_near(size->most_processes, 2, 0);
    assert_near(size->speedup_bound.value, 1, 1e-9);
    arena_free(arena);
}

static void speedups_without_one_process_begin_at_the_fewest(void **state)
{
    Arena *arena = arena_new();
    Runs *runs = made_times(usl, &one, 1, powers + 1, 5, arena);
    const uint32_t last = powers[5];
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = &last, .n_extrapolate = 1};
    const Scaling *scaling = scaling_make(runs, &options, arena);
    const SizeScaling *size = &scaling->sizes[0];
    assert_near(size->predictions[0].speedup, size->points[4].speedup.value, 1e-6);
    runs = made_times(amdahl, &one, 1, powers + 1, 5, arena);
    assert_near(scaling_make(runs, &plain, arena)->sizes[0].speedup_bound.value, 20 + 1, 1e-6);
    assert_near(scaling->sizes[0].points[0].speedup.value, 2, 0);
    assert_near(scaling->sizes[0].points[0].efficiency, 1, 0);
    assert_true(warns(scaling, "nothing was run on one process"));
    arena_free(arena);
}

static void superlinear_points_have_a_likely_cause(void **state)
{
    Arena *arena = arena_new();
    const SizeScaling *size = scale(in_cache_from_4, 6, &plain, arena);
    assert_int_equal(size->points[1].superlinear, CAUSE_NONE);
    assert_int_equal(size->points[3].superlinear, CAUSE_CACHE);
    size = scale(in_memory_from_2, 6, &plain, arena);
    assert_int_equal(size->points[1].superlinear, CAUSE_MEMORY);
    const ScalingOptions options = {.sequential_s = 0.5, .efficiency_limit = 0.5};
    size = scale(in_memory_from_2, 6, &options, arena);
    assert_int_equal(size->points[1].superlinear, CAUSE_BASELINE);
    arena_free(arena);
}

static void assert_predicts(MadeTime time, LawKind kind)
{
    static const uint32_t beyond = 256;
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = &beyond, .n_extrapolate = 1};
    Arena *arena = arena_new();
    const SizeScaling *size = scale(time, 6, &options, arena);
    const Estimated *time_s = &size->predictions[0].time_s;
    assert_int_equal(size->laws[0].kind, kind);
    assert_near(time_s->value, time(1, beyond), 1e-9);
    assert_true(time_s->low <= time(1, beyond) && time(1, beyond) <= time_s->high);
    arena_free(arena);
}

static double between(double n, double p)
{
    (void)n;
    return 10 * pow(p, -0.8);
}

static void times_between_the_exponents_are_predicted(void **state)
{
    (void)state;
    assert_predicts(between, LAW_POWER);
}

static void superlinear_times_follow_a_power_or_a_threshold(void **state)
{
    assert_predicts(superlinear, LAW_POWER);
    assert_predicts(threshold, LAW_CACHE);
}

static void three_points_leave_the_law_open(void **state)
{
    static const uint32_t beyond = 32;
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = &beyond, .n_extrapolate = 1};
    Arena *arena = arena_new();
    const SizeScaling *size = scale(usl, 3, &options, arena);
    const Estimated *time_s = &size->predictions[0].time_s;
    assert_true(time_s->low <= usl(1, beyond) && usl(1, beyond) <= time_s->high);
    arena_free(arena);
}

static void a_fixed_law_has_its_own_interval(void **state)
{
    static const uint32_t beyond = 256;
    const ScalingOptions options = {
        .law = "Amdahl", .efficiency_limit = 0.5, .extrapolate = &beyond, .n_extrapolate = 1};
    Arena *arena = arena_new();
    const SizeScaling *size = scale(noisy_usl, 6, &options, arena);
    const ScalePrediction *prediction = &size->predictions[0];
    assert_int_equal(size->n_laws, 1);
    assert_int_equal(size->laws[0].kind, LAW_AMDAHL);
    assert_near(prediction->time_s.low, prediction->by_best.low, 1e-12);
    assert_near(prediction->time_s.high, prediction->by_best.high, 1e-12);
    arena_free(arena);
}

static void a_serial_share_is_at_most_1(void **state)
{
    const ScalingOptions options = {.law = "Amdahl", .efficiency_limit = 0.5};
    Arena *arena = arena_new();
    const SizeScaling *size = scale(slower_and_slower, 3, &options, arena);
    const Estimated *share = &law_of(size, LAW_AMDAHL)->values[1];
    assert_true(share->low <= 1 && share->value == 1 && share->high == 1);
    assert_true(size->speedup_bound.low == 1);
    arena_free(arena);
}

static void too_few_numbers_of_processes_have_no_law(void **state)
{
    Arena *arena = arena_new();
    const Scaling *scaling = scaling_make(made_times(usl, &one, 1, powers, 2, arena), &plain, arena);
    assert_int_equal(scaling->sizes[0].n_laws, 0);
    assert_true(isnan(scaling->sizes[0].speedup_bound.value));
    assert_true(warns(scaling, "too few for any law"));
    arena_free(arena);
}

static void repeats_that_disagree_are_told_of(void **state)
{
    Arena *arena = arena_new();
    static const double times_s[] = {1, 1.01, 1.5};
    Runs *runs = made_times(usl, &one, 1, powers, 6, arena);
    RunPoint *points = arena_new_array(arena, RunPoint, 6);
    memcpy(points, runs->points, 6 * sizeof *points);
    points[0] = (RunPoint){1, 1, 3, times_s, 1.01, 1, 1.5, 2};
    runs->points = points;
    assert_true(warns(scaling_make(runs, &plain, arena), "repeats differ by more than 10 % at 1 of 6 points"));
    assert_true(warns(scaling_make(runs, &plain, arena), "at 1 of 6 points, and by a factor of up to 2 at p = 1"));
    arena_free(arena);
}

/* F tests with very many degrees of freedom. */
static void very_many_repeats_have_laws_too(void **state)
{
    enum { PROCESSES = 64, REPEATS = 500 };
    Arena *arena = arena_new();
    uint32_t processes[PROCESSES];
    for (uint32_t p = 1; p <= PROCESSES; p++)
        processes[p - 1] = p;
    Runs *runs = made_times(noisy_usl, &one, 1, processes, PROCESSES, arena);
    RunPoint *points = arena_new_array(arena, RunPoint, PROCESSES);
    for (uint32_t i = 0; i < PROCESSES; i++) {
        double *times_s = arena_new_array(arena, double, REPEATS), first = runs->points[i].median_s;
        for (uint32_t k = 0; k < REPEATS; k++)
            times_s[k] = first * (1 + 1e-5 * k);
        points[i] = (RunPoint){1, processes[i], REPEATS, times_s, first, first, first, 1};
    }
    runs->points = points;
    const SizeScaling *size = &scaling_make(runs, &plain, arena)->sizes[0];
    assert_int_equal(size->n_laws, 4);
    assert_true(size->laws[0].linear.lacks_fit);
    arena_free(arena);
}

/* Runs of size 10 p on each p; with_single: also on one process. */
static Runs made_chain(MadeTime time, bool with_single, Arena *arena)
{
    RunPoint *points = arena_new_array(arena, RunPoint, 12);
    uint32_t n_points = 0;
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t p = with_single || i == 0 ? 1 : powers[i]; p <= powers[i]; p += powers[i] - 1) {
            double n = 10 * powers[i], *time_s = arena_alloc(arena, sizeof *time_s);
            *time_s = time(n, p);
            points[n_points++] = (RunPoint){n, p, 1, time_s, *time_s, *time_s, *time_s, 1};
            if (p == powers[i])
                break;
        }
    return (Runs){.file = "made", .has_sizes = true, .n_points = n_points, .points = points};
}

static void scaled_speedups_compare_with_the_same_size_on_one_process(void **state)
{
    Arena *arena = arena_new();
    const Runs runs = made_chain(gustafson, true, arena);
    const Scaling *scaling = scaling_make(&runs, &plain, arena);
    assert_int_equal(scaling->n_weak, 1);
    assert_int_equal(scaling->weak[0].dimension, 1);
    assert_near(scaling->weak[0].points[5].speedup, 0.1 + 0.9 * 32, 1e-9);
    assert_true(scaling->weak[0].has_gustafson);
    assert_near(scaling->weak[0].gustafson.values[0].value, 0.1, 1e-9);
    arena_free(arena);
}

static void the_sequential_program_s_time_gives_scaled_speedups_too(void **state)
{
    Arena *arena = arena_new();
    SequentialTime sequential[6];
    Runs runs = made_chain(gustafson, false, arena);
    for (uint32_t i = 0; i < 6; i++)
        sequential[i] = (SequentialTime){10 * powers[i], 0.8 * gustafson(10 * powers[i], 1)};
    runs.sequential = sequential;
    runs.n_sequential = 6;
    const WeakScaling *weak = &scaling_make(&runs, &plain, arena)->weak[0];
    assert_near(weak->gustafson.values[0].value, 0.1, 1e-9);
    assert_near(weak->points[0].speedup, 0.8, 1e-9); /* not over the run on one process, which there is */
    arena_free(arena);
}

static void without_times_on_one_process_there_is_no_scaled_speedup(void **state)
{
    Arena *arena = arena_new();
    const Runs runs = made_chain(gustafson, false, arena);
    const WeakScaling *weak = scaling_make(&runs, &plain, arena)->weak;
    assert_true(isnan(weak->points[5].speedup));
    assert_near(weak->points[5].efficiency, 1, 1e-9);
    assert_false(weak->has_gustafson);
    arena_free(arena);
}

static double growing(double n, double p)
{
    (void)n;
    return 10 + log2(p);
}

static void times_of_scaled_runs_have_laws_and_predictions(void **state)
{
    static const uint32_t beyond = 256;
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = &beyond, .n_extrapolate = 1};
    Arena *arena = arena_new();
    Runs runs = made_chain(gustafson, false, arena);
    const WeakScaling *weak = scaling_make(&runs, &options, arena)->weak;
    assert_int_equal(weak->laws[0].kind, LAW_CONSTANT);
    assert_near(weak->predictions[0].n, 2560, 1e-9);
    assert_near(weak->predictions[0].time_s.value, 10, 1e-9);
    runs = made_chain(growing, false, arena);
    weak = scaling_make(&runs, &options, arena)->weak;
    assert_string_equal(weak->laws[0].formula, "a + b log2(p)");
    assert_near(weak->predictions[0].time_s.value, 18, 1e-9);
    assert_near(weak->predictions[0].efficiency, 10. / 18, 1e-9);
    arena_free(arena);
}

static void runs_scale_strongly_or_weakly_or_both(void **state)
{
    Arena *arena = arena_new();
    const Runs weak = made_chain(gustafson, false, arena), both = made_chain(gustafson, true, arena);
    assert_int_equal(scaling_make(&weak, &plain, arena)->kind, SCALING_WEAK);
    assert_int_equal(scaling_make(&both, &plain, arena)->kind, SCALING_BOTH);
    assert_int_equal(scaling_make(made_times(usl, &one, 1, powers, 6, arena), &plain, arena)->kind, SCALING_STRONG);
    assert_int_equal(scaling_make(made_times(usl, &one, 1, powers, 1, arena), &plain, arena)->kind, SCALING_NONE);
    arena_free(arena);
}

static void times_without_sizes_that_do_not_fall_are_told_of(void **state)
{
    Arena *arena = arena_new();
    for (uint32_t n = 2; n <= 6; n++) {
        assert_true(warns(scaling_make(made_times(serial, &one, 1, powers, n, arena), &plain, arena), "no column `n`"));
        assert_true(
            warns(scaling_make(made_times(growing, &one, 1, powers, n, arena), &plain, arena), "no column `n`"));
        assert_false(warns(scaling_make(made_times(usl, &one, 1, powers, n, arena), &plain, arena), "no column `n`"));
    }
    arena_free(arena);
}

static void a_serial_program_is_not_scalable(void **state)
{
    static const double sizes[] = {1, 2, 4};
    Arena *arena = arena_new();
    const Scaling *scaling = scaling_make(made_times(serial, sizes, 3, powers, 6, arena), &plain, arena);
    assert_false(scaling->isoefficiency.is_scalable);
    assert_true(isnan(scaling->isoefficiency.points[4].n.value));
    arena_free(arena);
}

static double blocks(double n, double p)
{
    return 1e-6 * n * n / p + 2e-5 * n / sqrt(p) + 1e-3 * log2(p);
}

static double noisy_blocks(double n, double p)
{
    return blocks(n, p) * (1 + 0.01 * cos(n + 3 * log2(p)));
}

static const double sides[] = {250, 500, 1000, 2000};

static void a_model_of_size_and_processes_predicts_both(void **state)
{
    static const uint32_t processes[] = {128};
    static const uint64_t sizes[] = {16000};
    const ScalingOptions beyond = {
        .efficiency_limit = 0.5, .extrapolate = processes, .n_extrapolate = 1, .sizes = sizes, .n_sizes = 1};
    Arena *arena = arena_new();
    const JointScaling *joint = &scaling_make(made_times(blocks, sides, 4, powers, 5, arena), &beyond, arena)->joint;
    assert_int_equal(joint->n_laws, 1);
    assert_string_equal(joint->laws->formula, "a + b n^2/p + c n p^(-1/2) + d log2(p)");
    assert_near(joint->laws->values[1].value, 1e-6, 1e-12);
    assert_int_equal(joint->n_predictions, 1);
    assert_near(joint->predictions->time_s.value, blocks(16000, 128), 1e-6);
    assert_true(joint->predictions->distance.is_far);
    arena_free(arena);
}

static void a_model_of_noisy_times_holds_the_size_that_keeps_the_efficiency(void **state)
{
    Arena *arena = arena_new();
    const Scaling *scaling = scaling_make(made_times(noisy_blocks, sides, 4, powers, 5, arena), &plain, arena);
    const Isoefficiency *found = &scaling->joint.isoefficiency;
    assert_int_equal(found->n_points, 4); /* on 2, 4, 8 and 16 */
    for (uint32_t i = 0; i < found->n_points; i++) {
        double p = found->points[i].p, low = found->points[i].n.low, high = found->points[i].n.high;
        assert_true(blocks(low, 1) <= 0.5 * p * blocks(low, p));
        assert_true(blocks(high, 1) >= 0.5 * p * blocks(high, p));
    }
    assert_true(found->exponent.low > 0.3 && found->exponent.high < 1.5);
    arena_free(arena);
}

static void two_sizes_or_two_processes_have_no_joint_model(void **state)
{
    Arena *arena = arena_new();
    assert_int_equal(scaling_make(made_times(blocks, sides, 2, powers, 5, arena), &plain, arena)->joint.n_laws, 0);
    assert_int_equal(scaling_make(made_times(blocks, sides, 4, powers, 2, arena), &plain, arena)->joint.n_laws, 0);
    assert_int_equal(scaling_make(made_times(blocks, sides, 3, powers, 3, arena), &plain, arena)->joint.n_laws, 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_parameters_of_the_universal_scalability_law),
        cmocka_unit_test(intervals_hold_their_values_and_what_is_true),
        cmocka_unit_test(an_interval_at_a_bound_ends_there),
        cmocka_unit_test(extrapolated_intervals_grow_with_the_distance),
        cmocka_unit_test(a_perfect_program_has_no_bound),
        cmocka_unit_test(a_serial_program_keeps_half_the_efficiency_on_two),
        cmocka_unit_test(speedups_without_one_process_begin_at_the_fewest),
        cmocka_unit_test(superlinear_points_have_a_likely_cause),
        cmocka_unit_test(times_between_the_exponents_are_predicted),
        cmocka_unit_test(superlinear_times_follow_a_power_or_a_threshold),
        cmocka_unit_test(three_points_leave_the_law_open),
        cmocka_unit_test(a_fixed_law_has_its_own_interval),
        cmocka_unit_test(a_serial_share_is_at_most_1),
        cmocka_unit_test(too_few_numbers_of_processes_have_no_law),
        cmocka_unit_test(repeats_that_disagree_are_told_of),
        cmocka_unit_test(very_many_repeats_have_laws_too),
        cmocka_unit_test(scaled_speedups_compare_with_the_same_size_on_one_process),
        cmocka_unit_test(the_sequential_program_s_time_gives_scaled_speedups_too),
        cmocka_unit_test(without_times_on_one_process_there_is_no_scaled_speedup),
        cmocka_unit_test(times_of_scaled_runs_have_laws_and_predictions),
        cmocka_unit_test(runs_scale_strongly_or_weakly_or_both),
        cmocka_unit_test(times_without_sizes_that_do_not_fall_are_told_of),
        cmocka_unit_test(a_serial_program_is_not_scalable),
        cmocka_unit_test(a_model_of_size_and_processes_predicts_both),
        cmocka_unit_test(a_model_of_noisy_times_holds_the_size_that_keeps_the_efficiency),
        cmocka_unit_test(two_sizes_or_two_processes_have_no_joint_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
