/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits y = Σ θ_k x_k with θ >= 0 to values with relative noise. All laws of scaling are such sums,
 * if written with other parameters. So their least squares, bounds included, are found exactly,
 * without iterations that may end elsewhere. Intervals are profiles, which are also valid at
 * bounds. docs/METHOD.md, section 19. */
#pragma once

#include "model/machine.h" /* Estimated */
#include <stdbool.h>
#include <stdint.h>

enum { LINEAR_TERMS_LIMIT = 4 };

/* All measurements at one place. */
typedef struct LinearRow {
    double x[LINEAR_TERMS_LIMIT];
    double y;       /* their mean, above 0 */
    double squares; /* Σ (single value - y)², and its degrees of freedom */
    double freedom;
    double count; /* the weight, in measurements */
} LinearRow;

typedef struct LinearFit {
    uint32_t n_terms;
    double theta[LINEAR_TERMS_LIMIT];      /* >= 0 */
    double free_theta[LINEAR_TERMS_LIMIT]; /* without that bound */
    /* XᵀWX, W = 1/fit² */
    double information[LINEAR_TERMS_LIMIT][LINEAR_TERMS_LIMIT];
    /* Relative squares of repeats and of rows, and their degrees of freedom. */
    double within, between, n_within, n_between;
    double variance; /* of relative residuals */
    double freedom;  /* degrees of freedom of the variance */
    /* Rows are farther from the sum than the spread of their repeats explains (F test, 5 %). */
    bool lacks_fit;
} LinearFit;

/* Before any measurement, the noise of a run is taken to be about LINEAR_NOISE, as if
 * LINEAR_NOISE_FREEDOM runs had shown that: where no degree of freedom shows the noise, and where the
 * nearest of many laws seems to show none. */
extern const double LINEAR_NOISE, LINEAR_NOISE_FREEDOM;

/* False: too few rows, or rows that don't determine the terms. */
bool linear_fit(const LinearRow *rows, uint32_t n, uint32_t n_terms, LinearFit *fit);

double linear_value(const LinearFit *fit, const double *x);

/* The 95 % interval of (over · θ) / (under · θ), or of over · θ if under is NULL. It contains
 * the values of all θ >= 0 whose fit isn't significantly worse than the best. */
Estimated linear_ratio(const LinearFit *fit, const double *over, const double *under);

/* The least sum of: by how much the weighted squares exceed their minimum, and `charge` for each term
 * that isn't 0. */
double linear_charge(const LinearFit *fit, double charge);

/* Sets terms to 0 that aren't worth their charge. */
void linear_drop_terms(LinearFit *fit, double charge);

/* The values of x · θ over all θ >= 0 for which that sum is at most `slack`. */
Estimated linear_range(const LinearFit *fit, const double *x, double charge, double slack);

/* By how much the squares may exceed the least ones in a region of one parameter, at this level. */
double linear_slack(double variance, double freedom, double level);
