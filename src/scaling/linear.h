/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of y = Σ θ_k x_k with θ >= 0 to values whose noise is relative. All laws of scaling are such sums, once they are
 * written with other parameters: so their least squares, bounds included, are found exactly, without iterations that
 * may end elsewhere, and intervals are profiles, which hold at bounds, too. docs/METHOD.md. */
#pragma once

#include "model/machine.h" /* Estimated */
#include <stdbool.h>
#include <stdint.h>

enum { LINEAR_TERMS_LIMIT = 3 };

/* What was measured several times in the same place. */
typedef struct LinearRow {
    double x[LINEAR_TERMS_LIMIT];
    double y;       /* their mean, above 0 */
    double squares; /* Σ (each - y)² */
    double count;
} LinearRow;

typedef struct LinearFit {
    uint32_t n_terms;
    double theta[LINEAR_TERMS_LIMIT];                           /* >= 0 */
    double free_theta[LINEAR_TERMS_LIMIT];                      /* without that bound */
    double information[LINEAR_TERMS_LIMIT][LINEAR_TERMS_LIMIT]; /* XᵀWX, W = 1/fit² */
    double within, between, n_within, n_between; /* relative squares of repeats and of rows, and their freedom */
    double variance;                             /* of relative residuals; NAN: there are too few rows */
    double freedom;                              /* degrees of it */
    bool lacks_fit; /* rows lie off the sum by more than their repeats' spread explains (F test, 5 %) */
} LinearFit;

/* False: the rows don't determine the terms, or are fewer. */
bool linear_fit(const LinearRow *rows, uint32_t n, uint32_t n_terms, LinearFit *fit);

double linear_value(const LinearFit *fit, const double *x);

/* The 95 % interval of (over · θ) / (under · θ); under NULL: of over · θ. All θ >= 0 whose fit isn't significantly
 * worse than the best are in it. NAN, NAN: there are too few rows. */
Estimated linear_ratio(const LinearFit *fit, const double *over, const double *under);
