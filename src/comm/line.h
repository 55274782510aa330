/* SPDX-License-Identifier: BSD-3-Clause */
/* A robust line of times: t(x) = α + slope · x, neither of them negative, by least relative errors. What a message
 * costs (x: its bytes) and what a collective costs (see candidates.h) are both fitted by it. */
#pragma once

#include "model/machine.h"
#include <stdbool.h>
#include <stddef.h>

/* What is fitted: [n] of each. */
typedef struct LineData {
    const double *x, *time_s; /* times are above 0 */
    const double *noise;      /* relative standard deviation of each time */
    size_t n;
} LineData;

typedef struct Line {
    double alpha, slope;
    double cost; /* sum of squares of errors over noise; bounded for each point, as in Tukey's biweight */
    double free_alpha, free_slope, free_cost; /* without the bound at 0 */
    double alpha_variance;                    /* of the free line, if the noise is as given: see line_noise_factor */
    double slope_variance;
    double squares, steepness; /* Σψ² and Σψ' of the free line's errors */
} Line;

/* Errors beyond five times the noise have no influence. `weights` is room for n numbers. Where all x are the same, the
 * slope is 0. */
Line line_fit(const LineData *data, double *weights);

/* The noise that the errors show over the noise that was given: sums of `squares` and `steepness` over all lines that
 * were fitted to n_points, with so many parameters together. 1 if there are too few points to tell. */
double line_noise_factor(double squares, double steepness, size_t n_points, size_t n_parameters);

/* A parameter as the line has it, with an interval around what it would be without the bound at 0: from 0 on, and with
 * the value in it. */
Estimated line_estimate(double value, double free_value, double half_width);

/* Half the width of a 95 % interval over the standard deviation, when the noise is known from so many points. */
double line_quantile(size_t n_points, size_t n_parameters);
