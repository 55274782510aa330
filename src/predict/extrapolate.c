/* SPDX-License-Identifier: BSD-3-Clause */
/* What the measured stretch of a run says about the rest of it.
 *
 *   occurrence   0        a                b                                   n
 *   target run   |  warmup |    measured    |            not executed           |
 *   traced run   |                          known from end to end               |
 *
 * A phase's duration in [a, b) stands for its duration in [b, n) only if the program is stationary. The traced run tells: its
 * own mean over [b, n) divided by its own over [a, b) is the correction. As both carry noise, the correction is
 * shrunk towards 1 by how much of it the noise explains (James and Stein's idea): corr = 1 + λ (c - 1),
 * λ = max(0, 1 - var / (c - 1)²), where var is the variance of c under stationarity, seen in the traced run by
 * cutting [b, n) into stretches that hold as many occurrences as the window. */
#include "predict/extrapolate.h"

#include "base/arena.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { STRETCHES_LIMIT = 64 };

typedef struct Stretch {
    double from, to;
} Stretch;

static Stretch measured_stretch(const PhaseTimes *times)
{
    if (!times->n_windows)
        return (Stretch){0, 0};
    return (Stretch){(double)times->windows[0].from_occurrence, (double)times->windows[times->n_windows - 1].to_occurrence};
}

static double traced_mean_s(const Signature *signature, uint32_t phase, Stretch stretch)
{
    double weight = signature_phase_weight(signature, phase, stretch.to) -
                    signature_phase_weight(signature, phase, stretch.from);
    double time_s = signature_phase_time_s(signature, phase, stretch.to) -
                    signature_phase_time_s(signature, phase, stretch.from);
    return weight > 0 ? time_s / weight : 0;
}

/* Relative standard deviation of `value(stretch)` over the stretches of the rest of the run that are as long as the
 * measured one; their number into *count. */
static double spread_of_stretches(const Outlook *outlook, double (*value)(const Outlook *, uint32_t, Stretch),
                                  uint32_t phase, unsigned *count)
{
    Stretch window = measured_stretch(outlook->times);
    double length = window.to - window.from, end = (double)outlook->signature->n_occurrences;
    double values[STRETCHES_LIMIT];
    unsigned n = length > 0 ? (unsigned)fmin((end - window.to) / length, STRETCHES_LIMIT) : 0;
    /* No more stretches than fit; where more than the limit fit, spread over the whole rest. */
    double step = n ? (end - window.to) / n : 0;
    unsigned used = 0;
    for (unsigned i = 0; i < n; i++) {
        double from = window.to + i * step;
        double found = value(outlook, phase, (Stretch){from, from + length});
        if (found > 0)
            values[used++] = found;
    }
    *count = used;
    if (used < 2)
        return 0;
    double mean = gsl_stats_mean(values, 1, used);
    return mean > 0 ? gsl_stats_sd_m(values, 1, used, mean) / mean : 0;
}

static double stretch_mean_s(const Outlook *outlook, uint32_t phase, Stretch stretch)
{
    return traced_mean_s(outlook->signature, phase, stretch);
}

/* Time of a stretch over what its occurrences take at the phases' mean durations: 1 where the run goes as it does on the whole. */
static double stretch_pace(const Outlook *outlook, uint32_t unused, Stretch stretch)
{
    (void)unused;
    const Signature *signature = outlook->signature;
    Stretch whole = {0, (double)signature->n_occurrences};
    double time_s = 0, expected_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double weight = signature_phase_weight(signature, i, stretch.to) - signature_phase_weight(signature, i, stretch.from);
        time_s += signature_phase_time_s(signature, i, stretch.to) - signature_phase_time_s(signature, i, stretch.from);
        expected_s += weight * traced_mean_s(signature, i, whole);
    }
    return expected_s > 0 ? time_s / expected_s : 0;
}

static double correction(const Outlook *outlook, uint32_t phase)
{
    const Signature *signature = outlook->signature;
    Stretch window = measured_stretch(outlook->times);
    Stretch rest = {(double)outlook->times->prefix_occurrences, (double)signature->n_occurrences};
    double here = traced_mean_s(signature, phase, window), there = traced_mean_s(signature, phase, rest);
    if (here <= 0 || there <= 0)
        return 1;
    unsigned n;
    double spread = spread_of_stretches(outlook, stretch_mean_s, phase, &n);
    double excess = there / here - 1;
    if (n < 2 || excess == 0)
        return 1 + excess;
    double variance = spread * spread * (1 + 1.0 / n);
    double kept = 1 - variance / (excess * excess);
    return 1 + fmax(0, kept) * excess;
}

/* Target time over traced time of the same occurrences, all measured windows together. */
static double speed(const PhaseTimes *times)
{
    double elapsed_s = 0, reference_s = 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        elapsed_s += times->windows[i].elapsed_s;
        reference_s += times->windows[i].reference_s;
    }
    return reference_s > 0 ? elapsed_s / reference_s : 1;
}

bool outlook_make(const Signature *signature, const PhaseTimes *times, Arena *arena, Outlook *outlook, Err *err)
{
    *outlook = (Outlook){.signature = signature,
                         .times = times,
                         .phases = arena_new_array(arena, PhaseOutlook, signature->n_phases),
                         .speed = speed(times)};
    for (uint32_t i = 0; i < signature->n_phases; i++)
        outlook->phases[i] = (PhaseOutlook){.phase = &signature->phases[i], .correction = 1};
    for (uint32_t i = 0; i < times->n_phases; i++) {
        uint32_t at = signature_find_phase(signature, times->phases[i].id);
        if (at == signature->n_phases)
            return err_set(err, ERR_INPUT, "the times measure phase %u, which the signature doesn't have", times->phases[i].id);
        if (times->phases[i].occurrences)
            outlook->phases[at].measured = &times->phases[i];
    }
    double here_s = 0, corrected_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        PhaseOutlook *phase = &outlook->phases[i];
        double before = signature_phase_weight(signature, i, (double)times->prefix_occurrences);
        phase->rest = fmax(0, (double)phase->phase->weight - before);
        if (!phase->measured)
            continue;
        phase->correction = correction(outlook, i);
        double traced_s = phase->rest * traced_mean_s(signature, i, measured_stretch(times));
        here_s += traced_s;
        corrected_s += traced_s * phase->correction;
    }
    outlook->stationarity = here_s > 0 ? corrected_s / here_s - 1 : 0;
    unsigned n;
    outlook->drift = spread_of_stretches(outlook, stretch_pace, 0, &n);
    return true;
}

double outlook_duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t process)
{
    const PhaseOutlook *outlooked = &outlook->phases[phase_index];
    const ProcessTime *traced = &outlooked->phase->processes[process];
    const ProcessTime *measured = outlooked->measured ? &outlooked->measured->processes[process] : NULL;
    if (measured && measured->count)
        return measured->total_s / (double)measured->count * outlooked->correction;
    return traced->count ? traced->total_s / (double)traced->count * outlook->speed : 0;
}

double outlook_half_width(const Outlook *outlook)
{
    const PhaseTimes *times = outlook->times;
    double sampling = 0;
    if (times->n_windows >= 2) {
        double *pace = memory_zeroed(times->n_windows, sizeof *pace);
        unsigned n = 0;
        for (uint32_t i = 0; i < times->n_windows; i++)
            if (times->windows[i].reference_s > 0)
                pace[n++] = times->windows[i].elapsed_s / times->windows[i].reference_s;
        if (n >= 2) {
            double mean = gsl_stats_mean(pace, 1, n);
            double standard_error = gsl_stats_sd_m(pace, 1, n, mean) / sqrt(n) / mean;
            sampling = gsl_cdf_tdist_Pinv(0.975, n - 1) * standard_error;
        }
        free(pace);
    }
    double drift = gsl_cdf_ugaussian_Pinv(0.975) * outlook->drift;
    return sqrt(sampling * sampling + drift * drift);
}
