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
 * short phase in the traced run would be multiplied. The factor λ shrinks δ, because δ contains
 * noise (after James and Stein):
 *
 * λ = max(0, 1 - (s² (1 + 1/m) + MACHINE_DRIFT² + u²) / δ²)
 *
 * s is the noise of one stretch as long as [a, b). It comes from the differences between the m
 * successive stretches of this length in [b, n), so a trend doesn't inflate it (von Neumann's
 * estimate). u is the part of δ that isn't a difference in processor time. Its cause is the
 * machine, or waiting.
 *
 * From saved states, N stretches spread over the run take the place of [a, b). No prefix was
 * executed, so all of [0, n) is predicted. Then the formulas hold with sums over the stretches. The
 * error of their mean is 1/√N of the error of one, which gives s² (1/N + 1/m) and MACHINE_DRIFT²/N.
 * Each stretch stands for its part of the run, so differences between the parts are no error. A few
 * steps, where the program begins to do something else, are no noise.
 *
 * Strata are no part of δ: their durations stand for themselves, weighted by how many occurrences
 * of each are left. If strata were measured, times are therefore compared per effort
 * (model/signature.h), not per occurrence. So a stretch that holds more or fewer of the slow
 * occurrences isn't taken for uneven. */
#include "signature/predict/extrapolate.h"

#include "base/arena.h"
#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { STRETCHES_LIMIT = 64 };

/* An unevenness of the traced run below this share says nothing about the program: machines drift
 * this much by themselves. */
static const double MACHINE_DRIFT = 0.03;

/* How much of a phase lies before an occurrence of the sequence. */
typedef double Progression(const Signature *signature, uint32_t phase, double occurrence);

static double within(const Signature *signature, uint32_t phase, Progression *before, const Stretches *stretches)
{
    double sum = 0;
    for (uint32_t i = 0; i < stretches->n; i++)
        sum += before(signature, phase, stretches->items[i].to) - before(signature, phase, stretches->items[i].from);
    return sum;
}

/* The number to which a phase's time is proportional: its occurrences, or its effort. */
static double amount_in(const Signature *signature, uint32_t phase, bool by_strata, const Stretches *stretches)
{
    return within(signature, phase, by_strata ? signature_phase_effort : signature_phase_weight, stretches);
}

/* Time of a phase, traced or computed, per occurrence or per effort. */
static double mean_s(const Signature *signature, uint32_t phase, Progression *time_s, bool by_strata,
                     const Stretches *stretches)
{
    double amount = amount_in(signature, phase, by_strata, stretches);
    return amount > 0 ? within(signature, phase, time_s, stretches) / amount : 0;
}

/* Time of a stretch over the time of its occurrences at the phases' mean durations. 1: the stretch
 * is like the whole run. */
static double stretch_pace(const Signature *signature, Stretch stretch)
{
    const Stretch whole_run = {0, (double)signature->n_occurrences};
    const Stretches own = {1, &stretch, 1}, whole = {1, &whole_run, 1};
    double time_s = 0, expected_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        time_s += within(signature, i, signature_phase_time_s, &own);
        expected_s += amount_in(signature, i, true, &own) * mean_s(signature, i, signature_phase_time_s, true, &whole);
    }
    return expected_s > 0 ? time_s / expected_s : 0;
}

/* The paces of the traced run's rest, in stretches as long as the measured ones. */
typedef struct Paces {
    unsigned count;
    double deviation; /* standard deviation of all */
    double noise;     /* standard deviation from differences between neighbours */
} Paces;

static double time_of(const Signature *signature, Stretch stretch)
{
    return signature_time_s(signature, stretch.to) - signature_time_s(signature, stretch.from);
}

/* Cuts [from, to), in any unit, into at most STRETCHES_LIMIT pieces of this length. If more would
 * fit, the pieces are spread over all of it. Returns their number. */
static unsigned cut(double from, double to, double length, Stretch pieces[STRETCHES_LIMIT])
{
    unsigned n = length > 0 ? (unsigned)fmax(0, fmin((to - from) / length, STRETCHES_LIMIT)) : 0;
    double step = n ? (to - from) / n : 0;
    for (unsigned i = 0; i < n; i++)
        pieces[i] = (Stretch){from + i * step, from + i * step + length};
    return n;
}

/* Cuts the rest of the run into pieces. They hold as many occurrences as the measured stretch. With
 * several states, which needn't hold equally many, they last as long as the mean stretch. */
static unsigned cut_rest(const Outlook *outlook, Stretch rest, Stretch pieces[STRETCHES_LIMIT])
{
    const Signature *signature = outlook->signature;
    const Stretches *measured = &outlook->measured;
    if (!measured->n)
        return 0;
    if (measured->n_states == 1)
        return cut(rest.from, rest.to, measured->items[0].to - measured->items[0].from, pieces);
    double length_s = 0;
    for (uint32_t i = 0; i < measured->n; i++)
        length_s += time_of(signature, measured->items[i]) / measured->n;
    unsigned n = cut(signature_time_s(signature, rest.from), signature_time_s(signature, rest.to), length_s, pieces);
    for (unsigned i = 0; i < n; i++)
        pieces[i] = (Stretch){signature_occurrence_at(signature, pieces[i].from),
                              signature_occurrence_at(signature, pieces[i].to)};
    return n;
}

/* Standard deviation around the means of n_parts successive parts. */
static double deviation_within(const double *values, unsigned n, unsigned n_parts)
{
    double squares = 0;
    for (unsigned part = 0; part < n_parts; part++) {
        unsigned from = part * n / n_parts, to = (part + 1) * n / n_parts;
        squares += gsl_stats_tss(values + from, 1, to - from);
    }
    return n > n_parts ? sqrt(squares / (n - n_parts)) : 0;
}

static double noise_of_neighbours(const double *values, unsigned n)
{
    assert(n > 1);
    double squares = 0;
    for (unsigned i = 1; i < n; i++)
        squares += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    return sqrt(squares / (2 * (n - 1)));
}

/* Like noise_of_neighbours(), but from the median of the differences, assuming a normal
 * distribution. So a few steps, where the program begins to do something else, don't count as
 * noise. */
static double noise_but_for_steps(const double *values, unsigned n)
{
    const double deviation_over_median = 1.4826 / M_SQRT2;
    double differences[STRETCHES_LIMIT];
    for (unsigned i = 1; i < n; i++)
        differences[i - 1] = fabs(values[i] - values[i - 1]);
    gsl_sort(differences, 1, n - 1);
    return deviation_over_median * gsl_stats_median_from_sorted_data(differences, 1, n - 1);
}

static Paces paces_of_rest(const Outlook *outlook, Stretch rest)
{
    Stretch pieces[STRETCHES_LIMIT];
    double values[STRETCHES_LIMIT];
    unsigned n = cut_rest(outlook, rest, pieces), n_states = outlook->measured.n_states;
    for (unsigned i = 0; i < n; i++)
        values[i] = stretch_pace(outlook->signature, pieces[i]);
    if (n < 2)
        return (Paces){.count = n};
    if (n_states < 2 || n < 2 * n_states)
        return (Paces){n, gsl_stats_sd(values, 1, n), noise_of_neighbours(values, n)};
    return (Paces){n, deviation_within(values, n, n_states), noise_but_for_steps(values, n)};
}

static Stretch rest_of_run(const Signature *signature, const PhaseTimes *times)
{
    return (Stretch){(double)times->prefix_occurrences, (double)signature->n_occurrences};
}

/* The rest of the traced run: the time that its own measured stretch predicts, and the true
 * time. */
typedef struct Expectation {
    double expected_s, actual_s;
    double computed_s, actual_computed_s; /* the same for computation; 0: not known */
} Expectation;

static void correct(Outlook *outlook, const Expectation *rest, Stretch rest_of_run)
{
    Paces paces = paces_of_rest(outlook, rest_of_run);
    double expected_s = rest->expected_s, delta = expected_s > 0 ? rest->actual_s / expected_s - 1 : 0;
    double n_states = fmax(1, outlook->measured.n_states), variance = MACHINE_DRIFT * MACHINE_DRIFT / n_states;
    if (rest->computed_s > 0 && expected_s > 0) {
        double unexplained = delta - (rest->actual_computed_s - rest->computed_s) / expected_s;
        variance += unexplained * unexplained;
    }
    if (paces.count >= 2)
        variance += paces.noise * paces.noise * (1 / n_states + 1.0 / paces.count);
    double kept = delta != 0 ? fmax(0, 1 - variance / (delta * delta)) : 0;
    outlook->stationarity = delta;
    outlook->correction_s = kept * delta * expected_s * outlook->pace;
    outlook->drift = (kept * paces.noise + (1 - kept) * paces.deviation) / sqrt(n_states);
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
    const Stretch behind = rest_of_run(signature, times);
    const Stretches rest = {1, &behind, 1};
    Expectation expectation = {0};
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        PhaseOutlook *phase = &outlook->phases[i];
        phase->rest = fmax(0, (double)phase->phase->weight - signature_phase_weight(signature, i, executed));
        count_strata(signature, phase, executed);
        if (!phase->measured)
            continue;
        bool by_strata = phase->n_strata > 1;
        double amount = fmax(0, amount_in(signature, i, by_strata, &rest));
        expectation.expected_s += amount * mean_s(signature, i, signature_phase_time_s, by_strata, &outlook->measured);
        expectation.actual_s += amount * mean_s(signature, i, signature_phase_time_s, by_strata, &rest);
        expectation.computed_s +=
            amount * mean_s(signature, i, signature_phase_compute_s, by_strata, &outlook->measured);
        expectation.actual_computed_s += amount * mean_s(signature, i, signature_phase_compute_s, by_strata, &rest);
    }
    correct(outlook, &expectation, behind);
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
    return hypot(stretches_half_width(outlook->times), gsl_cdf_ugaussian_Pinv(0.975) * outlook->drift);
}
