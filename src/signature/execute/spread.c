/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans which windows of a run to execute from saved states (spread.h).
 *
 *    traced run   |──── stop·[begin end]──── stop·[begin end]──── stop·[begin end]──── … ────|
 *    clock        0          10 %                 30 %                 50 %               100 %
 *
 * First come windows of equal length, at the middles of equal parts of the run. They are whole
 * periods if possible. Then come windows for relevant phases and for strata that no window holds
 * yet, at the middle of their occurrences.
 *
 * The clock isn't the traced time. It adds up the occurrences so far, each with the mean duration
 * of its phase or stratum. In traced time, windows would lie where that run was interrupted for
 * long. If the shortest windows were chosen, they would lie where that run had luck. And with this
 * clock, windows sample cheap and expensive occurrences of a phase alike, as the mean of their
 * durations requires. */
#include "signature/execute/spread.h"

#include "base/vec.h"
#include "signature/execute/milestones.h"
#include "signature/noise/drift.h"
#include "signature/noise/noise.h"
#include <assert.h>
#include <math.h>

/* Share of a window's cost that is warm-up. */
static const double WARMUP_SHARE = 0.25;
/* Settling takes at most this share of the limit of all windows together. A short run has no time
 * for more. */
static const double SETTLING_SHARE = 0.25;
/* A window costs at least so many times what settling costs: of two windows, one much shorter than its
 * warm-up is hardly cheaper, and tells much less. */
static const double WINDOW_LEAST = 2;
/* Windows of whole periods may cost PERIODS_STRETCH times the budget, and be fewer by
 * PERIODS_LEAST. */
static const double PERIODS_STRETCH = 2.5, PERIODS_LEAST = 0.5;
/* A window may be longer than wanted by this factor, to hold whole periods. */
static const double WINDOW_STRETCH = 2;
/* Windows end at milestones. A length that is shorter by this share is accepted. */
static const double LENGTH_TOLERANCE = 0.1;
/* By how much the budget grows at a time, for the target. */
static const double NARROWING_STEP = 1.25;

typedef struct Planner {
    const Signature *signature;
    const Milestone *milestones;
    const double *clock_s;                      /* [n_milestones] */
    double total_s, budget_s, limit_s, share_s; /* share_s: of one window, warm-up included */
    double settling_s;
    uint32_t last; /* the last milestone */
    uint32_t n;
    SpreadWindow windows[SPREAD_LIMIT]; /* ordered by begin; they don't overlap */
} Planner;

static double span_s(const Planner *planner, uint32_t from, uint32_t to)
{
    return planner->clock_s[to] - planner->clock_s[from];
}

/* The last milestone at or before the time. */
static uint32_t milestone_at(const Planner *planner, double clock_s)
{
    uint32_t at = 1;
    vec_bisect(at, planner->last + 1, planner->clock_s[at] <= clock_s);
    return at - 1;
}

/* Linear between milestones. */
static double clock_at(const Planner *planner, uint64_t occurrence)
{
    uint32_t end = 1;
    vec_bisect(end, planner->last, planner->milestones[end].occurrence <= occurrence);
    const Milestone *a = &planner->milestones[end - 1], *b = a + 1;
    double part = b->occurrence > a->occurrence
                      ? (double)(occurrence - a->occurrence) / (double)(b->occurrence - a->occurrence)
                      : 0;
    return planner->clock_s[end - 1] + fmin(1, part) * span_s(planner, end - 1, end);
}

/* The period of the sequence around a milestone; one that fits a window's share, if possible.
 * time_s is by the clock. */
static SequencePeriod period_at(const Planner *planner, uint32_t milestone)
{
    SequencePeriod period = signature_short_period_at(planner->signature, planner->milestones[milestone].occurrence,
                                                      planner->share_s * (1 - WARMUP_SHARE));
    if (period.occurrences)
        period.time_s = (clock_at(planner, period.first_occurrence + period.occurrences * period.times) -
                         clock_at(planner, period.first_occurrence)) /
                        (double)period.times;
    return period;
}

/* Duration of the warm-up before a window. It is a share of the window, or a period, but at most
 * half the window. And it is long enough for the restart's effects to pass. */
static double warmup_s(const Planner *planner, double length_s, double period_s)
{
    double share_s = fmax(length_s * WARMUP_SHARE / (1 - WARMUP_SHARE), fmin(period_s, length_s / 2));
    return fmax(share_s, planner->settling_s);
}

static uint32_t choose_stop(const Planner *planner, uint32_t begin, uint32_t end)
{
    double before_s = warmup_s(planner, span_s(planner, begin, end), period_at(planner, begin).time_s);
    uint32_t stop = milestone_at(planner, planner->clock_s[begin] - before_s * (1 - LENGTH_TOLERANCE));
    return stop < begin || !begin ? stop : begin - 1;
}

static double cost_s(const Planner *planner)
{
    double sum = 0;
    for (uint32_t i = 0; i < planner->n; i++)
        sum += span_s(planner, planner->windows[i].stop, planner->windows[i].end);
    return sum;
}

static void make_window(const Planner *planner, uint32_t begin, uint32_t end, SpreadReason reason, SpreadWindow *window)
{
    *window = (SpreadWindow){choose_stop(planner, begin, end), begin, end, reason};
}

/* Joins windows whose warm-up would reach into the window before. */
static void join_neighbours(Planner *planner)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < planner->n; i++) {
        SpreadWindow *window = &planner->windows[i];
        while (kept && window->stop < planner->windows[kept - 1].end) {
            const SpreadWindow *before = &planner->windows[--kept];
            uint32_t end = before->end > window->end ? before->end : window->end;
            make_window(planner, before->begin < window->begin ? before->begin : window->begin, end, before->reason,
                        window);
        }
        planner->windows[kept++] = *window;
    }
    planner->n = kept;
}

static void insert_window(Planner *planner, SpreadWindow window)
{
    assert(planner->n < SPREAD_LIMIT && window.stop <= window.begin && window.begin < window.end);
    uint32_t at = planner->n++;
    for (; at && planner->windows[at - 1].begin > window.begin; at--)
        planner->windows[at] = planner->windows[at - 1];
    planner->windows[at] = window;
    join_neighbours(planner);
}

/* Adds a window unless it exceeds the limit. *added_s: what it would cost. */
static bool try_window(Planner *planner, SpreadWindow window, double limit_s, double *added_s)
{
    const Planner before = *planner;
    if (planner->n == SPREAD_LIMIT)
        return false;
    insert_window(planner, window);
    *added_s = cost_s(planner) - cost_s(&before);
    if (cost_s(&before) + *added_s <= limit_s)
        return true;
    *planner = before;
    return false;
}

typedef struct Candidate {
    uint32_t begin, end; /* end == begin: none was found */
    bool whole;
    double badness;
} Candidate;

/* The end of the shortest window from `begin` on that is long enough and, if period isn't NULL,
 * holds whole periods. Returns begin if there is none. */
static uint32_t shortest_end(const Planner *planner, const SequencePeriod *period, uint32_t begin, double length_s)
{
    for (uint32_t end = begin + 1; end <= planner->last; end++) {
        double own_s = span_s(planner, begin, end);
        if (own_s > WINDOW_STRETCH * length_s && end > begin + 1)
            break;
        if (own_s >= length_s * (1 - LENGTH_TOLERANCE) &&
            (!period || signature_is_whole_periods(planner->signature, period, begin, end)))
            return end;
    }
    return begin;
}

/* As many periods as fit a window's share with their warm-up, at least one. */
static double periods_length_s(const Planner *planner, double period_s)
{
    double n = fmax(1, floor(planner->share_s * (1 - WARMUP_SHARE) / period_s));
    while (n > 1 &&
           n * period_s + warmup_s(planner, n * period_s, period_s) > planner->share_s * (1 + LENGTH_TOLERANCE))
        n--;
    return n * period_s;
}

/* The best window: near the centre, and no longer than necessary. */
static Candidate choose_window(const Planner *planner, const SequencePeriod *period, double centre_s, double reach_s)
{
    double length_s = period ? periods_length_s(planner, period->time_s) : planner->share_s * (1 - WARMUP_SHARE);
    Candidate best = {.badness = INFINITY};
    for (uint32_t begin = milestone_at(planner, centre_s - length_s / 2 - reach_s);
         begin < planner->last && planner->clock_s[begin] <= centre_s + reach_s; begin++) {
        uint32_t end = shortest_end(planner, period, begin, length_s);
        if (end == begin)
            continue;
        double own_s = span_s(planner, begin, end), middle_s = planner->clock_s[begin] + own_s / 2;
        double badness = own_s / length_s + fabs(middle_s - centre_s) / reach_s;
        if (badness < best.badness)
            best = (Candidate){begin, end, period != NULL, badness};
    }
    return best;
}

/* Puts windows in the middles of n parts of the run, as far as the limit allows. True: these are n
 * windows of whole periods. */
static bool spread_evenly(Planner *planner, uint32_t n, bool in_periods)
{
    bool whole = in_periods;
    planner->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        double centre_s = (i + 0.5) / n * planner->total_s, reach_s = planner->total_s / (4.0 * n);
        uint32_t at = milestone_at(planner, centre_s);
        SequencePeriod period = period_at(planner, at);
        Candidate found = {.badness = INFINITY};
        if (in_periods && period.time_s > 0)
            found = choose_window(planner, &period, centre_s, reach_s);
        if (found.end == found.begin)
            found = choose_window(planner, NULL, centre_s, reach_s);
        if (found.end == found.begin) { /* the distance between two milestones is more than a
                                           window */
            found.begin = at < planner->last ? at : at - 1;
            found.end = found.begin + 1;
        }
        SpreadWindow window;
        double added_s;
        make_window(planner, found.begin, found.end, SPREAD_EVENLY, &window);
        whole &= try_window(planner, window, planner->limit_s, &added_s) && found.whole;
    }
    return whole;
}

/* Chooses as many windows of whole periods as the stretched budget allows. If these are too few,
 * chooses windows of any length. */
static bool choose_even_windows(Planner *planner, uint32_t n_wanted)
{
    for (uint32_t n = n_wanted; n >= PERIODS_LEAST * n_wanted; n--) {
        bool whole = spread_evenly(planner, n, true);
        if (cost_s(planner) <= PERIODS_STRETCH * planner->budget_s)
            return whole;
    }
    return spread_evenly(planner, n_wanted, false);
}

static double held_of_phase(const Planner *planner, uint32_t phase)
{
    double sum = 0;
    for (uint32_t i = 0; i < planner->n; i++)
        sum += planner->milestones[planner->windows[i].end].phase_weight[phase] -
               planner->milestones[planner->windows[i].begin].phase_weight[phase];
    return sum;
}

/* The narrowest window between milestones that holds occurrence number `ordinal` of the phase. */
static SpreadWindow window_around(const Planner *planner, uint32_t phase, uint64_t ordinal, SpreadReason reason)
{
    uint32_t end = 1;
    vec_bisect(end, planner->last, planner->milestones[end].phase_weight[phase] <= (double)ordinal);
    SpreadWindow window;
    make_window(planner, end - 1, end, reason, &window);
    return window;
}

/* Adds windows at the middles of equal parts of the phase's occurrences, until enough are held.
 * Only the first one may cost more than a usual window. Returns the highest cost of a window that
 * wasn't added. */
static double add_phase(Planner *planner, uint32_t index)
{
    const Phase *phase = &planner->signature->phases[index];
    double needed = occurrences_needed(phase), costliest_s = 0, missing = needed - held_of_phase(planner, index);
    for (double i = 0; i < missing && held_of_phase(planner, index) < needed; i++) {
        uint64_t ordinal = (uint64_t)((i + 0.5) / missing * (double)phase->weight);
        SpreadWindow window = window_around(planner, index, ordinal, SPREAD_PHASE);
        double added_s = 0, spent_s = cost_s(planner);
        double limit_s =
            held_of_phase(planner, index) > 0 ? fmin(planner->limit_s, spent_s + planner->share_s) : planner->limit_s;
        if (!try_window(planner, window, limit_s, &added_s))
            costliest_s = fmax(costliest_s, added_s);
    }
    return costliest_s;
}

/* Whether the phase occurs only as the run's last occurrence, whose end no milestone marks. */
static bool has_no_end(const Planner *planner, const Phase *phase)
{
    return phase->weight == 1 && phase->first_occurrence + 1 == planner->signature->n_occurrences;
}

static SpreadMissingReason missing_reason(const Planner *planner, const Phase *phase)
{
    if (has_no_end(planner, phase))
        return SPREAD_MISSING_LAST;
    return planner->n == SPREAD_LIMIT ? SPREAD_MISSING_COUNT : SPREAD_MISSING_COST;
}

static void add_phases(Planner *planner, Arena *arena, SpreadPlan *plan)
{
    const Signature *signature = planner->signature;
    SpreadMissing *missing = arena_new_array(arena, SpreadMissing, signature->n_phases);
    plan->missing = missing;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (!phase->relevant)
            continue;
        double costliest_s = has_no_end(planner, phase) ? 0 : add_phase(planner, i);
        if (held_of_phase(planner, i) > 0 && !has_no_end(planner, phase))
            plan->coverage += phase->share;
        else
            missing[plan->n_missing++] = (SpreadMissing){i, missing_reason(planner, phase), costliest_s};
    }
}

static uint64_t held_of_stratum(const Planner *planner, uint32_t phase, uint32_t stratum)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < planner->n; i++)
        sum += milestone_stratum(planner->signature, planner->windows[i].end, phase, stratum) -
               milestone_stratum(planner->signature, planner->windows[i].begin, phase, stratum);
    return sum;
}

/* The ordinal before which half of the stratum's occurrences come. */
static uint64_t middle_of_stratum(const Phase *phase, uint32_t stratum)
{
    uint64_t at = 0, half = phase->strata[stratum].count / 2;
    vec_bisect(at, phase->weight, strata_count(phase->strata, phase->n_strata, stratum, at + 1) <= half);
    return at;
}

/* Adds windows for strata that no window holds, for at most the budget again. */
static void add_strata(Planner *planner, SpreadPlan *plan)
{
    const Signature *signature = planner->signature;
    const double limit_s = fmin(planner->limit_s, cost_s(planner) + planner->budget_s);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_strata; k++) {
            const Phase *phase = &signature->phases[i];
            double share = phase->strata[k].total_s / signature->application_s, added_s;
            if (held_of_stratum(planner, i, k) || !phase->strata[k].count)
                continue;
            SpreadWindow window = window_around(planner, i, middle_of_stratum(phase, k), SPREAD_STRATUM);
            if (share < UNSEEN_WANTED || !try_window(planner, window, limit_s, &added_s))
                plan->unseen += share;
        }
}

/* How much longer the traced run took than the mean durations in its windows predict, as a
 * share. */
static double bias(const Planner *planner)
{
    double predicted_s = 0, actual_s = 0;
    for (uint32_t i = 0; i < planner->signature->n_phases; i++) {
        double measured = 0, time_s = 0;
        for (uint32_t w = 0; w < planner->n; w++) {
            const SpreadWindow *window = &planner->windows[w];
            measured += milestone_effort(planner->signature, window->end, i) -
                        milestone_effort(planner->signature, window->begin, i);
            time_s +=
                planner->milestones[window->end].phase_time_s[i] - planner->milestones[window->begin].phase_time_s[i];
        }
        if (measured <= 0)
            continue;
        predicted_s += time_s / measured * milestone_effort(planner->signature, planner->last, i);
        actual_s += planner->milestones[planner->last].phase_time_s[i];
    }
    return predicted_s > 0 ? actual_s / predicted_s - 1 : 0;
}

/* [milestone] duration of the occurrences before it, at their mean durations. */
static const double *make_clock(Planner *planner, Arena *arena)
{
    double *clock_s = arena_new_array(arena, double, planner->last + 1);
    for (uint32_t i = 0; i < planner->signature->n_phases; i++) {
        double all = milestone_effort(planner->signature, planner->last, i);
        for (uint32_t m = 0; all > 0 && m <= planner->last; m++)
            clock_s[m] +=
                milestone_effort(planner->signature, m, i) / all * planner->milestones[planner->last].phase_time_s[i];
    }
    return clock_s;
}

static SpreadPlan plan_within(const Signature *signature, const SpreadOptions *options, double budget, Arena *arena)
{
    uint32_t n = options->windows < SPREAD_LIMIT / 2 ? options->windows : SPREAD_LIMIT / 2;
    SpreadPlan plan = {.n_wanted = n};
    Planner planner = {
        .signature = signature, .milestones = signature->milestones, .last = signature->n_milestones - 1};
    planner.clock_s = make_clock(&planner, arena);
    planner.total_s = planner.clock_s[planner.last];
    planner.limit_s = fmax(options->limit, budget) * planner.total_s;
    planner.settling_s = fmin(options->settling_s, SETTLING_SHARE * planner.limit_s / fmax(1, n));
    planner.share_s = fmax(budget * planner.total_s / fmax(1, n), WINDOW_LEAST * planner.settling_s);
    planner.budget_s = planner.share_s * fmax(1, n);
    plan.whole_periods = choose_even_windows(&planner, n);
    add_phases(&planner, arena, &plan);
    add_strata(&planner, &plan);
    plan.windows = arena_copy_array(arena, planner.windows, planner.n, sizeof *planner.windows);
    plan.n_windows = planner.n;
    plan.cost_s = cost_s(&planner);
    for (uint32_t i = 0; i < planner.n; i++)
        plan.window_s += span_s(&planner, planner.windows[i].begin, planner.windows[i].end);
    plan.bias = bias(&planner);
    return plan;
}

/* Whether the windows tell enough for the target. Whatever they tell, another run differs by noise and
 * drift. Where the windows add less than that again, longer ones aren't worth their cost. */
static bool is_narrow_enough(const Signature *signature, const SpreadPlan *plan, double target)
{
    double total_s = signature->milestones[signature->n_milestones - 1].time_s, n = fmax(1, plan->n_windows),
           window_s = plan->window_s / n;
    const Noise noise = noise_of_runs(signature, 0, window_s);
    const Drift drift = drift_of_machine(signature);
    double of_windows = noise_within(&noise, window_s, total_s / n) / n;
    const Deviation between_runs = deviation_sum(deviation_of(noise_between_runs(&noise, total_s)), drift);
    return of_windows <= between_runs.variance ||
           deviation_half_width(deviation_sum(between_runs, deviation_of(of_windows))) <= target;
}

SpreadPlan spread_plan(const Signature *signature, const SpreadOptions *options, Arena *arena)
{
    SpreadPlan plan = plan_within(signature, options, options->budget, arena);
    for (double budget = options->budget * NARROWING_STEP;
         options->target > 0 && budget <= options->limit && !is_narrow_enough(signature, &plan, options->target);
         budget *= NARROWING_STEP) {
        SpreadPlan longer = plan_within(signature, options, budget, arena);
        if (longer.coverage < plan.coverage || longer.unseen > plan.unseen || longer.n_windows < plan.n_windows)
            continue;
        plan = longer;
        plan.is_narrowed = true;
    }
    return plan;
}
