/* SPDX-License-Identifier: BSD-3-Clause */
/* See scale.h. The unknowns are the logarithms of startup, f, g and h, so that no part becomes negative, and the trend:
 * how much ln f grows with each doubling of the computation. What is known of them beforehand counts like a
 * measurement. So one size is enough, and several say more. */
#include "cost/predict/scale.h"

#include "base/arena.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CONFIDENCE = 0.95;
/* The model's error at a size, as a logarithm, before residuals are known; it counts as PRIOR_SIZES of these. It grows
 * each time that a task takes twice as long as the nearest one that ran, and memory's part when its data double. */
static const double MODEL_DEVIATION = 0.0065, PRIOR_SIZES = 1.7, DOUBLING_DEVIATION = 0.014, DATA_DEVIATION = 0.18;
/* Of the price of memory, with each doubling of the data, up to where caches no longer count. */
static const double GROWTH = 0.43, MOST_BYTES = 60e6;

/* What is expected of the unknowns. */
typedef enum Unknown { STARTUP, COMPUTATION, ORDERED, SCATTERED, TREND, UNKNOWNS } Unknown;
static const double STARTUP_SHARE = 0.002; /* of the shortest task */
static const double STARTUP_DEVIATION = 3.5, COMPUTATION_DEVIATION = 10, TREND_DEVIATION = 0.02;
static const double EXPECTED_BYTES = 8e6; /* of data at which memory has these prices */
static const double ORDERED_FACTOR = 0.3, ORDERED_DEVIATION = 0.5;
static const double SCATTERED_FACTOR = 2.9, SCATTERED_DEVIATION = 1;
static const double MOST_FACTOR = 1000; /* an interval that far either way says nothing */
enum { MOST_STEPS = 200 };

/* The runs of one sample. */
typedef struct Sample {
    TaskParts task;
    double middle, deviation; /* of the logarithms of a task's times; of that middle */
} Sample;

typedef struct Problem {
    Sample *samples;
    size_t n;
    double noise;     /* deviation of a single run */
    double largest_s; /* computation */
    double expected[UNKNOWNS], deviations[UNKNOWNS];
} Problem;

/* How often the task's computation is twice that of the largest sample. */
static double doublings_beyond(const Problem *problem, TaskParts task)
{
    return log2(task.computation_s / problem->largest_s);
}

/* The parts of a task's time; that of the trend is 0. */
static double find_parts(const Problem *problem, const gsl_vector *unknowns, TaskParts task, double *parts_s)
{
    double price = pow(fmin(task.data_bytes, MOST_BYTES) / EXPECTED_BYTES, GROWTH / M_LN2);
    double f =
        exp(gsl_vector_get(unknowns, COMPUTATION) + gsl_vector_get(unknowns, TREND) * doublings_beyond(problem, task));
    parts_s[STARTUP] = exp(gsl_vector_get(unknowns, STARTUP));
    parts_s[COMPUTATION] = f * task.computation_s;
    parts_s[ORDERED] = f * exp(gsl_vector_get(unknowns, ORDERED)) * price * task.ordered_s;
    parts_s[SCATTERED] = f * exp(gsl_vector_get(unknowns, SCATTERED)) * price * task.scattered_s;
    parts_s[TREND] = 0;
    return parts_s[STARTUP] + parts_s[COMPUTATION] + parts_s[ORDERED] + parts_s[SCATTERED];
}

static double predicted_s(const Problem *problem, const gsl_vector *unknowns, TaskParts task)
{
    double parts_s[UNKNOWNS];
    return find_parts(problem, unknowns, task, parts_s);
}

static int residuals(const gsl_vector *unknowns, void *data, gsl_vector *values)
{
    const Problem *problem = data;
    for (size_t i = 0; i < problem->n; i++)
        gsl_vector_set(values, i,
                       (log(predicted_s(problem, unknowns, problem->samples[i].task)) - problem->samples[i].middle) /
                           problem->samples[i].deviation);
    for (size_t k = 0; k < UNKNOWNS; k++)
        gsl_vector_set(values, problem->n + k,
                       (gsl_vector_get(unknowns, k) - problem->expected[k]) / problem->deviations[k]);
    return GSL_SUCCESS;
}

/* The derivatives of the logarithm of a task's time. */
static void find_gradient(const Problem *problem, const gsl_vector *unknowns, TaskParts task, double *gradient)
{
    double time_s = find_parts(problem, unknowns, task, gradient);
    for (size_t k = 0; k < UNKNOWNS; k++)
        gradient[k] /= time_s;
    gradient[COMPUTATION] = 1 - gradient[STARTUP];
    gradient[TREND] = gradient[COMPUTATION] * doublings_beyond(problem, task);
}

static int derivatives(const gsl_vector *unknowns, void *data, gsl_matrix *values)
{
    const Problem *problem = data;
    gsl_matrix_set_zero(values);
    for (size_t i = 0; i < problem->n; i++) {
        double gradient[UNKNOWNS];
        find_gradient(problem, unknowns, problem->samples[i].task, gradient);
        for (size_t k = 0; k < UNKNOWNS; k++)
            gsl_matrix_set(values, i, k, gradient[k] / problem->samples[i].deviation);
    }
    for (size_t k = 0; k < UNKNOWNS; k++)
        gsl_matrix_set(values, problem->n + k, k, 1 / problem->deviations[k]);
    return GSL_SUCCESS;
}

/* The median of the logarithms of a run's times, because a disturbance makes some of them much longer; and the sum of
 * what they are off. */
static double median_of(const CalibrationRun *run, double *off)
{
    double *logarithms = memory_zeroed(run->n_measured, sizeof *logarithms);
    for (size_t i = 0; i < run->n_measured; i++)
        logarithms[i] = log(run->measured_s[i]);
    double median = gsl_stats_median(logarithms, 1, run->n_measured);
    for (size_t i = 0; i < run->n_measured; i++)
        *off += fabs(logarithms[i] - median);
    free(logarithms);
    return median;
}

/* Fills in the samples. The deviation of a single run; 0 if each sample ran once. */
static double noise_of(const Calibration *calibration, Sample *samples)
{
    double off = 0, n = 0;
    for (size_t i = 0; i < calibration->n_runs; i++) {
        const CalibrationRun *run = &calibration->runs[i];
        samples[i] = (Sample){.task = run->predicted, .middle = median_of(run, &off)};
        n += (double)(run->n_measured - 1);
    }
    return n > 0 ? sqrt(M_PI / 2) * off / n : 0;
}

static Problem problem_of(const Calibration *calibration)
{
    Problem problem = {.samples = memory_zeroed(calibration->n_runs, sizeof *problem.samples),
                       .n = calibration->n_runs};
    double shortest = INFINITY, ratio = 0;
    problem.noise = noise_of(calibration, problem.samples);
    for (size_t i = 0; i < problem.n; i++) {
        Sample *sample = &problem.samples[i];
        sample->deviation =
            sqrt(gsl_pow_2(MODEL_DEVIATION) + gsl_pow_2(problem.noise) / (double)calibration->runs[i].n_measured);
        shortest = fmin(shortest, sample->middle);
        problem.largest_s = fmax(problem.largest_s, sample->task.computation_s);
        ratio += (sample->middle - log(task_parts_s(sample->task))) / (double)problem.n;
    }
    const double expected[] = {shortest + log(STARTUP_SHARE), ratio, log(ORDERED_FACTOR), log(SCATTERED_FACTOR), 0};
    const double deviations[] = {STARTUP_DEVIATION, COMPUTATION_DEVIATION, ORDERED_DEVIATION, SCATTERED_DEVIATION,
                                 TREND_DEVIATION};
    memcpy(problem.expected, expected, sizeof expected);
    memcpy(problem.deviations, deviations, sizeof deviations);
    return problem;
}

/* How often a size has to be doubled from the nearest sample's. */
static double doublings_to(const Problem *problem, TaskParts task, double (*size_of)(TaskParts))
{
    double least = INFINITY;
    for (size_t i = 0; i < problem->n; i++)
        least = fmin(least, fabs(log2(size_of(task) / size_of(problem->samples[i].task))));
    return isfinite(least) ? least : 0;
}

static double data_bytes(TaskParts task)
{
    return task.data_bytes;
}

/* The deviation of the next run's logarithm, without its noise and but for the factor that residuals give. */
static double variance_at(const Problem *problem, const gsl_vector *unknowns, const gsl_matrix *covariance,
                          TaskParts task)
{
    double gradient[UNKNOWNS];
    find_gradient(problem, unknowns, task, gradient);
    double memory = gradient[ORDERED] + gradient[SCATTERED];
    double variance = gsl_pow_2(MODEL_DEVIATION) +
                      gsl_pow_2(DOUBLING_DEVIATION * doublings_to(problem, task, task_parts_s)) +
                      gsl_pow_2(memory * DATA_DEVIATION * doublings_to(problem, task, data_bytes));
    for (size_t i = 0; i < UNKNOWNS; i++)
        for (size_t k = 0; k < UNKNOWNS; k++)
            variance += gradient[i] * gradient[k] * gsl_matrix_get(covariance, i, k);
    return variance;
}

static Interval interval_at(const Problem *problem, gsl_multifit_nlinear_workspace *work, TaskParts task)
{
    double squares, degrees = PRIOR_SIZES + (double)problem->n;
    const gsl_vector *unknowns = gsl_multifit_nlinear_position(work), *found = gsl_multifit_nlinear_residual(work);
    gsl_matrix *covariance = gsl_matrix_alloc(UNKNOWNS, UNKNOWNS);
    gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, covariance);
    gsl_blas_ddot(found, found, &squares);
    double variance = variance_at(problem, unknowns, covariance, task) * (PRIOR_SIZES + squares) / degrees;
    double middle = log(predicted_s(problem, unknowns, task) / task_parts_s(task));
    double half = gsl_cdf_tdist_Pinv((1 + CONFIDENCE) / 2, degrees) * sqrt(variance + gsl_pow_2(problem->noise));
    half = fmin(half, log(MOST_FACTOR));
    gsl_matrix_free(covariance);
    return (Interval){exp(middle - half), exp(middle + half)};
}

Interval scale_at(const Calibration *calibration, TaskParts task)
{
    if (!(task.computation_s > 0))
        return (Interval){1, 1};
    int reason;
    Problem problem = problem_of(calibration);
    const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf system = {
        .f = residuals, .df = derivatives, .n = problem.n + UNKNOWNS, .p = UNKNOWNS, .params = &problem};
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, system.n, system.p);
    const gsl_vector_const_view start = gsl_vector_const_view_array(problem.expected, UNKNOWNS);
    /* Where runs follow no law, the best position that was found has a wide interval. */
    gsl_error_handler_t *former = gsl_set_error_handler_off();
    gsl_multifit_nlinear_init(&start.vector, &system, work);
    gsl_multifit_nlinear_driver(MOST_STEPS, 1e-8, 1e-8, 0, NULL, NULL, &reason, work);
    gsl_set_error_handler(former);
    Interval scale = interval_at(&problem, work, task);
    gsl_multifit_nlinear_free(work);
    free(problem.samples);
    return scale;
}
