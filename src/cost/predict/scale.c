/* SPDX-License-Identifier: BSD-3-Clause */
/* See scale.h. The unknowns are the logarithms of startup, f, g and h, so that no part becomes negative; the trend: how
 * much ln f grows with each doubling of the computation; the power of the data with which memory's price grows; and
 * what busy processors beside it cost a task, as a logarithm. What is known of them beforehand counts like a
 * measurement. So one size is enough, and several say more. The laws differ in how well tasks follow the model. */
#include "cost/predict/scale.h"

#include "base/arena.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So that intervals hold in 90 of 100 cases for tasks from which the laws weren't learnt. */
static const double CONFIDENCE = 0.95;
/* From here on, memory no longer costs more. */
static const double MOST_BYTES = 60e6;
/* The noise of the least of several runs: at least, and over its distance from the next one; that distance, if there is
 * one run. */
static const double NOISE_LEAST = 0.019, NOISE_FACTOR = 0.55, SINGLE_RUN = 0.07;
/* Deviation of memory's part, each time that the data double from the nearest size that ran. */
static const double DATA_DEVIATION = 0.12;

/* How tasks may follow the model, and which share of them does: of those whose data malloc() takes from memory that was
 * freed before, and of those with more data (SCALE_REUSED_BYTES). Deviations of logarithms: of each size; of each
 * doubling from the nearest size that ran; of the trend. */
typedef struct Law {
    double share, fresh_share, model, doubling, trend;
} Law;
static const Law laws[] = {
    {0.68, 0.0018, 0.0044, 0.00091, 0.012},
    {0.11, 0.016, 0.23, 0.0091, 0.049},
    {0.19, 0.0018, 0.041, 0.036, 0.084},
    {0.026, 0.98, 1.2, 0.055, 0.073},
};
enum { LAWS = sizeof laws / sizeof *laws };

/* What is expected of the unknowns. */
typedef enum Unknown { STARTUP, COMPUTATION, ORDERED, SCATTERED, TREND, GROWTH, SHARING, UNKNOWNS } Unknown;
static const double STARTUP_SHARE = 0.002; /* of the shortest task */
static const double EXPECTED_BYTES = 8e6;  /* of data at which memory has these prices */
static const double ORDERED_FACTOR = 0.15, SCATTERED_FACTOR = 1.7, GROWTH_POWER = 0.4, SHARING_EXPECTED = 0.2;
static const double STARTUP_DEVIATION = 3.5, COMPUTATION_DEVIATION = 10, ORDERED_DEVIATION = 0.5,
                    SCATTERED_DEVIATION = 0.7, GROWTH_DEVIATION = 0.1, SHARING_DEVIATION = 0.3;
static const double MOST_FACTOR = 1000; /* an interval that far either way says nothing */
enum { MOST_STEPS = 200, MOST_HALVINGS = 60 };

/* A size on a number of workers. */
typedef struct Sample {
    TaskParts task;
    double busy;
    double least; /* the logarithm of the shortest run */
} Sample;

typedef struct Problem {
    Sample *samples;
    size_t n;
    double noise;     /* deviation of the logarithm of the shortest of a sample's runs */
    double deviation; /* of a sample, by the law */
    double largest_s; /* computation */
    double expected[UNKNOWNS], deviations[UNKNOWNS];
} Problem;

/* What a law says of the tasks that are predicted: logarithms. */
typedef struct Outcome {
    double evidence, middle, deviation;
} Outcome;

/* How often the task's computation is twice that of the largest sample. */
static double doublings_beyond(const Problem *problem, TaskParts task)
{
    return log2(task.computation_s / problem->largest_s);
}

static double data_doublings(TaskParts task)
{
    return log2(fmax(fmin(task.data_bytes, MOST_BYTES), 1) / EXPECTED_BYTES);
}

/* The parts of a task's time that unknowns multiply; their sum. */
static double find_parts(const Problem *problem, const gsl_vector *unknowns, TaskParts task, double busy,
                         double *parts_s)
{
    double price = exp(gsl_vector_get(unknowns, GROWTH) * data_doublings(task));
    double shared = exp(gsl_vector_get(unknowns, SHARING) * busy);
    double f = shared * exp(gsl_vector_get(unknowns, COMPUTATION) +
                            gsl_vector_get(unknowns, TREND) * doublings_beyond(problem, task));
    parts_s[STARTUP] = shared * exp(gsl_vector_get(unknowns, STARTUP));
    parts_s[COMPUTATION] = f * task.computation_s;
    parts_s[ORDERED] = f * exp(gsl_vector_get(unknowns, ORDERED)) * price * task.ordered_s;
    parts_s[SCATTERED] = f * exp(gsl_vector_get(unknowns, SCATTERED)) * price * task.scattered_s;
    return parts_s[STARTUP] + parts_s[COMPUTATION] + parts_s[ORDERED] + parts_s[SCATTERED];
}

/* The logarithm of a task's time, and its derivatives. */
static double find_gradient(const Problem *problem, const gsl_vector *unknowns, TaskParts task, double busy,
                            double *gradient)
{
    double time_s = find_parts(problem, unknowns, task, busy, gradient);
    for (size_t k = STARTUP; k <= SCATTERED; k++)
        gradient[k] /= time_s;
    gradient[COMPUTATION] = 1 - gradient[STARTUP];
    gradient[TREND] = gradient[COMPUTATION] * doublings_beyond(problem, task);
    gradient[GROWTH] = (gradient[ORDERED] + gradient[SCATTERED]) * data_doublings(task);
    gradient[SHARING] = busy;
    return log(time_s);
}

static int residuals(const gsl_vector *unknowns, void *data, gsl_vector *values)
{
    const Problem *problem = data;
    double gradient[UNKNOWNS];
    for (size_t i = 0; i < problem->n; i++) {
        const Sample *sample = &problem->samples[i];
        double middle = find_gradient(problem, unknowns, sample->task, sample->busy, gradient);
        gsl_vector_set(values, i, (middle - sample->least) / problem->deviation);
    }
    for (size_t k = 0; k < UNKNOWNS; k++)
        gsl_vector_set(values, problem->n + k,
                       (gsl_vector_get(unknowns, k) - problem->expected[k]) / problem->deviations[k]);
    return GSL_SUCCESS;
}

static int derivatives(const gsl_vector *unknowns, void *data, gsl_matrix *values)
{
    const Problem *problem = data;
    gsl_matrix_set_zero(values);
    for (size_t i = 0; i < problem->n; i++) {
        double gradient[UNKNOWNS];
        find_gradient(problem, unknowns, problem->samples[i].task, problem->samples[i].busy, gradient);
        for (size_t k = 0; k < UNKNOWNS; k++)
            gsl_matrix_set(values, i, k, gradient[k] / problem->deviation);
    }
    for (size_t k = 0; k < UNKNOWNS; k++)
        gsl_matrix_set(values, problem->n + k, k, 1 / problem->deviations[k]);
    return GSL_SUCCESS;
}

/* The logarithm of the shortest run, because other programs only make runs longer; and how far the next one is. */
static double least_of(const CalibrationRun *run, double *distance)
{
    double least[2] = {0, 0};
    gsl_sort_smallest(least, run->n_measured < 2 ? 1 : 2, run->measured_s, 1, run->n_measured);
    *distance = run->n_measured < 2 ? SINGLE_RUN : log(least[1] / least[0]);
    return log(least[0]);
}

static Problem problem_of(const Calibration *calibration)
{
    Problem problem = {.samples = memory_zeroed(calibration->n_runs, sizeof *problem.samples),
                       .n = calibration->n_runs};
    double shortest = INFINITY, ratio = 0, distance;
    for (size_t i = 0; i < problem.n; i++) {
        const CalibrationRun *run = &calibration->runs[i];
        Sample *sample = &problem.samples[i];
        *sample = (Sample){.task = run->predicted, .busy = run->busy, .least = least_of(run, &distance)};
        shortest = fmin(shortest, sample->least);
        problem.largest_s = fmax(problem.largest_s, sample->task.computation_s);
        ratio += (sample->least - log(task_parts_s(sample->task))) / (double)problem.n;
        problem.noise += NOISE_FACTOR * distance / (double)problem.n;
    }
    problem.noise = hypot(NOISE_LEAST, problem.noise);
    const double expected[] = {shortest + log(STARTUP_SHARE),
                               ratio,
                               log(ORDERED_FACTOR),
                               log(SCATTERED_FACTOR),
                               0,
                               GROWTH_POWER,
                               SHARING_EXPECTED};
    const double deviations[] = {STARTUP_DEVIATION, COMPUTATION_DEVIATION, ORDERED_DEVIATION, SCATTERED_DEVIATION, 1,
                                 GROWTH_DEVIATION,  SHARING_DEVIATION};
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

/* What a sample takes beside the law, tasks of the same size on as many workers take, too: 1; 0 from twice the size on. */
static double likeness_of(const Problem *problem, TaskParts task, double busy, size_t *nearest)
{
    double most = 0;
    for (size_t i = 0; i < problem->n; i++) {
        const Sample *sample = &problem->samples[i];
        double likeness = 1 - fabs(log2(task_parts_s(task) / task_parts_s(sample->task)));
        if (sample->busy == busy && likeness > most) {
            most = likeness;
            *nearest = i;
        }
    }
    return most;
}

static double form(const gsl_matrix *covariance, const double *gradient)
{
    double sum = 0;
    for (size_t i = 0; i < UNKNOWNS; i++)
        for (size_t k = 0; k < UNKNOWNS; k++)
            sum += gradient[i] * gradient[k] * gsl_matrix_get(covariance, i, k);
    return sum;
}

/* The probability of the samples by a law, but for a constant: what the fit leaves over, and the share of the unknowns'
 * expected range that fits (Laplace's approximation). */
static double evidence_of(const Problem *problem, double share, const gsl_matrix *root, double squares)
{
    double logarithm = log(share) - squares / 2 - (double)problem->n * log(problem->deviation);
    for (size_t k = 0; k < UNKNOWNS; k++)
        logarithm -= log(problem->deviations[k]) + log(gsl_matrix_get(root, k, k));
    return logarithm;
}

/* Where samples are farther off than the law says, its deviations are as much larger. */
static Outcome outcome_of(const Problem *problem, const Law *law, gsl_multifit_nlinear_workspace *work, TaskParts task,
                          double busy)
{
    double squares, gradient[UNKNOWNS];
    const gsl_vector *found = gsl_multifit_nlinear_residual(work);
    gsl_matrix *matrix = gsl_matrix_alloc(UNKNOWNS, UNKNOWNS);
    gsl_blas_ddot(found, found, &squares);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, gsl_multifit_nlinear_jac(work), gsl_multifit_nlinear_jac(work), 0,
                   matrix);
    gsl_linalg_cholesky_decomp1(matrix);
    double share = task.data_bytes > SCALE_REUSED_BYTES ? law->fresh_share : law->share;
    Outcome outcome = {.evidence = evidence_of(problem, share, matrix, squares)};
    gsl_linalg_cholesky_invert(matrix);
    outcome.middle = find_gradient(problem, gsl_multifit_nlinear_position(work), task, busy, gradient);
    double memory = gradient[ORDERED] + gradient[SCATTERED];
    double variance = gsl_pow_2(law->model) + gsl_pow_2(law->doubling * doublings_to(problem, task, task_parts_s)) +
                      gsl_pow_2(memory * DATA_DEVIATION * doublings_to(problem, task, data_bytes)) +
                      form(matrix, gradient);
    size_t nearest = 0;
    double likeness = likeness_of(problem, task, busy, &nearest);
    if (likeness > 0)
        outcome.middle -= likeness * problem->deviation * gsl_vector_get(found, nearest);
    variance = (1 - gsl_pow_2(likeness)) * variance + (1 + gsl_pow_2(likeness)) * gsl_pow_2(problem->noise);
    outcome.deviation = sqrt(variance * fmax(1, squares / (double)problem->n));
    gsl_matrix_free(matrix);
    return outcome;
}

static Outcome try_law(Problem *problem, const Law *law, TaskParts task, double busy)
{
    int reason;
    const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf system = {
        .f = residuals, .df = derivatives, .n = problem->n + UNKNOWNS, .p = UNKNOWNS, .params = problem};
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, system.n, system.p);
    const gsl_vector_const_view start = gsl_vector_const_view_array(problem->expected, UNKNOWNS);
    problem->deviation = hypot(law->model, problem->noise);
    problem->deviations[TREND] = law->trend;
    /* Where runs follow no law, the best position that was found has a wide interval. */
    gsl_error_handler_t *former = gsl_set_error_handler_off();
    gsl_multifit_nlinear_init(&start.vector, &system, work);
    gsl_multifit_nlinear_driver(MOST_STEPS, 1e-8, 1e-8, 0, NULL, NULL, &reason, work);
    Outcome outcome = outcome_of(problem, law, work, task, busy);
    gsl_set_error_handler(former);
    gsl_multifit_nlinear_free(work);
    return outcome;
}

/* The probability of a shorter task: each law counts by its evidence. */
static double share_below(const Outcome *outcomes, double logarithm)
{
    double most = outcomes[0].evidence, sum = 0, below = 0;
    for (size_t i = 1; i < LAWS; i++)
        most = fmax(most, outcomes[i].evidence);
    for (size_t i = 0; i < LAWS; i++) {
        double weight = exp(outcomes[i].evidence - most);
        sum += weight;
        below += weight * gsl_cdf_ugaussian_P((logarithm - outcomes[i].middle) / outcomes[i].deviation);
    }
    return below / sum;
}

static double quantile(const Outcome *outcomes, double share, double low, double high)
{
    for (int i = 0; i < MOST_HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(share_below(outcomes, middle) < share ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

Interval scale_at(const Calibration *calibration, TaskParts task, double busy)
{
    if (!(task.computation_s > 0))
        return (Interval){1, 1};
    Outcome outcomes[LAWS];
    Problem problem = problem_of(calibration);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < LAWS; i++) {
        outcomes[i] = try_law(&problem, &laws[i], task, busy);
        least = fmin(least, outcomes[i].middle - log(MOST_FACTOR));
        most = fmax(most, outcomes[i].middle + log(MOST_FACTOR));
    }
    free(problem.samples);
    return (Interval){exp(quantile(outcomes, (1 - CONFIDENCE) / 2, least, most)) / task_parts_s(task),
                      exp(quantile(outcomes, (1 + CONFIDENCE) / 2, least, most)) / task_parts_s(task)};
}
