/* SPDX-License-Identifier: BSD-3-Clause */
/* What the measured stretch of a run says about the rest of the run.
 *
 * occurrence   0        a                b                                   n target run   |
 * warmup |    measured    |            not executed           | traced run   |
 * known from end to end               |
 *
 * The durations of phases in [a, b) are right for [b, n) only if the program is stationary. The
 * traced run tells whether it is. Its own durations in [a, b) predict a time for [b, n), and the
 * true time is known. The true time over the predicted time, minus 1, is the stationarity δ. The
 * prediction for the target gets a correction of λ δ times the predicted time, times the pace. The
 * correction is one sum over all phases. With a factor for each phase, an interruption that hit a
 * short phase in the traced run would be multiplied.
 *
 * δ contains the machine's noise in the traced run. The weight λ has the least expected error
 * (James and Stein):
 *
 *    λ = max(0, 1 - v/δ²)        v = (variance of [a, b) against [b, n) by noise.h) / N runs
 *
 * With further runs of the program, δ is the mean over the N runs: what recurs is the program's.
 *
 * From saved states, stretches spread over the run take the place of [a, b). No prefix was
 * executed, so all of [0, n) is predicted. Each of the S states stands for its part of the run, so
 * v is the variance of a stretch against its part, over S.
 *
 * Strata are no part of δ: their durations stand for themselves, weighted by how many occurrences
 * of each are left. If strata were measured, times are therefore compared per effort
 * (model/signature.h), not per occurrence. So a stretch that holds more or fewer of the slow
 * occurrences isn't taken for uneven. */
#include "signature/predict/extrapolate.h"

#include "base/arena.h"
#include "signature/predict/noise.h"
#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* The rest of the traced run: the time that its own measured stretch predicts, and the true
 * time. */
typedef struct Expectation {
    double expected_s, actual_s;
} Expectation;

/* δ, as the mean over all runs of log(1 + δ). In a further run, the rest and the measured stretch
 * took other times than in the traced run; their phases are assumed to differ alike. */
static double mean_stationarity(const Outlook *outlook, const Expectation *rest, const Stretches *behind)
{
    const Signature *signature = outlook->signature;
    double traced = stretches_time_s(signature, 0, behind) / stretches_time_s(signature, 0, &outlook->measured),
           sum = 0;
    if (!(rest->expected_s > 0 && rest->actual_s > 0))
        return 0;
    for (uint32_t run = 0; run <= signature->n_repeats; run++) {
        double ratio =
            stretches_time_s(signature, run, behind) / stretches_time_s(signature, run, &outlook->measured) / traced;
        sum += isfinite(ratio) && ratio > 0 ? log(ratio) : 0;
    }
    return rest->actual_s / rest->expected_s * exp(sum / (signature->n_repeats + 1)) - 1;
}

static void correct(Outlook *outlook, const Expectation *rest, const Stretches *behind)
{
    const Signature *signature = outlook->signature;
    const Stretches *measured = &outlook->measured;
    double n_states = fmax(1, measured->n_states), rest_s = stretches_time_s(signature, 0, behind),
           stretch_s = measured->n ? stretches_time_s(signature, 0, measured) / measured->n : 0,
           delta = mean_stationarity(outlook, rest, behind);
    Noise noise = noise_of_runs(signature, behind->items[0].from, stretch_s);
    double one = noise_within(&noise, stretch_s, rest_s / n_states) / n_states,
           variance = one / (signature->n_repeats + 1);
    double kept = delta != 0 ? fmax(0, 1 - variance / (delta * delta)) : 0;
    outlook->stationarity = delta;
    outlook->correction_s = kept * delta * rest->expected_s * outlook->pace;
    outlook->variance = one + noise_between_runs(&noise, rest_s) + kept * kept * variance + pow((1 - kept) * delta, 2);
}

static void count_strata(const Signature *signature, PhaseOutlook *outlook, double executed)
{
    const Phase *phase = outlook->phase;
    outlook->n_strata = 1;
    outlook->stratum_weight[0] = (double)phase->weight;
    outlook->stratum_rest[0] = outlook->rest;
    if (!outlook->measured || !outlook->measured->n_strata)
        return;
    uint32_t index = (uint32_t)(phase - signature->phases);
    double ordinal = signature_phase_weight(signature, index, executed);
    uint64_t done = ordinal < (double)phase->weight ? (uint64_t)fmax(0, ordinal) : phase->weight;
    outlook->n_strata = phase->n_strata;
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        outlook->stratum_weight[i] = (double)phase->strata[i].count;
        outlook->stratum_rest[i] =
            fmax(0, (double)phase->strata[i].count - (double)strata_count(phase->strata, phase->n_strata, i, done));
    }
}

static bool find_measured(Outlook *outlook, const MeasuredPhase *measured, Err *err)
{
    uint32_t at = signature_find_phase(outlook->signature, measured->id);
    if (at == outlook->signature->n_phases)
        return err_set(err, ERR_INPUT, "the phase times hold phase %u, which the signature doesn't have", measured->id);
    if (measured->n_strata && measured->n_strata != outlook->signature->phases[at].n_strata)
        return err_set(err, ERR_INPUT, "the phase times hold %u strata of phase %u, and the signature has %u",
                       measured->n_strata, measured->id, outlook->signature->phases[at].n_strata);
    if (measured->occurrences)
        outlook->phases[at].measured = measured;
    return true;
}

bool outlook_make(const Signature *signature, const PhaseTimes *times, Arena *arena, Outlook *outlook, Err *err)
{
    *outlook = (Outlook){.signature = signature,
                         .times = times,
                         .phases = arena_new_array(arena, PhaseOutlook, signature->n_phases),
                         .pace = times_pace(times),
                         .measured = stretches_measured(times, arena)};
    for (uint32_t i = 0; i < signature->n_phases; i++)
        outlook->phases[i] = (PhaseOutlook){.phase = &signature->phases[i]};
    for (uint32_t i = 0; i < times->n_phases; i++)
        if (!find_measured(outlook, &times->phases[i], err))
            return false;
    double executed = (double)times->prefix_occurrences;
    const Stretch behind = {executed, (double)signature->n_occurrences};
    const Stretches rest = {1, &behind, 1};
    Expectation expectation = {0};
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        PhaseOutlook *phase = &outlook->phases[i];
        phase->rest = fmax(0, (double)phase->phase->weight - signature_phase_weight(signature, i, executed));
        count_strata(signature, phase, executed);
        if (!phase->measured)
            continue;
        bool by_strata = phase->n_strata > 1;
        double amount = fmax(0, stretches_amount(signature, i, by_strata, &rest));
        expectation.expected_s +=
            amount * stretches_mean_s(signature, i, signature_phase_time_s, by_strata, &outlook->measured);
        expectation.actual_s += amount * stretches_mean_s(signature, i, signature_phase_time_s, by_strata, &rest);
    }
    correct(outlook, &expectation, &rest);
    return true;
}

bool outlook_is_measured(const Outlook *outlook, uint32_t phase_index, uint32_t stratum)
{
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    return phase->measured && (phase->n_strata == 1 || phase->measured->strata[stratum].occurrences);
}

/* The factor from the reference stratum's measured mean to another stratum's mean: the ratio of
 * both in the trace. If few occurrences of the reference were measured, an interruption among them
 * must not be multiplied. So the reference's pace is drawn towards the pace of all measured
 * stretches, with weight PACE_PRIOR / (n + PACE_PRIOR) for n occurrences. */
static double ratio(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t reference)
{
    static const double PACE_PRIOR = 16;
    if (stratum == reference)
        return 1;
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    assert(phase->measured && stratum < phase->n_strata && reference < phase->n_strata);
    const Stratum *traced = &phase->phase->strata[reference];
    const MeasuredStratum *measured = &phase->measured->strata[reference];
    double in_trace =
        strata_ratio(phase->phase->strata, stratum) / fmax(strata_ratio(phase->phase->strata, reference), 1e-12);
    double total_s = 0, count = 0;
    for (uint32_t process = 0; process < outlook->signature->application.n_processes; process++) {
        total_s += measured->processes[process].total_s;
        count += (double)measured->processes[process].count;
    }
    if (!(total_s > 0 && traced->total_s > 0))
        return in_trace;
    double reference_pace = total_s / count / (traced->total_s / (double)traced->count);
    return in_trace * pow(outlook->pace / reference_pace, PACE_PRIOR / (PACE_PRIOR + (double)measured->occurrences));
}

double outlook_duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process)
{
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    const ProcessTime *traced = &phase->phase->processes[process];
    double traced_mean_s = traced->count ? traced->total_s / (double)traced->count * outlook->pace : 0;
    if (phase->n_strata == 1) {
        const ProcessTime *measured = phase->measured ? &phase->measured->processes[process] : NULL;
        return measured && measured->count ? measured->total_s / (double)measured->count : traced_mean_s;
    }
    const MeasuredStratum *strata = phase->measured->strata;
    uint32_t reference = stratum;
    for (uint32_t i = 0; !strata[reference].processes[process].count && i < phase->n_strata; i++)
        reference = i;
    const ProcessTime *measured = &strata[reference].processes[process];
    if (measured->count)
        return measured->total_s / (double)measured->count * ratio(outlook, phase_index, stratum, reference);
    double effort = 0, weight = 0;
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        effort += phase->stratum_weight[i] * strata_ratio(phase->phase->strata, i);
        weight += phase->stratum_weight[i];
    }
    return effort > 0 ? traced_mean_s * weight / effort * strata_ratio(phase->phase->strata, stratum) : 0;
}

static double mean_duration_s(const Outlook *outlook, uint32_t phase, uint32_t stratum)
{
    double sum = 0;
    for (uint32_t process = 0; process < outlook->signature->application.n_processes; process++)
        sum += outlook_duration_s(outlook, phase, stratum, process);
    return sum / outlook->signature->application.n_processes;
}

double outlook_slowest_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum)
{
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    if (!phase->measured)
        return mean_duration_s(outlook, phase_index, stratum);
    if (phase->n_strata == 1)
        return phase->measured->slowest_mean_s;
    const MeasuredStratum *strata = phase->measured->strata;
    uint32_t reference = stratum;
    for (uint32_t i = 0; !strata[reference].occurrences && i < phase->n_strata; i++)
        reference = i;
    return strata[reference].slowest_mean_s * ratio(outlook, phase_index, stratum, reference);
}

double outlook_half_width(const Outlook *outlook)
{
    return hypot(stretches_half_width(outlook->times), gsl_cdf_ugaussian_Pinv(0.975) * sqrt(outlook->variance));
}
