/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear recurrences N(k) = Σ weight_i N(k - step_i) with N(0) = 1 and N(k) = 0 before: how many calls
 * are k steps away from the first one. Private to cost/source. */
#pragma once

#include "cost/expr/expr.h"

typedef struct RecurrenceStep {
    int64_t step; /* 1 or more */
    double weight;
} RecurrenceStep;

/* N(k) as an expression: floor(C r^k + 1/2), with the root r of the characteristic polynomial. NULL:
 * this isn't exact, since other roots matter. k: an expression. */
const Expr *recurrence_number(ExprSpace *space, const RecurrenceStep *steps, size_t n, const Expr *k);

/* Akra and Bazzi's exponent: the p with Σ weight_i ratio_i^p = 1. */
double recurrence_exponent(const double *weights, const double *ratios, size_t n);
