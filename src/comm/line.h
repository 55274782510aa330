/* SPDX-License-Identifier: BSD-3-Clause */
/* A robust line of times: t(x) = α + slope · x with α >= 0 and slope >= 0, minimising relative
 * errors. It describes the cost of a message (x is its bytes) and, with other x, the cost of a
 * collective (candidates.h). */
#pragma once

#include "model/machine.h"
#include <stdbool.h>
#include <stddef.h>

/* The points to fit; each array has n elements. */
typedef struct LineData {
    const double *x, *time_s; /* times are above 0 */
    const double *noise;      /* relative standard deviation of each time */
    size_t n;
} LineData;

typedef struct Line {
    double alpha, slope;
    double cost; /* sum of (error / noise)², bounded for each point as in Tukey's biweight */
    double free_alpha, free_slope, free_cost; /* without the bounds at 0 */
    /* Of the free line, if the given noise is right: see line_noise_factor. */
    double alpha_variance;
    double slope_variance;
    double squares, steepness; /* Σψ² and Σψ' of the free line's errors */
} Line;

/* Fits a line. Errors beyond 4.7 times the noise have no influence. `weights` has room for n
 * numbers. If all x are equal, the slope is 0. */
Line line_fit(const LineData *data, double *weights);

/* Estimates the true noise, divided by the given noise, from the errors of one or more lines.
 * `squares` and `steepness` are sums over the lines, which have n_parameters together and were
 * fitted to n_points together. Returns 1 if there are too few points to tell. */
double line_noise_factor(double squares, double steepness, size_t n_points, size_t n_parameters);

/* A parameter of the line with its interval: free_value ± half_width, cut off below 0 and extended
 * to contain `value`. */
Estimated line_estimate(double value, double free_value, double half_width);

/* Half the width of a 95 % interval over the standard deviation, if the noise was estimated from
 * n_points with n_parameters. */
double line_quantile(size_t n_points, size_t n_parameters);
