/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimators.
 *
 *   process   PET = max over processes p of  prefix_p + Σ_i rest_i · f_ip · d_ip + correction + shutdown_p
 *             where prefix_p was measured as it ran, rest_i are the occurrences behind it, f_ip is the share of the
 *             occurrences of phase i in which p takes part, and d_ip its mean duration there; correction:
 * extrapolate.c. slowest   PET = Σ_i weight_i · PhaseET_i, PhaseET_i the mean over occurrences of the slowest process
 * (thesis §4.3); what isn't relevant or wasn't measured is added from the traced run, scaled by the speed.
 *
 * The second charges every phase with whoever was unlucky in it, which in pipelined programs is somebody each time. */
#include "predict/predict.h"

#include "model/application.h"
#include "predict/extrapolate.h"
#include "predict/variation.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the normal distribution: the interval is of 95 %. */
static const double ORDER_QUANTILE = 1.96;

typedef struct Estimate {
    double pet_s;       /* relevant phases */
    double predicted_s; /* everything */
    double executed_s;  /* of predicted_s: what was measured as it ran, and has no error */
    double correction_s, shutdown_s;
    uint32_t process; /* the one that decides; 0 where none does */
} Estimate;

typedef struct Estimator {
    const char *name;
    Estimate (*estimate)(const Outlook *outlook);
    /* For the table of phases: duration of one occurrence, and how many of them the prediction adds up, in a process.
     */
    double (*duration_s)(const Outlook *outlook, uint32_t phase, uint32_t process);
    double (*occurrences)(const Outlook *outlook, uint32_t phase, uint32_t process);
} Estimator;

/* Occurrences of a phase that were not executed and in which the process takes part. */
static double rest_of_process(const Outlook *outlook, uint32_t phase, uint32_t process)
{
    const Phase *traced = &outlook->signature->phases[phase];
    double takes_part = traced->weight ? (double)traced->processes[process].count / (double)traced->weight : 0;
    return outlook->phases[phase].rest * takes_part;
}

static Estimate estimate_process(const Outlook *outlook)
{
    const Signature *signature = outlook->signature;
    Estimate best = {.predicted_s = -1};
    for (uint32_t process = 0; process < signature->application.n_processes; process++) {
        Estimate estimate = {.process = process,
                             .executed_s = outlook->times->prefix_s[process],
                             .correction_s = outlook->correction_s,
                             .shutdown_s = signature->shutdown_s[process] * outlook->speed};
        estimate.predicted_s = estimate.executed_s + estimate.correction_s + estimate.shutdown_s;
        for (uint32_t i = 0; i < signature->n_phases; i++) {
            const Phase *phase = &signature->phases[i];
            double duration_s = outlook_duration_s(outlook, i, process);
            estimate.predicted_s += rest_of_process(outlook, i, process) * duration_s;
            if (phase->relevant)
                estimate.pet_s += (double)phase->processes[process].count * duration_s;
        }
        if (estimate.predicted_s > best.predicted_s)
            best = estimate;
    }
    return best;
}

static double mean_duration_s(const Outlook *outlook, uint32_t phase)
{
    double sum = 0;
    for (uint32_t process = 0; process < outlook->signature->application.n_processes; process++)
        sum += outlook_duration_s(outlook, phase, process);
    return sum / outlook->signature->application.n_processes;
}

static double slowest_duration_s(const Outlook *outlook, uint32_t phase, uint32_t process)
{
    (void)process;
    const MeasuredPhase *measured = outlook->phases[phase].measured;
    return measured ? measured->slowest_mean_s : mean_duration_s(outlook, phase);
}

static double weight(const Outlook *outlook, uint32_t phase, uint32_t process)
{
    (void)process;
    return (double)outlook->signature->phases[phase].weight;
}

static Estimate estimate_slowest(const Outlook *outlook)
{
    const Signature *signature = outlook->signature;
    uint32_t n = signature->application.n_processes;
    Estimate estimate = {.executed_s = gsl_stats_max(outlook->times->startup_s, 1, n),
                         .shutdown_s = gsl_stats_max(signature->shutdown_s, 1, n) * outlook->speed};
    estimate.predicted_s = estimate.executed_s + estimate.shutdown_s;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        double total_s = (double)phase->weight * slowest_duration_s(outlook, i, 0);
        estimate.predicted_s += total_s;
        if (phase->relevant)
            estimate.pet_s += total_s;
    }
    return estimate;
}

static const Estimator estimators[] = {
    {"process", estimate_process, outlook_duration_s, rest_of_process},
    {"slowest", estimate_slowest, slowest_duration_s, weight},
};
enum { N_ESTIMATORS = sizeof estimators / sizeof *estimators };

static const Estimator *find_estimator(const char *name, Err *err)
{
    char names[256] = "";
    for (int i = 0; i < N_ESTIMATORS; i++) {
        if (strcmp(estimators[i].name, name) == 0)
            return &estimators[i];
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", estimators[i].name);
    }
    err_set(err, ERR_USAGE, "no estimator is called `%s`", name);
    err_hint(err, "there are: %s", names);
    return NULL;
}

bool prediction_check_estimator(const char *name, Err *err)
{
    return find_estimator(name, err) != NULL;
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

static void fill_phases(const Outlook *outlook, const Estimator *estimator, uint32_t process, Arena *arena,
                        Prediction *prediction)
{
    const Signature *signature = outlook->signature;
    PhasePrediction *phases = arena_new_array(arena, PhasePrediction, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        double time_s = estimator->duration_s(outlook, i, process), rest = estimator->occurrences(outlook, i, process);
        phases[i] = (PhasePrediction){.id = phase->id,
                                      .n_ticks = phase->n_ticks,
                                      .weight = phase->weight,
                                      .rest = rest,
                                      .time_s = time_s,
                                      .total_s = rest * time_s,
                                      .measured = outlook->phases[i].measured != NULL};
        phases[i].share = prediction->predicted_s > 0 ? phases[i].total_s / prediction->predicted_s : 0;
        if (phase->relevant)
            prediction->set_s += time_s;
        if (phases[i].measured)
            prediction->measured_coverage += phase->share;
    }
    qsort(phases, signature->n_phases, sizeof *phases, by_decreasing_total);
    prediction->phases = phases;
    prediction->n_phases = signature->n_phases;
}

bool predict_run_time(const Signature *signature, const PhaseTimes *times, const char *name, Arena *arena,
                      Prediction *prediction, Err *err)
{
    const Estimator *chosen = find_estimator(name, err);
    if (!chosen)
        return false;
    const char *difference;
    if (application_compare(&signature->application, &times->application, arena, &difference) == APPLICATION_OTHER &&
        (strcmp(difference, times->accepted_difference) != 0 ||
         signature->application.n_processes != times->application.n_processes)) {
        err_set(err, ERR_INPUT, "the times are of another application: %s", difference);
        return err_hint(err, "measure with the signature that you predict with");
    }
    Outlook outlook;
    if (!outlook_make(signature, times, arena, &outlook, err))
        return false;

    Prediction result = {.estimator = chosen->name,
                         .signature_s = times->signature_s,
                         .traced_s = signature->application_s,
                         .speed = outlook.speed,
                         .coverage = signature->coverage,
                         .stationarity = outlook.stationarity,
                         .agreement = times->agreement,
                         .order_variation = order_variation(signature, times),
                         .n_estimates = N_ESTIMATORS};
    Estimate estimate = {0};
    for (int i = 0; i < N_ESTIMATORS; i++) {
        Estimate candidate = estimators[i].estimate(&outlook);
        result.estimates[i].estimator = estimators[i].name;
        result.estimates[i].predicted_s = candidate.predicted_s;
        if (&estimators[i] == chosen)
            estimate = candidate;
    }
    result.predicted_s = estimate.predicted_s;
    result.pet_s = estimate.pet_s;
    result.executed_s = estimate.executed_s;
    result.correction_s = estimate.correction_s;
    result.shutdown_s = estimate.shutdown_s;
    double half_s = hypot((estimate.predicted_s - estimate.executed_s) * outlook_half_width(&outlook),
                          estimate.predicted_s * ORDER_QUANTILE * result.order_variation);
    result.interval_s[0] = fmax(estimate.executed_s, estimate.predicted_s - half_s);
    result.interval_s[1] = estimate.predicted_s + half_s;
    /* The correction takes the traced run's unevenness for the program's. It may have been the machine's. */
    result.interval_s[0] = fmin(result.interval_s[0], estimate.predicted_s - fmax(0, estimate.correction_s));
    result.interval_s[1] = fmax(result.interval_s[1], estimate.predicted_s - fmin(0, estimate.correction_s));
    fill_phases(&outlook, chosen, estimate.process, arena, &result);
    *prediction = result;
    return true;
}
