/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a run to execute. The traced run is known from end to end, so a plan can be tried on it: what would its
 * own stretch between two milestones have predicted for the rest? */
#include "signature/measure.h"

#include <math.h>

/* Of the time in relevant phases, this share is to be measured; the last percents would cost more than they tell. */
static const double COVERAGE_GOAL = 0.95;
/* At least this part of the executed prefix is measured, not warm-up. */
static const double WINDOW_SHARE = 0.4;
/* Occurrences of a phase that make a mean, where it has as many. */
static const double ENOUGH_OCCURRENCES = 3;

/* A prefix that would have predicted its own run worse than this is made longer, if that helps, up to so many times. */
static const double BIAS_WANTED = 0.02, LONGEST_EXTENSION = 1.5;

static double traced_s(const Signature *signature)
{
    return signature->milestones[signature->n_milestones - 1].time_s;
}

/* Share of the application's time in relevant phases that occur often enough between two milestones. */
static double covered(const Signature *signature, uint32_t from, uint32_t to)
{
    const Milestone *a = &signature->milestones[from], *b = &signature->milestones[to];
    double sum = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        double needed = fmin(ENOUGH_OCCURRENCES, ceil((double)phase->weight / 10));
        if (phase->relevant && b->phase_weight[i] - a->phase_weight[i] >= needed)
            sum += phase->share;
    }
    return sum;
}

/* What the phase's time up to a milestone is proportional to. */
static double effort(const Signature *signature, uint32_t phase, const Milestone *milestone)
{
    return signature->phases[phase].n_strata ? signature_phase_effort(signature, phase, (double)milestone->occurrence)
                                             : milestone->phase_weight[phase];
}

/* What the rest of the traced run took over what the mean durations between two milestones say of it, minus 1. */
static double bias(const Signature *signature, uint32_t from, uint32_t to)
{
    const Milestone *a = &signature->milestones[from], *b = &signature->milestones[to],
                    *end = &signature->milestones[signature->n_milestones - 1];
    double predicted_s = 0, actual_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double at_stop = effort(signature, i, b), measured = at_stop - effort(signature, i, a);
        if (measured <= 0)
            continue;
        double mean_s = (b->phase_time_s[i] - a->phase_time_s[i]) / measured;
        predicted_s += mean_s * (effort(signature, i, end) - at_stop);
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

/* The first milestone behind which enough was measured; the reason tells what took it beyond the budget. */
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

static PrefixPlan plan_to(const Signature *signature, uint32_t stop)
{
    uint32_t latest = latest_warmup(signature, stop);
    double coverage = covered(signature, latest, stop);
    PrefixPlan best = {.warmup = latest, .stop = stop, .bias = bias(signature, latest, stop)};
    for (uint32_t warmup = 0; warmup < latest; warmup++) {
        double candidate = bias(signature, warmup, stop);
        if (covered(signature, warmup, stop) >= coverage && fabs(candidate) < fabs(best.bias)) {
            best.warmup = warmup;
            best.bias = candidate;
        }
    }
    best.cost_s = signature->milestones[stop].time_s;
    best.coverage = covered(signature, best.warmup, stop);
    return best;
}

PrefixPlan prefix_plan(const Signature *signature, const PlanOptions *options)
{
    PlanReason reason;
    PrefixPlan best = plan_to(signature, choose_stop(signature, options, &reason));
    const double first_cost_s = best.cost_s, longest_s = LONGEST_EXTENSION * first_cost_s;
    for (uint32_t stop = best.stop + 1; stop < signature->n_milestones && fabs(best.bias) > BIAS_WANTED; stop++) {
        if (signature->milestones[stop].time_s > longest_s)
            break;
        PrefixPlan longer = plan_to(signature, stop);
        if (longer.coverage >= best.coverage && fabs(longer.bias) < fabs(best.bias))
            best = longer;
    }
    best.reason = best.cost_s > first_cost_s && reason == PLAN_BUDGET ? PLAN_BEGINNING : reason;
    return best;
}
