/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans how much of a run to execute (measure.h). The traced run is known from end to end, so each
 * plan can be tested on it: how well would its window between two milestones have predicted the
 * rest? */
#include "signature/execute/measure.h"

#include "signature/execute/milestones.h"
#include "signature/noise/drift.h"
#include "signature/noise/noise.h"
#include <math.h>

/* Share of the time in relevant phases that should be measured. The last percents would cost more
 * than they tell. */
static const double COVERAGE_GOAL = 0.95;
/* At least this share of the executed prefix is measured; the rest is warm-up. */
static const double WINDOW_SHARE = 0.4;

/* A prefix that would have predicted its own run worse than BIAS_WANTED is extended by up to this
 * factor, if that makes it better. If it is worse than the target, the traced run may have been
 * disturbed in it, and the factor is larger. */
static const double BIAS_WANTED = 0.02, LONGEST_EXTENSION = 1.5, LONGEST_BEYOND_TARGET = 3;

/* If the window holds no occurrence of some strata, the prefix may be extended by up to this
 * factor. */
static const double STRATA_EXTENSION = 2;

static double traced_s(const Signature *signature)
{
    return signature->milestones[signature->n_milestones - 1].time_s;
}

/* Share of the application's time in relevant phases that occur often enough between two
 * milestones. */
static double covered(const Signature *signature, uint32_t from, uint32_t to)
{
    const Milestone *a = &signature->milestones[from], *b = &signature->milestones[to];
    double sum = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (phase->relevant && b->phase_weight[i] - a->phase_weight[i] >= occurrences_needed(phase))
            sum += phase->share;
    }
    return sum;
}

/* How much longer the rest of the traced run took than the mean durations between two milestones
 * predict, as a share. */
static double bias(const Signature *signature, uint32_t from, uint32_t to)
{
    const uint32_t last = signature->n_milestones - 1;
    const Milestone *a = &signature->milestones[from], *b = &signature->milestones[to],
                    *end = &signature->milestones[last];
    double predicted_s = 0, actual_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double at_stop = milestone_effort(signature, to, i), measured = at_stop - milestone_effort(signature, from, i);
        if (measured <= 0)
            continue;
        double mean_s = (b->phase_time_s[i] - a->phase_time_s[i]) / measured;
        predicted_s += mean_s * (milestone_effort(signature, last, i) - at_stop);
        actual_s += end->phase_time_s[i] - b->phase_time_s[i];
    }
    return predicted_s > 0 ? actual_s / predicted_s - 1 : 0;
}

/* The latest milestone that leaves the window its share of [0, stop]. */
static uint32_t latest_warmup(const Signature *signature, uint32_t stop)
{
    uint32_t warmup = 0;
    while (warmup + 1 < stop &&
           signature->milestones[warmup + 1].time_s <= (1 - WINDOW_SHARE) * signature->milestones[stop].time_s)
        warmup++;
    return warmup;
}

/* The first milestone before which enough is measured. *reason: why that is beyond the budget. */
static uint32_t choose_stop(const Signature *signature, const PlanOptions *options, PlanReason *reason)
{
    double goal = COVERAGE_GOAL * signature->coverage, total_s = traced_s(signature), best_coverage = -1;
    uint32_t best = signature->n_milestones - 1, first = 0;
    *reason = PLAN_LIMITED;
    for (uint32_t stop = 1; stop < signature->n_milestones; stop++) {
        double time_s = signature->milestones[stop].time_s;
        if (time_s < options->budget * total_s)
            continue;
        first = first ? first : stop;
        double coverage = covered(signature, latest_warmup(signature, stop), stop);
        if (time_s > options->limit * total_s && best_coverage > 0)
            break;
        if (coverage > best_coverage) {
            best_coverage = coverage;
            best = stop;
        }
        if (coverage >= goal) {
            *reason = stop == first ? PLAN_BUDGET : PLAN_LATE;
            break;
        }
    }
    return best;
}

/* Share of the application's time in strata that occur after the window, but not in it. */
static double unseen(const Signature *signature, uint32_t from, uint32_t to)
{
    double sum = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        for (uint32_t k = 0; k < phase->n_strata; k++) {
            uint64_t done = milestone_stratum(signature, to, i, k);
            if (done == milestone_stratum(signature, from, i, k) && phase->strata[k].count > done)
                sum += phase->strata[k].total_s * (double)(phase->strata[k].count - done) /
                       (double)phase->strata[k].count / signature->application_s;
        }
    }
    return sum;
}

/* Whether the plan's warm-up is better than another's, for the same end of the window. */
static bool is_better(const PrefixPlan *plan, const PrefixPlan *other)
{
    if (plan->whole_periods != other->whole_periods)
        return plan->whole_periods;
    return fabs(plan->bias) < fabs(other->bias);
}

static PrefixPlan plan_from_to(const Signature *signature, const SequencePeriod *period, uint32_t warmup, uint32_t stop)
{
    return (PrefixPlan){.warmup = warmup,
                        .stop = stop,
                        .cost_s = signature->milestones[stop].time_s,
                        .coverage = covered(signature, warmup, stop),
                        .bias = bias(signature, warmup, stop),
                        .unseen = unseen(signature, warmup, stop),
                        .whole_periods = signature_is_whole_periods(signature, period, warmup, stop)};
}

static PrefixPlan plan_to(const Signature *signature, const SequencePeriod *period, uint32_t stop)
{
    uint32_t latest = latest_warmup(signature, stop);
    PrefixPlan best = plan_from_to(signature, period, latest, stop);
    const double coverage = best.coverage, least_unseen = best.unseen;
    for (uint32_t warmup = 0; warmup < latest; warmup++) {
        PrefixPlan candidate = plan_from_to(signature, period, warmup, stop);
        if (candidate.coverage >= coverage && candidate.unseen <= least_unseen && is_better(&candidate, &best))
            best = candidate;
    }
    return best;
}

/* Extends a plan as long as that can improve it. */
static PrefixPlan extend(const Signature *signature, const SequencePeriod *period, const PlanOptions *options,
                         PrefixPlan best)
{
    const double first_s = best.cost_s;
    for (uint32_t stop = best.stop + 1; stop < signature->n_milestones; stop++) {
        double cost_s = signature->milestones[stop].time_s;
        double longest = fabs(best.bias) > options->target ? LONGEST_BEYOND_TARGET : LONGEST_EXTENSION;
        bool is_biased = fabs(best.bias) > BIAS_WANTED && cost_s <= longest * first_s;
        bool is_incomplete = best.unseen > UNSEEN_WANTED && cost_s <= STRATA_EXTENSION * first_s;
        if (!is_biased && !is_incomplete)
            break;
        PrefixPlan longer = plan_to(signature, period, stop);
        bool shows_more = longer.unseen < best.unseen;
        if (longer.coverage >= best.coverage && longer.unseen <= best.unseen &&
            (shows_more || (is_biased && fabs(longer.bias) < fabs(best.bias))))
            best = longer;
    }
    return best;
}

/* Extends a plan until its window tells enough for the target. Whatever the window, another run
 * differs by noise and drift. Where the window adds less than that again, a longer one isn't worth
 * its cost. */
static PrefixPlan narrow(const Signature *signature, const SequencePeriod *period, const PlanOptions *options,
                         PrefixPlan plan)
{
    double total_s = traced_s(signature), window_s = plan.cost_s - signature->milestones[plan.warmup].time_s;
    Noise noise = noise_of_runs(signature, (double)signature->milestones[plan.warmup].occurrence, window_s);
    const Drift drift = drift_of_machine(signature);
    uint32_t n_runs = options->repeats ? options->repeats : 1;
    uint32_t last = plan.stop;
    for (uint32_t stop = plan.stop; stop + 1 < signature->n_milestones; stop++) {
        double cost_s = signature->milestones[stop].time_s, rest_s = total_s - cost_s;
        if (cost_s > options->limit * total_s)
            break;
        window_s = cost_s - signature->milestones[latest_warmup(signature, stop)].time_s;
        last = stop;
        /* relative to the rest */
        double of_window = noise_within(&noise, window_s, rest_s) / n_runs;
        const Deviation between_runs = deviation_sum(
            deviation_of(noise_between_runs(&noise, rest_s) * (1 + 1.0 / n_runs) / 2), drift_to_mean(&drift, n_runs));
        double half_width =
            deviation_half_width(deviation_sum(between_runs, deviation_of(of_window))) * rest_s / total_s;
        if (half_width <= options->target || of_window <= between_runs.variance)
            break;
    }
    PrefixPlan longer = last > plan.stop ? plan_to(signature, period, last) : plan;
    if (longer.coverage < plan.coverage || longer.unseen > plan.unseen)
        longer = plan;
    longer.reason = last > plan.stop && plan.reason == PLAN_BUDGET ? PLAN_TARGET : plan.reason;
    return longer;
}

PrefixPlan prefix_plan(const Signature *signature, const PlanOptions *options)
{
    PlanReason reason;
    SequencePeriod period = signature_period(signature);
    PrefixPlan first = plan_to(signature, &period, choose_stop(signature, options, &reason));
    PrefixPlan best = extend(signature, &period, options, first);
    best.reason = reason;
    if (best.cost_s > first.cost_s && reason == PLAN_BUDGET)
        best.reason = best.unseen < first.unseen ? PLAN_STRATA : PLAN_BEGINNING;
    return narrow(signature, &period, options, best);
}
