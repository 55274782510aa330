/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows spread over a made-up run: their places, the results of restored states, and the error of
 * the prediction from all of them. */
#include "signature/execute/spread.h"
#include "signature/execute/windows.h"
#include "signature/predict/predict.h"
#include "test.h"
#include "unit/made_run.h"
#include "unit/near.h"

#include <string.h>

static uint32_t alternating(uint64_t occurrence)
{
    return 1 + occurrence % 2;
}
static double steady(uint64_t occurrence)
{
    return occurrence % 2 ? 0.003 : 0.001;
}

/* A window of 1.5 % of the run and its warm-up are whole numbers of milestones. */
static const SpreadOptions usual = {5, 0.1, 0.3, 0, 0};

static double share_at(const Signature *s, uint32_t milestone)
{
    return s->milestones[milestone].time_s / s->milestones[s->n_milestones - 1].time_s;
}

static void plan_spreads_windows_evenly(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    assert_int_equal(plan.n_windows, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const SpreadWindow *window = &plan.windows[i];
        assert_near((share_at(s, window->begin) + share_at(s, window->end)) / 2, 0.1 + 0.2 * i, 0.02);
        assert_true(window->stop < window->begin && window->begin < window->end);
        assert_int_equal(window->reason, SPREAD_EVENLY);
    }
    assert_near(plan.cost_s / s->application_s, 0.1, 0.011);
    assert_near(plan.coverage, 1, 1e-9);
    assert_near(plan.bias, 0, 1e-3);
    assert_int_equal(plan.n_missing, 0);
}

/* Phases 1 2 2 2 1 2 2: seven occurrences. */
static uint32_t by_sevens(uint64_t occurrence)
{
    return occurrence % 7 == 0 || occurrence % 7 == 4 ? 1 : 2;
}

static void plan_takes_whole_periods(void **state)
{
    static const Loop body[] = {{1, 1, 0, NULL}, {3, 2, 0, NULL}, {1, 1, 0, NULL}, {2, 2, 0, NULL}};
    static const Loop parts[] = {{142, 0, 4, body}, {1, 1, 0, NULL}, {3, 2, 0, NULL}, {1, 1, 0, NULL}, {1, 2, 0, NULL}};
    Signature *s = make_signature(*state, by_sevens, steady);
    s->sequence = (Loop){1, 0, 5, parts};
    SpreadPlan plan = spread_plan(s, &(SpreadOptions){5, 0.2, 0.4, 0, 0}, *state);
    assert_true(plan.whole_periods);
    for (uint32_t i = 0; i < plan.n_windows; i++) {
        const SpreadWindow *window = &plan.windows[i];
        uint64_t length = s->milestones[window->end].occurrence - s->milestones[window->begin].occurrence;
        assert_int_equal(length % 7, 0);
        assert_true(s->milestones[window->begin].occurrence - s->milestones[window->stop].occurrence >= 7);
    }
}

/* Phase 2 comes only at the end of each 99 × 1. */
static uint32_t by_hundreds(uint64_t occurrence)
{
    return occurrence % 100 == 99 ? 2 : 1;
}

static double even(uint64_t occurrence)
{
    (void)occurrence;
    return 0.001;
}

static void an_inner_loop_stands_for_long_periods(void **state)
{
    static const Loop body[] = {{99, 1, 0, NULL}, {1, 2, 0, NULL}};
    Signature *s = make_signature(*state, by_hundreds, even);
    s->sequence = (Loop){10, 0, 2, body};
    SequencePeriod period = signature_short_period_at(s, 450, 0.2);
    assert_int_equal(period.occurrences, 100);
    period = signature_short_period_at(s, 450, 0.05);
    assert_int_equal(period.occurrences, 1);
    assert_int_equal(period.first_occurrence, 400);
    assert_int_equal(period.times, 99);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    assert_true(plan.n_windows >= 5);
    assert_true(plan.cost_s < 0.15 * s->application_s);
}

static void settling_makes_warm_up_longer_but_no_window_impossible(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    SpreadPlan quick = spread_plan(s, &(SpreadOptions){5, 0.1, 0.3, 0, 0}, *state);
    SpreadPlan settled = spread_plan(s, &(SpreadOptions){5, 0.1, 0.3, 0.025, 0}, *state);
    SpreadPlan endless = spread_plan(s, &(SpreadOptions){5, 0.1, 0.3, 3600, 0}, *state);
    assert_true(settled.cost_s - settled.window_s > quick.cost_s - quick.window_s);
    assert_int_equal(endless.n_windows, 5);
    assert_true(endless.cost_s < 0.3 * s->application_s);
}

static double interrupted(uint64_t occurrence)
{
    return occurrence == 397 ? 3 : steady(occurrence);
}

static void one_long_interruption_does_not_move_windows(void **state)
{
    SpreadPlan quiet = spread_plan(make_signature(*state, alternating, steady), &usual, *state);
    SpreadPlan plan = spread_plan(make_signature(*state, alternating, interrupted), &usual, *state);
    assert_int_equal(plan.n_windows, quiet.n_windows);
    for (uint32_t i = 0; i < plan.n_windows; i++)
        assert_int_equal(plan.windows[i].begin, quiet.windows[i].begin);
}

static uint32_t third_phase_once(uint64_t occurrence)
{
    return occurrence == 777 ? 3 : alternating(occurrence);
}
static double third_is_long(uint64_t occurrence)
{
    return occurrence == 777 ? 0.05 : steady(occurrence);
}

static void plan_adds_a_window_for_a_phase_that_comes_once(void **state)
{
    Signature *s = make_signature(*state, third_phase_once, third_is_long);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    assert_int_equal(plan.n_windows, 6);
    assert_near(plan.coverage, 1, 1e-9);
    uint32_t found = 0;
    for (uint32_t i = 0; i < plan.n_windows; i++)
        if (plan.windows[i].reason == SPREAD_PHASE) {
            assert_true(s->milestones[plan.windows[i].begin].occurrence <= 777);
            assert_true(s->milestones[plan.windows[i].end].occurrence > 777);
            found++;
        }
    assert_int_equal(found, 1);
    for (uint32_t i = 1; i < plan.n_windows; i++)
        assert_true(plan.windows[i].stop >= plan.windows[i - 1].end);
}

static uint32_t third_phase_last(uint64_t occurrence)
{
    return occurrence == OCCURRENCES - 1 ? 3 : alternating(occurrence);
}
static double last_is_long(uint64_t occurrence)
{
    return occurrence == OCCURRENCES - 1 ? 0.2 : steady(occurrence);
}

static void what_the_program_does_last_is_said_to_be_missing(void **state)
{
    Signature *s = make_signature(*state, third_phase_last, last_is_long);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    assert_int_equal(plan.n_missing, 1);
    assert_int_equal(plan.missing[0].phase_index, 2);
    assert_int_equal(plan.missing[0].reason, SPREAD_MISSING_LAST);
    assert_true(plan.coverage < 0.95);
}

static double third_takes_half(uint64_t occurrence)
{
    return occurrence == 777 ? 2 : steady(occurrence);
}

static void a_phase_beyond_the_limit_is_missing_with_its_cost(void **state)
{
    Signature *s = make_signature(*state, third_phase_once, third_takes_half);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    assert_int_equal(plan.n_missing, 1);
    assert_int_equal(plan.missing[0].reason, SPREAD_MISSING_COST);
    assert_true(plan.missing[0].cost_s >= 2);
    plan = spread_plan(s, &(SpreadOptions){5, 0.1, 0.8, 0, 0}, *state);
    assert_int_equal(plan.n_missing, 0);
}

/* Phase 1 has a stratum of five consecutive occurrences. */
static double with_rebuild(uint64_t occurrence)
{
    return occurrence >= 640 && occurrence < 650 && occurrence % 2 == 0 ? 0.03 : steady(occurrence);
}

static Signature *make_signature_with_rebuild(Arena *arena)
{
    static const StratumRange range = {320, 5, 1};
    static Stratum strata[2];
    strata[0] = (Stratum){495, 0.495, 0, 0, NULL, 0, NULL};
    strata[1] = (Stratum){5, 0.15, 0, 1, &range, 0, NULL};
    Signature *s = make_signature(arena, alternating, with_rebuild);
    set_strata(s, strata, 2, arena);
    return s;
}

static void plan_adds_a_window_for_a_stratum(void **state)
{
    SpreadPlan plan = spread_plan(make_signature_with_rebuild(*state), &usual, *state);
    assert_near(plan.unseen, 0, 1e-9);
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan.n_windows; i++)
        n += plan.windows[i].reason == SPREAD_STRATUM;
    assert_int_equal(n, 1);
}

/* A run restored at `gap`. There, the clock jumps; occurrences up to `slow_until` are three times
 * as slow. */
static struct {
    DurationAt *duration_at;
    uint64_t gap, slow_until;
    double factor;
} restored;

static double as_restored(uint64_t occurrence)
{
    double slow = occurrence >= restored.gap && occurrence < restored.slow_until ? 3 : 1;
    double duration_s = restored.duration_at(occurrence) * restored.factor * slow;
    return occurrence + 1 == restored.gap ? duration_s + 1000 : duration_s;
}

static PhaseTimes *execute(Arena *arena, const Signature *s, const SpreadPlan *plan, uint32_t window, PhaseAt *phase_at,
                           DurationAt *duration_at, double factor, uint64_t slow)
{
    const SpreadWindow *own = &plan->windows[window];
    restored.duration_at = duration_at;
    restored.factor = factor;
    restored.gap = s->milestones[own->stop].occurrence;
    restored.slow_until = s->milestones[own->stop].occurrence + slow;
    ExecutedRun run = make_run(arena, s->milestones[own->end].occurrence + 3, phase_at, as_restored);
    PhaseTimes *times = arena_new_array(arena, PhaseTimes, 1);
    Err err = {0};
    times->application = s->application;
    assert_true(state_evaluate_run(s, own, window, &run, arena, times, &err));
    return times;
}

static void a_state_tells_its_window_alone(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    PhaseTimes *times = execute(*state, s, &plan, 3, alternating, steady, 2, 0);
    assert_int_equal(times->n_phases, 2);
    assert_near(times->phases[0].slowest_mean_s, 0.002, 1e-6);
    assert_near(times->phases[1].slowest_mean_s, 0.006, 1e-6);
    assert_near(times->phases[1].reference_s, 0.003, 1e-9);
    assert_near(times->agreement, 1, 1e-9);
    assert_int_equal(times->windows[0].from_occurrence, s->milestones[plan.windows[3].begin].occurrence);
    assert_int_equal(times->windows[times->n_windows - 1].to_occurrence, s->milestones[plan.windows[3].end].occurrence);
    for (uint32_t i = 0; i < times->n_windows; i++) {
        assert_near(times->windows[i].elapsed_s / times->windows[i].reference_s, 2, 1e-4);
        assert_int_equal(times->windows[i].state, 3);
    }
    assert_true(times->warmup_occurrences > 0);
}

static void parts_that_still_warm_up_do_not_count(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    SpreadPlan plan = spread_plan(s, &(SpreadOptions){3, 0.3, 0.4, 0, 0}, *state);
    uint64_t warmup = s->milestones[plan.windows[1].begin].occurrence - s->milestones[plan.windows[1].stop].occurrence;
    PhaseTimes *times = execute(*state, s, &plan, 1, alternating, steady, 1, warmup + 4);
    assert_true(times->warmup_occurrences >= warmup + 4);
    assert_near(times->phases[0].slowest_mean_s, 0.001, 1e-6);
}

static void a_state_that_ends_early_is_refused(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    ExecutedRun run = make_run(*state, s->milestones[plan.windows[2].begin].occurrence, alternating, steady);
    PhaseTimes times = {0};
    Err err = {0};
    assert_false(state_evaluate_run(s, &plan.windows[2], 2, &run, *state, &times, &err));
    assert_error(err, ERR_INPUT, "before its window");
}

/* The result of execute() for a run whose history wasn't kept. */
static void strata_are_told_without_the_history(void **state)
{
    Signature *s = make_signature_with_rebuild(*state);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    for (uint32_t i = 0; i < plan.n_windows; i++) {
        const SpreadWindow *window = &plan.windows[i];
        uint64_t stop = s->milestones[window->stop].occurrence;
        ExecutedRun run = make_run(*state, s->milestones[window->end].occurrence + 3, alternating, with_rebuild);
        PhaseTimes whole = {0}, cut = {0};
        Err err = {0};
        assert_true(state_evaluate_run(s, window, i, &run, *state, &whole, &err));
        const uint64_t dropped[PHASES] = {(stop + 1) / 2, stop / 2, 0};
        run.starts += stop * PROCESSES;
        run.n_starts -= stop * PROCESSES;
        run.n_dropped = dropped;
        assert_true(state_evaluate_run(s, window, i, &run, *state, &cut, &err));
        assert_int_equal(cut.phases[0].n_strata, 2);
        assert_int_equal(cut.phases[0].strata[1].occurrences, whole.phases[0].strata[1].occurrences);
        assert_near(cut.windows[0].elapsed_s, whole.windows[0].elapsed_s, 1e-12);
        assert_near(cut.agreement, whole.agreement, 1e-12);
    }
}

/* Plans, executes every state, merges the results, and predicts. */
static Prediction predict_from_states(Arena *arena, const Signature *s, const SpreadOptions *options, PhaseAt *phase_at,
                                      DurationAt *duration_at, double factor, PhaseTimes **merged)
{
    SpreadPlan plan = spread_plan(s, options, arena);
    const PhaseTimes **parts = arena_new_array(arena, const PhaseTimes *, plan.n_windows);
    for (uint32_t i = 0; i < plan.n_windows; i++) {
        PhaseTimes *part = execute(arena, s, &plan, i, phase_at, duration_at, factor, 1);
        part->costs.restart_s = 0.5;
        part->costs.warmup_s = 0.25;
        parts[i] = part;
    }
    *merged = states_merge(s, parts, plan.n_windows, arena);
    Prediction prediction;
    Err err = {0};
    assert_true(predict_run_time(s, *merged, "process", arena, &prediction, &err));
    return prediction;
}

static void merged_states_predict_a_steady_run(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    PhaseTimes *times;
    Prediction p = predict_from_states(*state, s, &usual, alternating, steady, 1.5, &times);
    assert_near(p.predicted_s, 3, 1e-3);
    assert_near(p.interval_s[1] - p.interval_s[0], 0, 1e-3);
    assert_string_equal(times->mode, "checkpoint");
    assert_int_equal(times->prefix_occurrences, 0);
    assert_near(times->costs.restart_s, 2.5, 1e-12);
    assert_near(times->costs.warmup_s, 1.25, 1e-12);
    double window_s = 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        window_s += times->windows[i].elapsed_s;
        assert_true(!i || times->windows[i].state >= times->windows[i - 1].state);
    }
    assert_near(times->costs.window_s, window_s, 1e-12);
    assert_near(times->signature_s, 3.75 + window_s, 1e-12);
    assert_near(times->agreement, 1, 1e-9);
}

/* The second half computes three times as long. */
static double second_half_is_slower(uint64_t occurrence)
{
    return steady(occurrence) * (occurrence < OCCURRENCES / 2 ? 1 : 3);
}

static void a_second_half_of_other_durations_is_predicted(void **state)
{
    Signature *s = make_signature(*state, alternating, second_half_is_slower);
    PhaseTimes *times;
    for (uint32_t windows = 3; windows <= 8; windows++) {
        const SpreadOptions options = {windows, 0.1, 0.3, 0, 0};
        Prediction p = predict_from_states(*state, s, &options, alternating, second_half_is_slower, 2, &times);
        assert_near(p.predicted_s / 8, 1, 0.015);
        assert_true(p.interval_s[0] < 8 && p.interval_s[1] > 8);
    }
}

/* The second half is another program, with two phases that the first half lacks. One of them is
 * rare. */
static uint32_t other_second_half(uint64_t occurrence)
{
    return occurrence < OCCURRENCES / 2 ? 1 + (occurrence % 50 == 49) : occurrence % 2 ? 2 : 3;
}
static double by_phase(uint64_t occurrence)
{
    return 0.001 * other_second_half(occurrence);
}

static void a_second_half_of_other_phases_is_predicted(void **state)
{
    Signature *s = make_signature(*state, other_second_half, by_phase);
    PhaseTimes *times;
    Prediction p = predict_from_states(*state, s, &usual, other_second_half, by_phase, 3, &times);
    assert_near(p.predicted_s / (3 * s->application_s), 1, 1e-3);
    assert_near(p.measured_coverage, 1, 1e-9);
}

static void a_phase_that_comes_once_is_predicted(void **state)
{
    Signature *s = make_signature(*state, third_phase_once, third_is_long);
    PhaseTimes *times;
    Prediction p = predict_from_states(*state, s, &usual, third_phase_once, third_is_long, 1.2, &times);
    assert_near(p.predicted_s / (1.2 * s->application_s), 1, 1e-3);
    assert_near(p.measured_coverage, 1, 1e-9);
}

static void strata_are_predicted(void **state)
{
    Signature *s = make_signature_with_rebuild(*state);
    PhaseTimes *times;
    Prediction p = predict_from_states(*state, s, &usual, alternating, with_rebuild, 1.2, &times);
    assert_near(p.predicted_s / (1.2 * s->application_s), 1, 2e-3);
    assert_near(p.correction_s, 0, 2e-3);
    assert_int_equal(times->phases[0].n_strata, 2);
    assert_true(times->phases[0].strata[1].occurrences > 0);
}

static void a_state_that_was_repeated_weighs_as_measured(void **state)
{
    Signature *s = make_signature(*state, alternating, second_half_is_slower);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    const PhaseTimes *parts[10];
    for (uint32_t i = 0; i < 10; i++)
        parts[i] = execute(*state, s, &plan, i % 5, alternating, second_half_is_slower, 2, 0);
    Prediction once, twice;
    Err err = {0};
    assert_true(predict_run_time(s, states_merge(s, parts, 5, *state), "process", *state, &once, &err));
    assert_true(predict_run_time(s, states_merge(s, parts, 10, *state), "process", *state, &twice, &err));
    assert_near(twice.predicted_s, once.predicted_s, 1e-6);
    assert_near(twice.interval_s[1], once.interval_s[1], 1e-6);
}

static void the_interval_holds_what_states_differ_by(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    SpreadPlan plan = spread_plan(s, &usual, *state);
    static const double pace[] = {1, 1.1, 0.9, 1.05, 0.95};
    const PhaseTimes *parts[5];
    for (uint32_t i = 0; i < 5; i++)
        parts[i] = execute(*state, s, &plan, i, alternating, steady, pace[i], 0);
    Prediction p;
    Err err = {0};
    assert_true(predict_run_time(s, states_merge(s, parts, 5, *state), "process", *state, &p, &err));
    /* Student's t for 4 degrees of freedom, and a standard deviation of 0.079. */
    assert_near(p.predicted_s, 2, 0.01);
    assert_near((p.interval_s[1] - p.predicted_s) / p.predicted_s, 2.776 * 0.079 / sqrt(5), 0.003);
}

/* Sequences of two phases: mostly phase 1, and mostly phase 2. */
static uint32_t only_first(uint64_t occurrence)
{
    return occurrence % 8 == 7 ? 2 : 1;
}
static uint32_t mostly_second(uint64_t occurrence)
{
    return occurrence % 4 == 3 ? 1 : 2;
}
static double constant(uint64_t occurrence)
{
    (void)occurrence;
    return 0.002;
}

static void where_the_order_varies_states_tell_the_pace(void **state)
{
    Signature *s = make_signature(*state, only_first, constant);
    PhaseTimes *times;
    Prediction p = predict_from_states(*state, s, &usual, mostly_second, constant, 2, &times);
    assert_int_equal(times->n_phases, 0);
    assert_near(p.predicted_s / (2 * s->application_s), 1, 0.05);
}

static void a_run_has_passed_a_milestone_when_all_its_processes_have(void **state)
{
    Signature *s = make_signature(*state, alternating, steady);
    const uint64_t at = s->milestones[50].send_events[0], from = s->milestones[40].send_events[0];
    assert_near(milestone_advance(s, 40, 50, (uint64_t[]){at + 1, at + 1}, 2), 1, 1e-12);
    assert_true(milestone_advance(s, 40, 50, (uint64_t[]){at + 1, at}, 2) < 1);
    assert_near(milestone_advance(s, 40, 50, (uint64_t[]){at + 1, from}, 2), 0, 1e-12);
    assert_true(milestone_advance(s, 40, 50, (uint64_t[]){at + 1}, 1) < 1);
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

/* Every few occurrences, the machine is slower or faster by up to 20 %: the longer the windows, the less that tells. */
static double with_noise(uint64_t occurrence)
{
    uint64_t stretch = occurrence / 4 * 2654435761u % 1024;
    return steady(occurrence) * (0.8 + 0.4 * (double)stretch / 1024);
}

static void windows_grow_beyond_the_budget_until_the_target_is_reached(void **state)
{
    Signature *s = make_signature(*state, alternating, with_noise);
    SpreadPlan usual_plan = spread_plan(s, &(SpreadOptions){5, 0.04, 0.5, 0, 0}, *state),
               rough = spread_plan(s, &(SpreadOptions){5, 0.04, 0.5, 0, 0.5}, *state),
               fine = spread_plan(s, &(SpreadOptions){5, 0.04, 0.5, 0, 0.04}, *state),
               limited = spread_plan(s, &(SpreadOptions){5, 0.04, 0.06, 0, 0.04}, *state);
    assert_false(usual_plan.is_narrowed || rough.is_narrowed);
    assert_near(rough.cost_s, usual_plan.cost_s, 1e-9);
    assert_true(fine.is_narrowed);
    assert_true(fine.cost_s > 1.2 * usual_plan.cost_s && fine.cost_s <= 0.5 * s->application_s);
    assert_true(limited.cost_s < fine.cost_s);
    s->application.mpi_library =
        "Open MPI"; /* however long the windows are, the next run of a real machine differs by drift */
    assert_true(spread_plan(s, &(SpreadOptions){5, 0.04, 0.5, 0, 0.04}, *state).cost_s < fine.cost_s);
}

int main(void)
{
#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, new_arena, free_arena)
    const struct CMUnitTest tests[] = {
        WITH_ARENA(plan_spreads_windows_evenly),
        WITH_ARENA(windows_grow_beyond_the_budget_until_the_target_is_reached),
        WITH_ARENA(plan_takes_whole_periods),
        WITH_ARENA(an_inner_loop_stands_for_long_periods),
        WITH_ARENA(settling_makes_warm_up_longer_but_no_window_impossible),
        WITH_ARENA(one_long_interruption_does_not_move_windows),
        WITH_ARENA(plan_adds_a_window_for_a_phase_that_comes_once),
        WITH_ARENA(what_the_program_does_last_is_said_to_be_missing),
        WITH_ARENA(a_phase_beyond_the_limit_is_missing_with_its_cost),
        WITH_ARENA(plan_adds_a_window_for_a_stratum),
        WITH_ARENA(a_state_tells_its_window_alone),
        WITH_ARENA(parts_that_still_warm_up_do_not_count),
        WITH_ARENA(a_state_that_ends_early_is_refused),
        WITH_ARENA(strata_are_told_without_the_history),
        WITH_ARENA(merged_states_predict_a_steady_run),
        WITH_ARENA(a_second_half_of_other_durations_is_predicted),
        WITH_ARENA(a_second_half_of_other_phases_is_predicted),
        WITH_ARENA(a_phase_that_comes_once_is_predicted),
        WITH_ARENA(strata_are_predicted),
        WITH_ARENA(a_state_that_was_repeated_weighs_as_measured),
        WITH_ARENA(the_interval_holds_what_states_differ_by),
        WITH_ARENA(where_the_order_varies_states_tell_the_pace),
        WITH_ARENA(a_run_has_passed_a_milestone_when_all_its_processes_have),
    };
    return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
