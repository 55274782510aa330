/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning a prefix, and computing phase times from what ran: on a made-up run of one-tick phases
 * with given durations of occurrences. */
#include "signature/execute/windows.h"
#include "signature/predict/predict.h"
#include "test.h"
#include "unit/made_run.h"
#include "unit/near.h"

#include <math.h>
#include <string.h>

static uint32_t alternating(uint64_t occurrence)
{
    return 1 + occurrence % 2;
}
static uint32_t third_phase_in_the_middle(uint64_t occurrence)
{
    return occurrence >= 300 && occurrence < 600 ? 3 : 1 + occurrence % 2;
}
static double steady(uint64_t occurrence)
{
    return occurrence % 2 ? 0.003 : 0.001;
}
static double slow_at_first(uint64_t occurrence)
{
    return steady(occurrence) * (occurrence < 8 ? 4 : 1);
}
static double twice_as_long(uint64_t occurrence)
{
    return 2 * steady(occurrence);
}
static double long_warmup_and_twice_as_long(uint64_t occurrence)
{
    return 2 * steady(occurrence) * (occurrence < 15 ? 3 : 1);
}

static const PlanOptions usual = {0.04, 0.5, 0.05, 1};

static void plan_spends_the_budget_on_a_steady_run(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    assert_near(plan.cost_s / s->application_s, 0.04, 0.006);
    assert_near(plan.coverage, 1, 1e-9);
    assert_near(plan.bias, 0, 1e-9);
}

static void plan_leaves_out_a_slow_beginning(void **state)
{
    Signature *s = make_signature(*state, alternating, slow_at_first);
    PrefixPlan plan = prefix_plan(s, &usual);
    assert_true(s->milestones[plan.warmup].occurrence >= 8);
    assert_near(plan.bias, 0, 1e-9);
}

static double very_slow_at_first(uint64_t occurrence)
{
    return steady(occurrence) * (occurrence < 12 ? 4 : 1);
}

static void plan_goes_beyond_the_budget_when_that_is_still_the_beginning(void **state)
{
    Signature *s = make_signature(*state, alternating, very_slow_at_first);
    PrefixPlan plan = prefix_plan(s, &usual);
    assert_true(s->milestones[plan.stop].occurrence > 12);
    assert_true(plan.cost_s <= 0.12 * s->application_s);
}

static void plan_reaches_a_phase_that_comes_late(void **state)
{
    Signature *s = make_signature(*state, third_phase_in_the_middle, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    assert_true(s->milestones[plan.stop].occurrence > 300);
    assert_true(s->milestones[plan.stop].occurrence < 320);
    assert_near(plan.coverage, 1, 1e-9);
}

static void plan_stops_at_the_limit_and_knows_what_is_missing(void **state)
{
    Signature *s = make_signature(*state, third_phase_in_the_middle, steady);
    const PlanOptions limited = {0.04, 0.2, 0.05, 1};
    PrefixPlan plan = prefix_plan(s, &limited);
    assert_true(plan.cost_s <= 0.2 * s->application_s);
    assert_near(plan.coverage, 0.7, 0.01);
}

/* Whole stretches of the run are slower or faster by 10 %: the longer the window, the less. */
static double with_slow_noise(uint64_t occurrence)
{
    uint64_t stretch = occurrence / 20 * 2654435761u % 1024;
    return steady(occurrence) * (0.9 + 0.2 * (double)stretch / 1024);
}

static void plan_goes_beyond_the_budget_when_noise_is_too_large_for_the_target(void **state)
{
    Signature *s = make_signature(*state, alternating, with_slow_noise);
    PrefixPlan rough = prefix_plan(s, &(PlanOptions){0.04, 0.5, 0.5, 1}),
               fine = prefix_plan(s, &(PlanOptions){0.04, 0.5, 0.05, 1});
    assert_true(rough.reason != PLAN_TARGET);
    assert_int_equal(fine.reason, PLAN_TARGET);
    assert_true(fine.cost_s > rough.cost_s);
    assert_true(fine.cost_s <= 0.5 * s->application_s);
}

/* However much of a run is executed, the next run differs by drift. */
static void plan_executes_less_where_runs_drift(void **state)
{
    Signature *s = make_signature(*state, alternating, with_slow_noise);
    const PlanOptions options = {0.04, 0.5, 0.05, 1};
    PrefixPlan simulated = prefix_plan(s, &options);
    s->application.mpi_library = "Open MPI";
    PrefixPlan real = prefix_plan(s, &options);
    assert_true(real.cost_s < simulated.cost_s);
    assert_true(real.cost_s >= 0.04 * s->application_s);
}

static PhaseTimes evaluate(Arena *arena, const Signature *s, const PrefixPlan *plan, const ExecutedRun *run)
{
    PhaseTimes times = {0};
    Err err = {0};
    assert_true(windows_evaluate(s, plan, 0, run, arena, &times, &err));
    return times;
}

static void windows_hold_the_durations_of_their_occurrences(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 3, alternating, twice_as_long);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_int_equal(times.n_phases, 2);
    assert_near(times.phases[0].slowest_mean_s, 0.002, 1e-9);
    assert_near(times.phases[1].slowest_mean_s, 0.006, 1e-9);
    assert_near(times.phases[1].sd_s, 0, 1e-9);
    assert_near(times.phases[1].reference_s, 0.003, 1e-9);
    assert_near(times.phases[1].compute_s, PROCESSES * 0.003, 1e-8);
    assert_near(times.agreement, 1, 1e-9);
    assert_near(times.startup_s[0], 1, 1e-9);
    assert_near(times.prefix_s[1], 1 + 2 * plan.cost_s, 1e-6);
    for (uint32_t i = 0; i < times.n_windows; i++)
        assert_near(times.windows[i].elapsed_s / times.windows[i].reference_s, 2, 1e-6);
    for (uint32_t i = 0; i < times.n_windows; i++)
        assert_near(times.windows[i].compute_s, times.windows[i].elapsed_s / 2, 1e-8);
}

static void no_window_ends_where_a_process_has_not_come(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    const uint64_t last = s->milestones[plan.stop].occurrence - STEP;
    ExecutedRun run = make_run(*state, last + STEP + 3, alternating, twice_as_long);
    OccurrenceStart *starts = (OccurrenceStart *)run.starts;
    for (size_t i = 0; i < run.n_starts; i++)
        if (starts[i].process == 0 && starts[i].occurrence >= last - STEP) { /* late, and then it has no more starts */
            starts[i].enter_ns += 1000000000;
            starts[i].occurrence = starts[i].occurrence < last ? starts[i].occurrence : last - 1;
        }
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    for (uint32_t i = 0; i < times.n_windows; i++)
        assert_true(times.windows[i].elapsed_s >= 0);
}

static void windows_that_are_still_warming_up_do_not_count(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.08, 0.5, 0.05, 1});
    plan.warmup = 0;
    ExecutedRun run =
        make_run(*state, s->milestones[plan.stop].occurrence + 3, alternating, long_warmup_and_twice_as_long);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_true(times.warmup_occurrences >= 15);
    assert_near(times.phases[0].slowest_mean_s, 0.002, 1e-9);
}

/* Every twentieth occurrence of phase 1 takes 9 ms more. */
static double with_output(uint64_t occurrence)
{
    return steady(occurrence) + (occurrence % 40 == 38 ? 0.009 : 0);
}

static Signature *make_signature_with_output(Arena *arena)
{
    static const StratumRange every_twentieth = {19, 25, 20};
    static Stratum strata[2];
    strata[0] = (Stratum){475, 0.475, 0, 0, NULL, 0, NULL};
    strata[1] = (Stratum){25, 0.25, 0, 1, &every_twentieth, 0, NULL};
    Signature *s = make_signature(arena, alternating, with_output);
    set_strata(s, strata, 2, arena);
    return s;
}

static void strata_are_measured_apart(void **state)
{
    Signature *s = make_signature_with_output(*state);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.1, 0.5, 0.05, 1});
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 3, alternating, with_output);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_int_equal(times.phases[0].n_strata, 2);
    assert_int_equal(times.phases[1].n_strata, 0);
    const MeasuredStratum *strata = times.phases[0].strata;
    assert_int_equal(strata[0].occurrences + strata[1].occurrences, times.phases[0].occurrences);
    assert_true(strata[1].occurrences >= 1);
    assert_near(strata[0].slowest_mean_s, 0.001, 1e-9);
    assert_near(strata[1].slowest_mean_s, 0.010, 1e-9);
    assert_near(strata[1].processes[1].total_s, 0.010 * (double)strata[1].occurrences, 1e-9);
}

static uint32_t one_less_of_the_first(uint64_t occurrence)
{
    return occurrence == 4 ? 2 : alternating(occurrence);
}

static void ordinals_that_do_not_agree_are_not_used(void **state)
{
    Signature *s = make_signature_with_output(*state);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.1, 0.5, 0.05, 1});
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 3, one_less_of_the_first, with_output);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_int_equal(times.phases[0].n_strata, 0);
}

static void plan_is_not_biased_by_strata(void **state)
{
    Signature *s = make_signature_with_output(*state);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.1, 0.5, 0.05, 1});
    assert_near(plan.bias, 0, 0.005);
    assert_near(plan.unseen, 0, 1e-9);
}

static void plan_goes_beyond_the_budget_to_see_a_stratum(void **state)
{
    Signature *s = make_signature_with_output(*state);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.03, 0.5, 0.05, 1});
    assert_int_equal(plan.reason, PLAN_STRATA);
    assert_true(s->milestones[plan.stop].occurrence >= 39);
    assert_near(plan.unseen, 0, 1e-9);
}

/* Phases 1 2 2 2 1 2 2: seven occurrences. */
static uint32_t by_sevens(uint64_t occurrence)
{
    return occurrence % 7 == 0 || occurrence % 7 == 4 ? 1 : 2;
}

static void windows_are_whole_periods(void **state)
{
    static const Loop body[] = {{1, 1, 0, NULL}, {3, 2, 0, NULL}, {1, 1, 0, NULL}, {2, 2, 0, NULL}};
    static const Loop parts[] = {{142, 0, 4, body}, {1, 1, 0, NULL}, {3, 2, 0, NULL}, {1, 1, 0, NULL}, {1, 2, 0, NULL}};
    Signature *s = make_signature(*state, by_sevens, steady);
    s->sequence = (Loop){1, 0, 5, parts};
    SequencePeriod period = signature_period(s);
    assert_int_equal(period.occurrences, 7);
    assert_int_equal(period.times, 142);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.5, 0.6, 0.05, 1});
    assert_true(plan.whole_periods);
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 3, by_sevens, steady);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_true(times.n_windows >= 4);
    for (uint32_t i = 0; i < times.n_windows; i++)
        assert_int_equal((times.windows[i].to_occurrence - times.windows[i].from_occurrence) % 7, 0);
}

static uint32_t other_program(uint64_t occurrence)
{
    return occurrence % 10 ? 4 : 1;
}

static void another_communication_is_refused(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 3, other_program, steady);
    PhaseTimes times = {0};
    Err err = {0};
    assert_false(windows_evaluate(s, &plan, 0, &run, *state, &times, &err));
    assert_error(err, ERR_INPUT, "communicates differently");
}

/* Phases 2 and 1 where the signature has 1 and 2: the same communication in another order. */
static uint32_t one_after_the_other(uint64_t occurrence)
{
    return occurrence % 4 == 3 ? 1 : 2;
}
static uint32_t only_first(uint64_t occurrence)
{
    return occurrence % 8 == 7 ? 2 : 1;
}

static void the_same_communication_in_another_order_is_measured_by_its_pace(void **state)
{
    Signature *s = make_signature(*state, only_first, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 9, one_after_the_other, twice_as_long);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_true(times.agreement < 0.5);
    assert_near(times.event_agreement, 1, 1e-9);
    assert_int_equal(times.n_phases, 0);
    for (uint32_t i = 0; i < times.n_windows; i++)
        assert_near(times.windows[i].elapsed_s / times.windows[i].reference_s, 2, 0.2);
}

static void a_run_without_occurrences_is_refused(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &usual);
    ExecutedRun run = make_run(*state, 0, alternating, steady);
    PhaseTimes times = {0};
    Err err = {0};
    assert_false(windows_evaluate(s, &plan, 0, &run, *state, &times, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

static void a_run_that_ended_early_is_measured_as_far_as_it_went(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.2, 0.5, 0.05, 1});
    ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence / 2, alternating, steady);
    PhaseTimes times = evaluate(*state, s, &plan, &run);
    assert_true(times.prefix_occurrences <= s->milestones[plan.stop].occurrence / 2);
    assert_near(times.phases[0].slowest_mean_s, 0.001, 1e-9);
}

/* Times of as many runs of a prefix as there are paces, on a real machine. */
static const PhaseTimes *run_again(Arena *arena, Signature *s, uint32_t n, double (*const *durations)(uint64_t))
{
    const PhaseTimes **parts = arena_new_array(arena, const PhaseTimes *, n);
    PrefixPlan plan = prefix_plan(s, &usual);
    for (uint32_t i = 0; i < n; i++) {
        ExecutedRun run = make_run(arena, s->milestones[plan.stop].occurrence + 3, alternating, durations[i]);
        PhaseTimes *times = arena_new_array(arena, PhaseTimes, 1);
        Err err = {0};
        assert_true(windows_evaluate(s, &plan, i, &run, arena, times, &err));
        times->application = s->application;
        times->application.mpi_library = s->application.mpi_library = "Open MPI";
        times->signature_s = 10;
        times->busy_processors = i;
        parts[i] = times;
    }
    return prefixes_merge(s, parts, n, arena);
}

static void runs_of_a_prefix_are_merged_to_their_means(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    double (*const durations[])(uint64_t) = {steady, twice_as_long};
    const PhaseTimes *once = run_again(*state, s, 1, durations), *times = run_again(*state, s, 2, durations);
    assert_string_equal(times->mode, "prefix");
    assert_int_equal(times->n_windows, 2 * once->n_windows);
    assert_int_equal(times->windows[once->n_windows - 1].state, 0);
    assert_int_equal(times->windows[once->n_windows].state, 1);
    assert_int_equal(times->prefix_occurrences, once->prefix_occurrences);
    assert_int_equal(times->warmup_occurrences, once->warmup_occurrences);
    assert_near(times->prefix_s[0] - times->startup_s[0], 1.5 * (once->prefix_s[0] - once->startup_s[0]), 1e-9);
    assert_near(times->phases[0].slowest_mean_s, 1.5 * once->phases[0].slowest_mean_s, 1e-9);
    assert_near(times_pace(times), 1.5, 1e-6);
    assert_near(times->signature_s, 20, 1e-9);
    assert_near(times->busy_processors, 1, 1e-9);
}

static double with_slower_output(uint64_t occurrence)
{
    return steady(occurrence) + (occurrence % 40 == 38 ? 0.029 : 0);
}

/* The slow stratum occurs once in each run, so only the runs together tell how much it varies. */
static void strata_of_several_runs_vary_by_all_their_occurrences(void **state)
{
    Signature *s = make_signature_with_output(*state);
    PrefixPlan plan = prefix_plan(s, &(PlanOptions){0.1, 0.5, 0.05, 1});
    double (*const durations[])(uint64_t) = {with_output, with_slower_output};
    const PhaseTimes *parts[2];
    for (uint32_t i = 0; i < 2; i++) {
        ExecutedRun run = make_run(*state, s->milestones[plan.stop].occurrence + 3, alternating, durations[i]);
        PhaseTimes *times = arena_new_array(*state, PhaseTimes, 1);
        *times = evaluate(*state, s, &plan, &run);
        parts[i] = times;
    }
    const MeasuredStratum *once = &parts[0]->phases[0].strata[1],
                          *strata = prefixes_merge(s, parts, 2, *state)->phases[0].strata;
    double n = 2 * (double)once->occurrences;
    assert_near(once->sd_s, 0, 1e-9);
    assert_near(strata[0].sd_s, 0, 1e-9);
    assert_near(strata[1].sd_s, sqrt(n * 0.01 * 0.01 / (n - 1)), 1e-9); /* 10 ms and 30 ms */
}

static Prediction predict(const Signature *s, const PhaseTimes *times, Arena *arena)
{
    Prediction prediction;
    Err err = {0};
    assert_true(predict_run_time(s, times, "process", arena, &prediction, &err));
    return prediction;
}

static double width(const Prediction *prediction)
{
    return (prediction->interval_s[1] - prediction->interval_s[0]) / prediction->predicted_s;
}

static void further_runs_of_a_prefix_narrow_the_interval_unless_they_differ(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    double (*const alike[])(uint64_t) = {twice_as_long, twice_as_long, twice_as_long};
    double (*const different[])(uint64_t) = {steady, twice_as_long, twice_as_long};
    Prediction once = predict(s, run_again(*state, s, 1, alike), *state),
               thrice = predict(s, run_again(*state, s, 3, alike), *state),
               unsure = predict(s, run_again(*state, s, 3, different), *state);
    assert_near(thrice.predicted_s / once.predicted_s, 1, 1e-6);
    assert_true(width(&thrice) < width(&once));
    assert_true(width(&unsure) > 2 * width(&once));
    assert_true(unsure.interval_s[0] < 0.6 * once.predicted_s && once.predicted_s < unsure.interval_s[1]);
}

static int new_arena(void **state)
{
    *state = arena_new();
    return 0;
}

static int free_arena(void **state)
{
    arena_free(*state);
    return 0;
}

int main(void)
{
#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, new_arena, free_arena)
    const struct CMUnitTest tests[] = {
        WITH_ARENA(plan_spends_the_budget_on_a_steady_run),
        WITH_ARENA(plan_leaves_out_a_slow_beginning),
        WITH_ARENA(plan_goes_beyond_the_budget_when_that_is_still_the_beginning),
        WITH_ARENA(plan_reaches_a_phase_that_comes_late),
        WITH_ARENA(plan_stops_at_the_limit_and_knows_what_is_missing),
        WITH_ARENA(plan_goes_beyond_the_budget_when_noise_is_too_large_for_the_target),
        WITH_ARENA(plan_executes_less_where_runs_drift),
        WITH_ARENA(windows_hold_the_durations_of_their_occurrences),
        WITH_ARENA(no_window_ends_where_a_process_has_not_come),
        WITH_ARENA(windows_that_are_still_warming_up_do_not_count),
        WITH_ARENA(strata_are_measured_apart),
        WITH_ARENA(ordinals_that_do_not_agree_are_not_used),
        WITH_ARENA(plan_is_not_biased_by_strata),
        WITH_ARENA(plan_goes_beyond_the_budget_to_see_a_stratum),
        WITH_ARENA(windows_are_whole_periods),
        WITH_ARENA(another_communication_is_refused),
        WITH_ARENA(the_same_communication_in_another_order_is_measured_by_its_pace),
        WITH_ARENA(a_run_without_occurrences_is_refused),
        WITH_ARENA(runs_of_a_prefix_are_merged_to_their_means),
        WITH_ARENA(strata_of_several_runs_vary_by_all_their_occurrences),
        WITH_ARENA(further_runs_of_a_prefix_narrow_the_interval_unless_they_differ),
        WITH_ARENA(a_run_that_ended_early_is_measured_as_far_as_it_went),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
