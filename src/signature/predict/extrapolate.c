/* SPDX-License-Identifier: BSD-3-Clause */
/* What the measured stretch of a run says about the rest of the run.
 *
 *     occurrence   0        a                b                                   n
 *     target run   | warmup |    measured    |            not executed           |
 *     traced run   |                   known from end to end                     |
 *
 * The durations of phases in [a, b) are right for [b, n) only if the program is stationary. The
 * traced run tells whether it is. Its own durations in [a, b) predict a time for [b, n), and the
 * true time is known. The true time over the predicted time, minus 1, is the stationarity δ. The
 * prediction for the target gets a correction of λ δ times the predicted time, times the pace. The
 * correction is one sum over all phases. With a factor for each phase, an interruption that hit a
 * short phase in the traced run would be multiplied.
 *
 * A target may compute twice as fast, and send messages ten times as fast. So there are two paces:
 * of the path (what is computed, and waiting for it), and of all other time. Each traced time that
 * stands for the target is translated by both. If the rest of the run computes more than the
 * measured stretch did, δ is thus another one on the target. The difference of the two paces is
 * kept as far as it is more than noise, in the way of λ.
 *
 * δ contains the machine's noise in the traced run. The weight λ has the least expected error
 * (James and Stein):
 *
 *    λ = max(0, 1 - v/δ²)        v = (variance of [a, b) against [b, n) by noise.h) / N runs
 *
 * With further runs of the program, δ is the mean over the N runs: what recurs is the program's.
 * If the prefix itself was run several times, only the noise of its measured time is smaller.
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
#include "model/application.h"
#include "signature/noise/noise.h"
#include <math.h>
#include <string.h>

/* A traced time, and the part of it that is on the path. */
typedef struct Traced {
    double time_s, path_s;
} Traced;

/* The rest of the traced run, as its own measured stretch predicts it, and as it was. */
typedef struct Expectation {
    Traced expected, actual;
} Expectation;

/* Where ranks share a processor, they compute one after the other: the path is as much longer as
 * there are ranks. It is never longer than the time. */
static double shared_path_s(double path_s, double time_s, double ranks_per_processor)
{
    return fmin(time_s, path_s * fmax(1, ranks_per_processor));
}

static Traced traced_time(const Outlook *outlook, double time_s, double path_s)
{
    return (Traced){time_s, shared_path_s(path_s, time_s, outlook->signature->ranks_per_processor)};
}

/* A traced time on the target. */
static double translate(const Outlook *outlook, Traced traced)
{
    return outlook->paces.path * traced.path_s + outlook->paces.other * (traced.time_s - traced.path_s);
}

/* δ, as the mean over all runs of log(1 + δ). In a further run, the rest and the measured stretch
 * took other times than in the traced run; their phases are assumed to differ alike. */
static double mean_stationarity(const Outlook *outlook, const Expectation *rest, const Stretches *behind)
{
    const Signature *signature = outlook->signature;
    double traced = stretches_time_s(signature, 0, behind) / stretches_time_s(signature, 0, &outlook->measured),
           sum = 0;
    if (!(rest->expected.time_s > 0 && rest->actual.time_s > 0))
        return 0;
    for (uint32_t run = 0; run <= signature->n_repeats; run++) {
        double ratio =
            stretches_time_s(signature, run, behind) / stretches_time_s(signature, run, &outlook->measured) / traced;
        sum += isfinite(ratio) && ratio > 0 ? log(ratio) : 0;
    }
    return rest->actual.time_s / rest->expected.time_s * exp(sum / (signature->n_repeats + 1)) - 1;
}

double shrinkage(double estimate, double variance)
{
    return estimate != 0 ? fmax(0, 1 - variance / (estimate * estimate)) : 0;
}

/* Divides the pace into its two parts. `variance`: relative, of the measured stretch's time. */
static Paces divide_pace(const Outlook *outlook, double pace, double variance)
{
    const PhaseTimes *times = outlook->times;
    Traced here = {0}, traced = {0};
    for (uint32_t i = 0; i < times->n_windows; i++) {
        const Window *window = &times->windows[i];
        if (!(window->path_s > 0 && window->reference_path_s > 0))
            return (Paces){pace, pace};
        here.time_s += window->elapsed_s;
        here.path_s += shared_path_s(window->path_s, window->elapsed_s, times->ranks_per_processor);
        traced.time_s += window->reference_s;
        traced.path_s += traced_time(outlook, window->reference_s, window->reference_path_s).path_s;
    }
    double share = traced.time_s > 0 ? traced.path_s / traced.time_s : 0;
    if (!(share > 0 && share < 1))
        return (Paces){pace, pace};
    double difference =
        here.path_s / traced.path_s - fmax(0, here.time_s - here.path_s) / (traced.time_s - traced.path_s);
    /* Noise may be in either part. */
    double noise = variance * pace * pace * (1 / (share * share) + 1 / ((1 - share) * (1 - share)));
    difference *= shrinkage(difference, noise);
    return (Paces){pace + (1 - share) * difference, pace - share * difference};
}

static void correct(Outlook *outlook, const Expectation *rest, const Stretches *behind)
{
    const Signature *signature = outlook->signature;
    const Stretches *measured = &outlook->measured;
    double n_states = fmax(1, measured->n_states), rest_s = stretches_time_s(signature, 0, behind),
           stretch_s = measured->n ? stretches_time_s(signature, 0, measured) / measured->n : 0,
           delta = mean_stationarity(outlook, rest, behind);
    double one = noise_within(&outlook->noise, stretch_s, rest_s / n_states) / n_states,
           here = noise_within(&outlook->noise_here, outlook->pace * stretch_s, outlook->pace * rest_s / n_states) /
                  n_states,
           variance = one / (signature->n_repeats + 1), n_runs = measured->n_runs, to_mean = (1 + 1 / n_runs) / 2;
    outlook->stationarity = delta;
    outlook->stretch_variance = (noise_between_runs(&outlook->noise, stretch_s) +
                                 noise_between_runs(&outlook->noise_here, outlook->pace * stretch_s)) /
                                2 / n_states / n_runs;
    outlook->paces = divide_pace(outlook, outlook->pace, outlook->stretch_variance);
    double expected_s = translate(outlook, rest->expected), actual_s = translate(outlook, rest->actual);
    if (expected_s > 0 && actual_s > 0) /* by the paces of the target */
        delta = (1 + delta) * actual_s / expected_s * rest->expected.time_s / rest->actual.time_s - 1;
    double kept = shrinkage(delta, variance);
    outlook->correction_s = kept * delta * expected_s;
    outlook->another_variance = noise_between_runs(&outlook->noise_here, outlook->pace * rest_s);
    outlook->variance =
        here / n_runs + outlook->another_variance * to_mean + kept * kept * variance + pow((1 - kept) * delta, 2);
}

/* Occurrences of a stratum before an occurrence of the sequence. */
static double stratum_before(const Signature *signature, uint32_t index, uint32_t stratum, double occurrence)
{
    const Phase *phase = &signature->phases[index];
    double ordinal = signature_phase_weight(signature, index, occurrence);
    uint64_t done = ordinal < (double)phase->weight ? (uint64_t)fmax(0, ordinal) : phase->weight;
    return (double)strata_count(phase->strata, phase->n_strata, stratum, done);
}

/* The measured stretch in the traced run. */
static void sample_trace(const Outlook *outlook, PhaseOutlook *phase)
{
    const Signature *signature = outlook->signature;
    uint32_t index = (uint32_t)(phase->phase - signature->phases);
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        const Stratum *stratum = &phase->phase->strata[k];
        double count = 0, time_s = 0;
        for (uint32_t i = 0; i < outlook->measured.n; i++) {
            const Stretch *stretch = &outlook->measured.items[i];
            count +=
                stratum_before(signature, index, k, stretch->to) - stratum_before(signature, index, k, stretch->from);
            time_s += signature_stratum_time_s(signature, index, k, stretch->to) -
                      signature_stratum_time_s(signature, index, k, stretch->from);
        }
        phase->traced.occurrences[k] = count;
        phase->traced.mean_s[k] = count > 0 ? time_s / count : 0;
        phase->traced.whole_s[k] = stratum->count ? stratum->total_s / (double)stratum->count : 0;
    }
}

/* The measured stretch on the target. */
static void sample_here(const Outlook *outlook, PhaseOutlook *phase)
{
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        const Stratum *stratum = &phase->phase->strata[k];
        const MeasuredStratum *measured = &phase->measured->strata[k];
        double total_s = 0, count = 0;
        for (uint32_t process = 0; process < outlook->signature->application.n_processes; process++) {
            total_s += measured->processes[process].total_s;
            count += (double)measured->processes[process].count;
        }
        phase->here.occurrences[k] = (double)measured->occurrences;
        phase->here.mean_s[k] = count > 0 ? total_s / count : 0;
        phase->here.whole_s[k] =
            stratum->count
                ? translate(outlook, traced_time(outlook, stratum->total_s, stratum->path_s)) / (double)stratum->count
                : 0;
    }
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
    outlook->n_strata = phase->n_strata;
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        outlook->stratum_weight[i] = (double)phase->strata[i].count;
        outlook->stratum_rest[i] =
            fmax(0, (double)phase->strata[i].count - stratum_before(signature, index, i, executed));
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
    if (outlook->phases[at].measured)
        return err_set(err, ERR_INPUT, "the phase times hold phase %u twice", measured->id);
    if (measured->occurrences)
        outlook->phases[at].measured = measured;
    return true;
}

/* The noise of the mean of a stratum's measured occurrences in one run, as a relative variance: that of
 * a stretch as long as they are together. */
static double sample_variance(const Outlook *outlook, const PhaseOutlook *phase, uint32_t stratum)
{
    double sampled_s = phase->traced.occurrences[stratum] * phase->traced.mean_s[stratum] / outlook->measured.n_runs;
    return noise_within(&outlook->noise, sampled_s, outlook->signature->application_s);
}

/* The logarithm by which a stratum's mean in the whole traced run differs from that in the measured
 * stretch, as far as it is more than noise: the stretch may hold the first occurrences alone. */
static double kept_level(const Outlook *outlook, const PhaseOutlook *phase, uint32_t stratum)
{
    double level = log(phase->traced.whole_s[stratum] / phase->traced.mean_s[stratum]);
    return isfinite(level) ? level * shrinkage(level, sample_variance(outlook, phase, stratum)) : 0;
}

/* The logarithm by which a stratum's mean on the target differs from what the paces make of its mean
 * in the same stretch of the traced run, as far as that is only noise: one of few occurrences may
 * have been interrupted, and must not be multiplied. */
static double noise_here(const Outlook *outlook, const PhaseOutlook *phase, uint32_t stratum)
{
    double expected_s = phase->here.whole_s[stratum] * phase->traced.mean_s[stratum] / phase->traced.whole_s[stratum],
           difference = log(phase->here.mean_s[stratum] / expected_s);
    double n = (double)phase->measured->strata[stratum].occurrences,
           deviation = phase->measured->strata[stratum].sd_s / phase->here.mean_s[stratum];
    if (!isfinite(difference))
        return 0;
    if (n < 2) /* nothing tells its noise */
        return difference;
    return difference *
           (1 - shrinkage(difference, sample_variance(outlook, phase, stratum) + deviation * deviation / n));
}

static double ratio_of_wholes(const StrataSample *sample, uint32_t stratum, uint32_t reference)
{
    double ratio = sample->whole_s[stratum] / sample->whole_s[reference];
    return isfinite(ratio) && ratio > 0 ? ratio : 1;
}

/* The factor from the reference stratum's mean in the measured stretch, on the target, to a
 * stratum's mean in the rest, which may be its own. */
static double factor_here(const Outlook *outlook, const PhaseOutlook *phase, uint32_t stratum, uint32_t reference)
{
    return ratio_of_wholes(&phase->here, stratum, reference) *
           exp(kept_level(outlook, phase, reference) - noise_here(outlook, phase, reference));
}

/* What the measured stretch of the traced run says of a stratum's mean. If the stretch lacks the
 * stratum, the first one that it has says it. */
static double sampled_s(const Outlook *outlook, const PhaseOutlook *phase, uint32_t stratum)
{
    const StrataSample *sample = &phase->traced;
    uint32_t reference = stratum;
    for (uint32_t i = 0; !(sample->occurrences[reference] > 0) && i < phase->n_strata; i++)
        reference = i;
    return sample->mean_s[reference] * ratio_of_wholes(sample, stratum, reference) *
           exp(kept_level(outlook, phase, reference));
}

/* What the measured stretch says of the rest of a phase with strata. */
static Traced expect_strata(const Outlook *outlook, const PhaseOutlook *phase, double path_s)
{
    Traced expected = {0};
    double own_path_s = 0;
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        const Stratum *stratum = &phase->phase->strata[k];
        double share = stratum->total_s > 0
                           ? traced_time(outlook, stratum->total_s, stratum->path_s).path_s / stratum->total_s
                           : 0;
        double time_s = phase->stratum_rest[k] * sampled_s(outlook, phase, k);
        expected.time_s += time_s;
        expected.path_s += time_s * share;
        own_path_s += phase->traced.occurrences[k] * phase->traced.mean_s[k] * share;
    }
    if (own_path_s > 0) /* the path that strata explain, at the measured stretch's level */
        expected.path_s *= path_s / own_path_s;
    return expected;
}

/* Adds a phase: what the rest holds of it, and what the measured stretch says of the rest. */
static void expect(const Outlook *outlook, uint32_t index, const Stretches *rest, Expectation *sum)
{
    const Signature *signature = outlook->signature;
    const PhaseOutlook *phase = &outlook->phases[index];
    Traced measured =
        traced_time(outlook, stretches_amount(signature, index, signature_phase_time_s, &outlook->measured),
                    stretches_amount(signature, index, signature_phase_path_s, &outlook->measured));
    Traced actual = traced_time(outlook, stretches_amount(signature, index, signature_phase_time_s, rest),
                                stretches_amount(signature, index, signature_phase_path_s, rest));
    Traced expected = {0};
    double weight = stretches_amount(signature, index, signature_phase_weight, &outlook->measured);
    if (phase->n_strata > 1)
        expected = expect_strata(outlook, phase, measured.path_s);
    else if (weight > 0)
        expected = (Traced){phase->rest * measured.time_s / weight, phase->rest * measured.path_s / weight};
    sum->expected.time_s += expected.time_s;
    sum->expected.path_s += expected.path_s;
    sum->actual.time_s += actual.time_s;
    sum->actual.path_s += actual.path_s;
}

/* Whether ranks ran where they were traced. Another mapping is another machine. */
static bool is_traced_machine(const Signature *signature, const PhaseTimes *times)
{
    if (signature->n_places && signature->n_places == times->n_places &&
        !places_are_same(signature->places, times->places, times->n_places))
        return false;
    return !application_is_simulated(&signature->application) && !application_is_simulated(&times->application) &&
           signature->host && signature->host[0] && strcmp(signature->host, times->host) == 0;
}

/* Runs of the prefix tell how much runs on the target differ. */
static void add_measured_runs(Outlook *outlook, Arena *arena)
{
    if (outlook->measured.n_runs < 2)
        return;
    const double *logarithms;
    uint32_t n = stretches_pace_logarithms(outlook->times, arena, &logarithms);
    drift_add_runs(&outlook->drift, logarithms, n);
}

/* ---- another number of steps ---- */

/* The share of a stratum among typical occurrences: the first ones and the last ones of the run aren't repeated. */
static double typical_share(const Phase *phase, uint32_t stratum)
{
    uint64_t from, to;
    strata_typical(phase->strata, phase->n_strata, phase->weight, &from, &to);
    return ((double)strata_count(phase->strata, phase->n_strata, stratum, to) -
            (double)strata_count(phase->strata, phase->n_strata, stratum, from)) /
           (double)(to - from);
}

/* The duration of a typical occurrence in the traced run over the mean of all occurrences. */
static double typical_over_mean(const Phase *phase)
{
    double typical_s = 0, total_s = 0;
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        const Stratum *stratum = &phase->strata[k];
        total_s += stratum->total_s;
        typical_s += stratum->count ? typical_share(phase, k) * stratum->total_s / (double)stratum->count : 0;
    }
    return total_s > 0 ? typical_s * (double)phase->weight / total_s : 1;
}

/* Strata of further occurrences are as frequent as among typical ones. Fewer occurrences leave out typical ones first. */
static void add_to_strata(const PhaseOutlook *phase, double count, double *strata)
{
    double all = count, sum = 0;
    for (uint32_t k = 0; k < phase->n_strata; k++) {
        all += strata[k];
        strata[k] = fmax(0, strata[k] + count * (phase->n_strata > 1 ? typical_share(phase->phase, k) : 1));
        sum += strata[k];
    }
    for (uint32_t k = 0; k < phase->n_strata && sum > 0; k++)
        strata[k] *= fmax(0, all) / sum;
}

static bool add_occurrences(PhaseOutlook *phase, double count)
{
    const double rounding = 1e-9;
    phase->rest += count;
    add_to_strata(phase, count, phase->stratum_weight);
    add_to_strata(phase, count, phase->stratum_rest);
    return phase->rest >= -rounding * (double)phase->phase->weight;
}

/* The time of a typical iteration in the traced run. */
static double typical_time_s(const Signature *signature, const FurtherSteps *further)
{
    double mean_s = 0, typical_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double time_s = further->weights[i] * signature_phase_mean_s(signature, i);
        mean_s += time_s;
        typical_s += time_s * typical_over_mean(&signature->phases[i]);
    }
    return mean_s > 0 ? further->period.time_s * typical_s / mean_s : further->period.time_s;
}

static bool add_steps(Outlook *outlook, double steps, double rest_s, Arena *arena, Err *err)
{
    const Signature *signature = outlook->signature;
    FurtherSteps *further = &outlook->further;
    further->weights = arena_new_array(arena, double, signature->n_phases);
    if (steps == 1)
        return true;
    further->period = signature_steps(signature, further->weights);
    if (!further->period.occurrences)
        return err_set(err, ERR_INPUT,
                       "nothing repeats in the middle of the traced run, so what more or fewer steps "
                       "repeat isn't known");
    further->iterations = (steps - 1) * (double)further->period.times;
    further->iteration_s = typical_time_s(signature, further);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        if (!add_occurrences(&outlook->phases[i], further->iterations * further->weights[i]))
            return err_set(err, ERR_INPUT, "%g times as many steps are fewer than were executed and measured", steps);
    if (rest_s > 0)
        outlook->correction_s *= fmax(0, 1 + further->iterations * further->iteration_s / rest_s);
    return true;
}

bool outlook_make(const Signature *signature, const PhaseTimes *times, double steps, Arena *arena, Outlook *outlook,
                  Err *err)
{
    *outlook = (Outlook){.signature = signature,
                         .times = times,
                         .phases = arena_new_array(arena, PhaseOutlook, signature->n_phases),
                         .process_factors = arena_new_array(arena, double, signature->application.n_processes),
                         .pace = times_pace(times),
                         .measured = stretches_measured(times, arena),
                         .is_traced_machine = is_traced_machine(signature, times)};
    outlook->drift = application_is_simulated(&times->application)
                         ? drift_none()
                         : drift_of_runs(signature, outlook->is_traced_machine ? signature->n_repeats : 0);
    add_measured_runs(outlook, arena);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        outlook->phases[i] = (PhaseOutlook){.phase = &signature->phases[i]};
    for (uint32_t p = 0; p < signature->application.n_processes; p++)
        outlook->process_factors[p] = 1;
    for (uint32_t i = 0; i < times->n_phases; i++)
        if (!find_measured(outlook, &times->phases[i], err))
            return false;
    double executed = (double)times->prefix_occurrences;
    const Stretch behind = {executed, (double)signature->n_occurrences};
    const Stretches rest = stretches_single(&behind);
    Expectation expectation = {0};
    if (outlook->measured.n)
        outlook->noise = noise_of_runs(signature, executed,
                                       stretches_time_s(signature, 0, &outlook->measured) / outlook->measured.n);
    const MachineNoise *given = times->noises;
    outlook->noise_here =
        times->n_noises ? noise_of_levels(given->deviation, given->n_levels, given->base_s) : outlook->noise;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        PhaseOutlook *phase = &outlook->phases[i];
        phase->rest = fmax(0, (double)phase->phase->weight - signature_phase_weight(signature, i, executed));
        count_strata(signature, phase, executed);
        if (!phase->measured)
            continue;
        if (phase->n_strata > 1)
            sample_trace(outlook, phase);
        expect(outlook, i, &rest, &expectation);
    }
    correct(outlook, &expectation, &rest);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        if (outlook->phases[i].n_strata > 1)
            sample_here(outlook, &outlook->phases[i]);
    outlook_balance(outlook, outlook->stretch_variance);
    return add_steps(outlook, steps, stretches_time_s(signature, 0, &rest), arena, err);
}

bool outlook_is_measured(const Outlook *outlook, uint32_t phase_index, uint32_t stratum)
{
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    return phase->measured && (phase->n_strata == 1 || phase->measured->strata[stratum].occurrences);
}

/* The pace of a whole phase, by its shares of path and other time. */
static double phase_pace(const Outlook *outlook, uint32_t phase)
{
    const Stretch run = {0, (double)outlook->signature->n_occurrences};
    const Stretches whole = stretches_single(&run);
    Traced traced = traced_time(outlook, stretches_amount(outlook->signature, phase, signature_phase_time_s, &whole),
                                stretches_amount(outlook->signature, phase, signature_phase_path_s, &whole));
    return traced.time_s > 0 ? translate(outlook, traced) / traced.time_s : outlook->pace;
}

/* The process's mean duration of a phase in the trace, translated to the target. */
static double translated_process_s(const Outlook *outlook, uint32_t phase, uint32_t process)
{
    const ProcessTime *traced = &outlook->phases[phase].phase->processes[process];
    return traced->count ? traced->total_s / (double)traced->count * phase_pace(outlook, phase) : 0;
}

static double duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process)
{
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    if (phase->n_strata == 1) {
        const ProcessTime *measured = phase->measured ? &phase->measured->processes[process] : NULL;
        return measured && measured->count ? measured->total_s / (double)measured->count
                                           : translated_process_s(outlook, phase_index, process);
    }
    const MeasuredStratum *strata = phase->measured->strata;
    uint32_t reference = stratum;
    for (uint32_t i = 0; !strata[reference].processes[process].count && i < phase->n_strata; i++)
        reference = i;
    const ProcessTime *measured = &strata[reference].processes[process];
    if (measured->count)
        return measured->total_s / (double)measured->count * factor_here(outlook, phase, stratum, reference);
    double effort = 0, weight = 0;
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        effort += (double)phase->phase->strata[i].count * strata_ratio(phase->phase->strata, i);
        weight += (double)phase->phase->strata[i].count;
    }
    return effort > 0 ? translated_process_s(outlook, phase_index, process) * weight / effort *
                            strata_ratio(phase->phase->strata, stratum)
                      : 0;
}

double outlook_duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process)
{
    return outlook->process_factors[process] * duration_s(outlook, phase_index, stratum, process);
}

double outlook_mean_s(const Outlook *outlook, uint32_t phase, uint32_t stratum)
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
        return outlook_mean_s(outlook, phase_index, stratum);
    if (phase->n_strata == 1)
        return phase->measured->slowest_mean_s;
    const MeasuredStratum *strata = phase->measured->strata;
    uint32_t reference = stratum;
    for (uint32_t i = 0; !strata[reference].occurrences && i < phase->n_strata; i++)
        reference = i;
    return strata[reference].slowest_mean_s * factor_here(outlook, phase, stratum, reference);
}

Deviation outlook_deviation(const Outlook *outlook)
{
    return deviation_sum(deviation_sum(stretches_deviation(outlook->times), deviation_of(outlook->variance)),
                         drift_to_mean(&outlook->drift, outlook->measured.n_runs));
}
