/* SPDX-License-Identifier: BSD-3-Clause */
/* See line.h. Uses iteratively reweighted least squares. The first rounds use Huber's weights,
 * which converge to the same line from any start; the others use Tukey's. The weights are 1/t²,
 * where t is the line's time. (With measured times, the line would favour times that are too
 * short.) The variance is that of an M-estimate (Huber, Robust Statistics, section 7.6). */
#include "comm/line.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Which parameters are fitted: both, the slope (α = 0), or α (slope = 0). */
typedef enum LineShape { SHAPE_FREE, SHAPE_PROPORTIONAL, SHAPE_CONSTANT } LineShape;

static const double HUBER = 1.345, TUKEY = 4.685; /* 95 % efficient for normal errors */
enum { HUBER_ROUNDS = 6, ROUNDS = 30 };

typedef struct ShapedLine {
    double alpha, slope, cost;
} ShapedLine;

/* The deviation of a point's time. A free line may have negative times; a tenth of the measured
 * time bounds the deviation from below. */
static double deviation_s(const LineData *data, const ShapedLine *line, size_t i)
{
    return data->noise[i] * fmax(line->alpha + line->slope * data->x[i], data->time_s[i] / 10);
}

static double error_over_noise(const LineData *data, const ShapedLine *line, size_t i)
{
    return (data->time_s[i] - line->alpha - line->slope * data->x[i]) / deviation_s(data, line, i);
}

static double bounded_square(double error)
{
    double left = 1 - fmin(1, error * error / (TUKEY * TUKEY));
    return TUKEY * TUKEY / 3 * (1 - left * left * left);
}

static double influence(double error, bool tukey)
{
    if (!tukey)
        return fabs(error) > HUBER ? HUBER / fabs(error) : 1;
    double left = 1 - fmin(1, error * error / (TUKEY * TUKEY));
    return left * left;
}

static double cost_of(const LineData *data, const ShapedLine *line)
{
    double cost = 0;
    for (size_t i = 0; i < data->n; i++)
        cost += bounded_square(error_over_noise(data, line, i));
    return cost;
}

static bool all_same(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

/* Solves the weighted problem. False if the weights leave too few points. */
static bool solve(const LineData *data, const double *weights, LineShape shape, ShapedLine *line)
{
    double alpha = 0, slope = 0, ignored;
    if (shape == SHAPE_FREE)
        gsl_fit_wlinear(data->x, 1, weights, 1, data->time_s, 1, data->n, &alpha, &slope, &ignored, &ignored, &ignored,
                        &ignored);
    else if (shape == SHAPE_PROPORTIONAL)
        gsl_fit_wmul(data->x, 1, weights, 1, data->time_s, 1, data->n, &slope, &ignored, &ignored);
    else
        alpha = gsl_stats_wmean(weights, 1, data->time_s, 1, data->n);
    if (!isfinite(alpha) || !isfinite(slope))
        return false;
    *line = (ShapedLine){.alpha = alpha, .slope = slope};
    line->cost = cost_of(data, line);
    return true;
}

static ShapedLine fit_shape(const LineData *data, double *weights, LineShape shape)
{
    for (size_t i = 0; i < data->n; i++)
        weights[i] = 1 / (data->noise[i] * data->time_s[i]) / (data->noise[i] * data->time_s[i]);
    ShapedLine line = {0}, best;
    solve(data, weights, shape, &line);
    best = line;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < data->n; i++) {
            double deviation = deviation_s(data, &line, i);
            weights[i] = influence(error_over_noise(data, &line, i), round >= HUBER_ROUNDS) / deviation / deviation;
        }
        double before = line.cost;
        if (!solve(data, weights, shape, &line))
            break;
        if (line.cost < best.cost)
            best = line;
        if (fabs(line.cost - before) <= 1e-7 * before) {
            if (round > HUBER_ROUNDS)
                break;
            round = HUBER_ROUNDS;
        }
    }
    return best;
}

/* Computes the free line's variances for the given noise, and the sums for line_noise_factor. */
static void judge(const LineData *data, const ShapedLine *free_line, LineShape shape, double *weights, Line *line)
{
    double alpha, slope, covariance, squares;
    for (size_t i = 0; i < data->n; i++) {
        double deviation = deviation_s(data, free_line, i), error = error_over_noise(data, free_line, i);
        double square = fmin(1, error * error / (TUKEY * TUKEY));
        weights[i] = 1 / deviation / deviation;
        line->squares += pow(error * influence(error, true), 2);
        line->steepness += (1 - square) * (1 - 5 * square);
    }
    if (shape == SHAPE_FREE) {
        gsl_fit_wlinear(data->x, 1, weights, 1, data->time_s, 1, data->n, &alpha, &slope, &line->alpha_variance,
                        &covariance, &line->slope_variance, &squares);
        return;
    }
    for (size_t i = 0; i < data->n; i++)
        line->alpha_variance += weights[i];
    line->alpha_variance = 1 / line->alpha_variance;
}

Line line_fit(const LineData *data, double *weights)
{
    assert(data->n > 0);
    LineShape shape = all_same(data->x, data->n) ? SHAPE_CONSTANT : SHAPE_FREE;
    ShapedLine free_line = fit_shape(data, weights, shape), held = free_line;
    if (free_line.alpha < 0)
        held = fit_shape(data, weights, SHAPE_PROPORTIONAL);
    else if (free_line.slope < 0)
        held = fit_shape(data, weights, SHAPE_CONSTANT);
    Line line = {.alpha = held.alpha,
                 .slope = held.slope,
                 .cost = held.cost,
                 .free_alpha = free_line.alpha,
                 .free_slope = free_line.slope,
                 .free_cost = free_line.cost};
    judge(data, &free_line, shape, weights, &line);
    return line;
}

double line_noise_factor(double squares, double steepness, size_t n_points, size_t n_parameters)
{
    if (n_points <= n_parameters || steepness <= 0)
        return 1;
    return sqrt(squares / (double)(n_points - n_parameters)) / (steepness / (double)n_points);
}

double line_quantile(size_t n_points, size_t n_parameters)
{
    return n_points > n_parameters ? gsl_cdf_tdist_Pinv(0.975, (double)(n_points - n_parameters))
                                   : gsl_cdf_ugaussian_Pinv(0.975);
}

Estimated line_estimate(double value, double free_value, double half_width)
{
    return (Estimated){value, fmax(0, fmin(value, free_value - half_width)), fmax(value, free_value + half_width)};
}
