/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimators. Each stratum of a phase is a phase of its own in these sums.
 *
 *    process   PET = max over processes p of prefix_p + Σ_i rest_i · f_ip · d_ip + correction
 *                    + shutdown_p
 *              prefix_p is the measured time of the prefix. rest_i is the number of occurrences of
 *              phase i after it. f_ip is the share of them in which p takes part, and d_ip is
 *              their mean duration in p. extrapolate.c explains the correction.
 *    slowest   PET = Σ_i weight_i · PhaseET_i
 *              PhaseET_i is the mean over occurrences of the slowest process's duration (thesis
 *              §4.3). Phases that aren't relevant or weren't measured take the traced time × pace.
 *
 * On the traced machine itself, the traced run tells more than a short measurement: the rest of it
 * took R_t, and is predicted to take R here. As far as R is within the noise of R_t, R_t is the better
 * prediction, unless other programs slowed it down. So
 *
 *    R  becomes  R_t · (R / R_t)^kept        kept = max(0, 1 - v / log²(R / R_t))
 *
 * with the variance v of R (James and Stein). If R without the correction is nearer to R_t, the
 * correction is left out: then the traced run was disturbed in the measured stretch. Where a rank has
 * half a processor instead of a whole one, R is far outside of the noise, and stays as it is.
 *
 * All times above were measured while the recorder ran, here and in the traced run. The prediction is
 * of the run without it. So calls_p · cost is taken off last, with the calls of the process in the
 * traced run, and what recording one call costs on the target. The estimator `process` takes each
 * process's own calls before it looks for the maximum: what only some processes paid may be hidden
 * while they wait for the others.
 *
 * The estimator `slowest` charges each phase with its slowest process. In a pipelined program, some
 * process is slow in each occurrence, so the sum is too high. */
#include "signature/predict/predict.h"

#include "signature/predict/extrapolate.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Quantile of the normal distribution for an interval of 95 %. */
static const double ORDER_QUANTILE = 1.96;

/* What recording costs is known to this share, as the half width of an interval. More than the
 * second share of a prediction is never taken off. */
static const double RECORDING_DOUBT = 0.5, RECORDING_MOST = 0.5;

typedef struct Estimate {
    double predicted_s;
    double executed_s; /* of predicted_s: the part that was executed and measured, and has no
                           error */
    double correction_s, drawn_s, shutdown_s;
    double recording_s; /* not yet part of predicted_s */
    double scaled_s;    /* predicted_s minus the prediction in which unmeasured strata take the
                           base's time */
    uint32_t process;   /* the process that decides the maximum; 0 by `slowest` */
} Estimate;

typedef struct Estimator Estimator;

struct Estimator {
    const char *name;
    Estimate (*estimate)(const Outlook *outlook, const Estimator *self);
    /* For the table of phases: duration of one occurrence in a process, and the number of
     * occurrences that the prediction adds up. */
    double (*duration_s)(const Outlook *outlook, uint32_t phase, uint32_t stratum, uint32_t process);
    double (*occurrences)(const Outlook *outlook, uint32_t phase, uint32_t stratum, uint32_t process);
    bool is_drawn; /* towards the traced run, on the same machine */
};

/* Adds the times of all phases, stratum by stratum. */
static void add_phases(const Outlook *outlook, const Estimator *estimator, uint32_t process, Estimate *estimate)
{
    for (uint32_t i = 0; i < outlook->signature->n_phases; i++) {
        const PhaseOutlook *phase = &outlook->phases[i];
        double base_s = estimator->duration_s(outlook, i, 0, process);
        for (uint32_t k = 0; k < phase->n_strata; k++) {
            double duration_s = estimator->duration_s(outlook, i, k, process),
                   occurrences = estimator->occurrences(outlook, i, k, process);
            estimate->predicted_s += occurrences * duration_s;
            if (phase->n_strata > 1 && !outlook_is_measured(outlook, i, k))
                estimate->scaled_s += occurrences * (duration_s - base_s);
        }
    }
}

/* Minus what the recorder takes of a process's time. Further steps have as many calls for an occurrence. */
static double recording_s(const Outlook *outlook, uint32_t process)
{
    const Signature *signature = outlook->signature;
    const FurtherSteps *further = &outlook->further;
    double length =
        1 + further->iterations * (double)further->period.occurrences / fmax(1, (double)signature->n_occurrences);
    return process < signature->n_recorded
               ? 0 - length * (double)signature->recorded_calls[process] * fmax(0, outlook->times->recording_cost_s)
               : 0;
}

static Estimate estimate_process(const Outlook *outlook, const Estimator *self)
{
    const Signature *signature = outlook->signature;
    Estimate best = {0};
    for (uint32_t process = 0; process < signature->application.n_processes; process++) {
        Estimate estimate = {.process = process,
                             .executed_s = outlook->times->prefix_s[process],
                             .correction_s = outlook->correction_s,
                             .recording_s = recording_s(outlook, process),
                             .shutdown_s = signature->shutdown_s[process] * outlook->pace};
        estimate.predicted_s = estimate.executed_s + estimate.correction_s + estimate.shutdown_s;
        add_phases(outlook, self, process, &estimate);
        if (!process || estimate.predicted_s + estimate.recording_s > best.predicted_s + best.recording_s)
            best = estimate;
    }
    return best;
}

static double slowest_duration_s(const Outlook *outlook, uint32_t phase, uint32_t stratum, uint32_t process)
{
    (void)process;
    return outlook_slowest_s(outlook, phase, stratum);
}

static double weight(const Outlook *outlook, uint32_t phase, uint32_t stratum, uint32_t process)
{
    (void)process;
    return outlook->phases[phase].stratum_weight[stratum];
}

static Estimate estimate_slowest(const Outlook *outlook, const Estimator *self)
{
    const Signature *signature = outlook->signature;
    uint32_t n = signature->application.n_processes;
    Estimate estimate = {.executed_s = gsl_stats_max(outlook->times->startup_s, 1, n),
                         .shutdown_s = gsl_stats_max(signature->shutdown_s, 1, n) * outlook->pace};
    estimate.predicted_s = estimate.executed_s + estimate.shutdown_s;
    estimate.recording_s = recording_s(outlook, 0);
    for (uint32_t process = 1; process < n; process++) /* what all processes paid */
        estimate.recording_s = fmax(estimate.recording_s, recording_s(outlook, process));
    add_phases(outlook, self, 0, &estimate);
    return estimate;
}

static const Estimator estimators[] = {
    {"process", estimate_process, outlook_duration_s, outlook_rest, true},
    {"slowest", estimate_slowest, slowest_duration_s, weight, false},
};
enum { N_ESTIMATORS = sizeof estimators / sizeof *estimators };
_Static_assert(N_ESTIMATORS <= sizeof((Prediction){0}.estimates) / sizeof *(Prediction){0}.estimates,
               "a prediction holds every estimator's answer");

static const Estimator *find_estimator(const char *name, Err *err)
{
    char names[256] = "";
    for (int i = 0; i < N_ESTIMATORS; i++) {
        if (strcmp(estimators[i].name, name) == 0)
            return &estimators[i];
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", estimators[i].name);
    }
    err_set(err, ERR_USAGE, "unknown estimator: `%s`", name);
    err_hint(err, "choose one of: %s", names);
    return NULL;
}

const char *prediction_estimator_name(size_t index)
{
    return index < N_ESTIMATORS ? estimators[index].name : NULL;
}

double prediction_error_percent(double predicted_s, double actual_s)
{
    return 100 * fabs(predicted_s - actual_s) / actual_s;
}

static int by_decreasing_total(const void *left, const void *right)
{
    const PhasePrediction *a = left, *b = right;
    if (a->total_s != b->total_s)
        return a->total_s > b->total_s ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static uint64_t weight_of(const Outlook *outlook, uint32_t index)
{
    double further = outlook->further.iterations * outlook->further.weights[index];
    return (uint64_t)llround(fmax(0, (double)outlook->phases[index].phase->weight + further));
}

static PhasePrediction predict_phase(const Outlook *outlook, const Estimator *estimator, uint32_t index,
                                     uint32_t process, Arena *arena)
{
    const PhaseOutlook *outlook_of = &outlook->phases[index];
    const Phase *phase = outlook_of->phase;
    PhasePrediction result = {.id = phase->id,
                              .n_ticks = phase->n_ticks,
                              .weight = weight_of(outlook, index),
                              .measured = outlook_of->measured != NULL,
                              .phase = phase};
    StratumPrediction *strata = arena_new_array(arena, StratumPrediction, outlook_of->n_strata);
    double all_s = 0;
    for (uint32_t k = 0; k < outlook_of->n_strata; k++) {
        StratumPrediction *stratum = &strata[k];
        *stratum = (StratumPrediction){.weight = outlook_of->stratum_weight[k],
                                       .rest = estimator->occurrences(outlook, index, k, process),
                                       .time_s = estimator->duration_s(outlook, index, k, process),
                                       .measured = outlook_is_measured(outlook, index, k)};
        stratum->total_s = stratum->rest * stratum->time_s;
        result.rest += stratum->rest;
        result.total_s += stratum->total_s;
        all_s += stratum->weight * stratum->time_s;
    }
    result.time_s = result.weight ? all_s / (double)result.weight : 0;
    if (outlook_of->n_strata > 1) {
        result.strata = strata;
        result.n_strata = outlook_of->n_strata;
    }
    return result;
}

/* The measured mean of the slowest process (PhaseET), as it is. What wasn't measured is scaled. */
static double phase_et_s(const Outlook *outlook, uint32_t index, uint32_t stratum)
{
    const PhaseOutlook *phase = &outlook->phases[index];
    return phase->n_strata > 1 && phase->measured->strata[stratum].occurrences
               ? phase->measured->strata[stratum].slowest_mean_s
               : outlook_slowest_s(outlook, index, stratum);
}

/* Equation 4.1 of the thesis, whatever the estimator: each relevant phase counts with its slowest
 * process. Strata count like phases. */
static void fill_terms_of_the_thesis(const Outlook *outlook, Prediction *prediction)
{
    for (uint32_t i = 0; i < outlook->signature->n_phases; i++) {
        const PhaseOutlook *phase = &outlook->phases[i];
        double total_s = 0;
        for (uint32_t k = 0; k < phase->n_strata; k++)
            total_s += phase->stratum_weight[k] * phase_et_s(outlook, i, k);
        if (!phase->phase->relevant || !phase->phase->weight)
            continue;
        prediction->pet_s += total_s;
        prediction->set_s += total_s / (double)phase->phase->weight;
    }
}

static void fill_phases(const Outlook *outlook, const Estimator *estimator, uint32_t process, Arena *arena,
                        Prediction *prediction)
{
    const Signature *signature = outlook->signature;
    PhasePrediction *phases = arena_new_array(arena, PhasePrediction, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        phases[i] = predict_phase(outlook, estimator, i, process, arena);
        phases[i].share = prediction->predicted_s > 0 ? phases[i].total_s / prediction->predicted_s : 0;
        if (phases[i].measured)
            prediction->measured_coverage += signature->phases[i].share;
    }
    qsort(phases, signature->n_phases, sizeof *phases, by_decreasing_total);
    prediction->phases = phases;
    prediction->n_phases = signature->n_phases;
}

/* Impossible times, such as a stretch of duration 0, cause divisions by zero. */
static bool is_finite(const Prediction *prediction)
{
    bool fine = isfinite(prediction->interval_s[0]) && isfinite(prediction->interval_s[1]) &&
                isfinite(prediction->pace) && isfinite(prediction->stationarity) &&
                isfinite(prediction->order_variation) && isfinite(prediction->pet_s) && isfinite(prediction->set_s);
    for (uint32_t i = 0; i < prediction->n_estimates; i++)
        fine = fine && isfinite(prediction->estimates[i].predicted_s);
    for (uint32_t i = 0; i < prediction->n_phases; i++)
        fine = fine && isfinite(prediction->phases[i].total_s) && isfinite(prediction->phases[i].share);
    return fine;
}

/* By how much more the other programs may slow a whole run down than they slowed the measured windows
 * down. A window of a few milliseconds passes between two turns of the others; the warm-ups before
 * it had to wait for them. */
static double further_slowdown(const Outlook *outlook)
{
    const StateCosts *costs = &outlook->times->costs;
    double factor = costs->warmup_s / costs->traced_warmup_s / outlook->pace;
    return isfinite(factor) ? fmax(1, factor) : 1;
}

/* What wasn't executed, in the traced run, with the typical iterations that it has more or less here. Of several runs,
 * their geometric mean. */
static double traced_rest_s(const Outlook *outlook)
{
    const Signature *signature = outlook->signature;
    double prefix = (double)outlook->times->prefix_occurrences, sum = 0;
    const Stretch behind = {prefix, (double)signature->n_occurrences};
    const Stretches rest = stretches_single(&behind);
    for (uint32_t run = 1; run <= signature->n_repeats; run++)
        sum += log(stretches_time_s(signature, run, &rest) / stretches_time_s(signature, 0, &rest));
    double factor = exp(sum / (signature->n_repeats + 1));
    double rest_s = signature->application_s - signature_time_s(signature, prefix) +
                    outlook->further.iterations * outlook->further.iteration_s;
    return rest_s * (isfinite(factor) ? factor : 1);
}

/* The logarithm by which what wasn't executed differs from the traced run. */
static double difference_to_trace(const Estimate *estimate, double traced_s)
{
    return log((estimate->predicted_s - estimate->executed_s) / traced_s);
}

/* Draws an estimate towards the traced run of the same machine. Returns the share that is kept of
 * the difference. *deviation: relative, of what wasn't executed. */
static double draw_to_trace(const Outlook *outlook, Estimate *estimate, Deviation *deviation)
{
    Estimate uncorrected = *estimate;
    uncorrected.predicted_s -= estimate->correction_s;
    uncorrected.correction_s = 0;
    double traced_s = traced_rest_s(outlook);
    if (fabs(difference_to_trace(&uncorrected, traced_s)) < fabs(difference_to_trace(estimate, traced_s)))
        *estimate = uncorrected;
    double open_s = estimate->predicted_s - estimate->executed_s, difference = difference_to_trace(estimate, traced_s);
    if (!isfinite(difference))
        return 1;
    double kept = shrinkage(difference, deviation->variance), drawn_s = open_s * exp((kept - 1) * difference) - open_s,
           to_mean =
               (1 + 1 / (outlook->signature->n_repeats + 1.0)) / 2; /* from a run to the mean of the traced ones */
    estimate->predicted_s += drawn_s;
    estimate->drawn_s = drawn_s;
    *deviation = deviation_sum(
        deviation_sum(deviation_scaled(*deviation, kept * kept),
                      deviation_of(pow((1 - kept) * difference, 2) + (1 - kept) * outlook->another_variance * to_mean)),
        deviation_scaled(outlook->drift, (1 - kept) * to_mean));
    return kept;
}

/* The interval keeps its relative width. */
static void take_off_recording(Prediction *prediction)
{
    double with_s = prediction->predicted_s;
    prediction->predicted_s += prediction->recording_s;
    for (int i = 0; i < 2 && with_s > 0; i++)
        prediction->interval_s[i] *= prediction->predicted_s / with_s;
}

/* half_width: relative, of what wasn't executed. */
static void fill_interval(const Outlook *outlook, const Estimate *estimate, double half_width, Prediction *result)
{
    double half_s = hypot(hypot((estimate->predicted_s - estimate->executed_s) * half_width,
                                estimate->predicted_s * ORDER_QUANTILE * result->order_variation),
                          estimate->recording_s * RECORDING_DOUBT);
    /* The interval reaches as far down as up, as a factor of what is predicted. So its lower end
     * never reaches 0. */
    double open_s = estimate->predicted_s - estimate->executed_s;
    result->slowdown = slowdown_by_others(outlook->signature->application.n_processes, outlook->times->busy_processors,
                                          outlook->times->n_processors);
    /* What was executed was measured exactly, but another run differs in it, too. */
    double executed_half_s =
        estimate->executed_s * deviation_half_width(drift_to_mean(&outlook->drift, outlook->measured.n_runs));
    result->interval_s[0] =
        (estimate->executed_s > 0 ? estimate->executed_s / (1 + executed_half_s / estimate->executed_s) : 0) +
        (open_s > 0 ? open_s / (1 + half_s / open_s) : 0);
    result->interval_s[1] = estimate->predicted_s + executed_half_s + half_s;
    result->interval_s[0] /= result->slowdown;
    if (result->slowdown > 1) /* the others may also become as many again */
        result->interval_s[1] *= fmax(result->slowdown, further_slowdown(outlook));
    /* The correction, and strata that weren't measured, assume that the program made the traced run
     * uneven. The machine may have done so. So the interval reaches to the prediction without
     * either. */
    result->interval_s[0] = fmin(result->interval_s[0],
                                 estimate->predicted_s - fmax(0, estimate->correction_s) - fmax(0, estimate->scaled_s));
    result->interval_s[1] = fmax(result->interval_s[1],
                                 estimate->predicted_s - fmin(0, estimate->correction_s) - fmin(0, estimate->scaled_s));
}

/* Whether the times are of the signature's application, and of places in its sequence. */
static bool check_times(const Signature *signature, const PhaseTimes *times, Arena *arena, Err *err)
{
    if (!times_check_application(times, &signature->application, arena, err))
        return false;
    if (!times->n_windows)
        return err_set(err, ERR_INPUT, "the phase times hold no window, so nothing was measured");
    for (uint32_t i = 0; i < times->n_windows; i++)
        if (times->windows[i].to_occurrence > signature->n_occurrences)
            return err_set(err, ERR_INPUT, "the phase times hold occurrences up to %lu, and the signature has %lu",
                           (unsigned long)times->windows[i].to_occurrence, (unsigned long)signature->n_occurrences);
    if (times->prefix_occurrences > signature->n_occurrences)
        return err_set(err, ERR_INPUT, "the phase times are of a prefix of %lu occurrences, and the signature has %lu",
                       (unsigned long)times->prefix_occurrences, (unsigned long)signature->n_occurrences);
    return times_pace(times) > 0 || err_set(err, ERR_INPUT, "the phase times hold windows that took no time");
}

bool predict_run_time(const Signature *signature, const PhaseTimes *times, const char *name, Arena *arena,
                      Prediction *prediction, Err *err)
{
    return predict_steps_time(signature, times, name, 1, arena, prediction, err);
}

bool predict_steps_time(const Signature *signature, const PhaseTimes *times, const char *name, double steps,
                        Arena *arena, Prediction *prediction, Err *err)
{
    const Estimator *chosen = find_estimator(name, err);
    if (!chosen)
        return false;
    Outlook outlook;
    if (!check_times(signature, times, arena, err) || !outlook_make(signature, times, steps, arena, &outlook, err))
        return false;

    const SequencePeriod *loop = &outlook.further.period;
    Prediction result = {.estimator = chosen->name,
                         .steps = steps,
                         .loop_times = loop->times,
                         .loop_share = loop->time_s * (double)loop->times / signature->application_s,
                         .signature_s = times->signature_s,
                         .is_whole_run = signature->complete,
                         .planned_states = times->planned_states,
                         .measured_states = times->measured_states,
                         .traced_s = signature->application_s,
                         .pace = outlook.pace,
                         .coverage = signature->coverage,
                         .events_per_s = signature_events_per_s(signature),
                         .stationarity = outlook.stationarity,
                         .agreement = times->agreement,
                         .drift = deviation_half_width(outlook.drift),
                         .traced_slowdown = fmax(1, signature->slowdown),
                         .traced_runs = outlook.is_traced_machine ? signature->n_repeats + 1 : 0,
                         .order_variation = order_variation(signature, times),
                         .n_estimates = N_ESTIMATORS};
    Estimate estimate = {0};
    double half_width = 0;
    for (int i = 0; i < N_ESTIMATORS; i++) {
        Estimate candidate = estimators[i].estimate(&outlook, &estimators[i]);
        Deviation deviation = outlook_deviation(&outlook);
        double kept = 1;
        if (estimators[i].is_drawn && outlook.is_traced_machine && !(signature->slowdown > 1))
            kept = draw_to_trace(&outlook, &candidate, &deviation);
        candidate.recording_s = fmax(candidate.recording_s, -RECORDING_MOST * candidate.predicted_s);
        result.estimates[i].estimator = estimators[i].name;
        result.estimates[i].predicted_s = candidate.predicted_s + candidate.recording_s;
        if (&estimators[i] != chosen)
            continue;
        estimate = candidate;
        half_width = deviation_half_width(deviation);
        result.same_machine = kept;
    }
    result.executed_s = estimate.executed_s;
    result.correction_s = estimate.correction_s;
    result.drawn_s = estimate.drawn_s;
    result.recording_s = estimate.recording_s;
    result.shutdown_s = estimate.shutdown_s;
    fill_interval(&outlook, &estimate, half_width, &result);
    result.predicted_s = estimate.predicted_s;
    take_off_recording(&result);
    fill_phases(&outlook, chosen, estimate.process, arena, &result);
    fill_terms_of_the_thesis(&outlook, &result);
    if (!is_finite(&result))
        return err_set(err, ERR_INPUT, "these phase times give no finite prediction") ||
               err_hint(err, "if the file is damaged or was edited, run firma measure again");
    *prediction = result;
    return true;
}
