/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost models as formulas T(n, p, …): the expressions of cost/symbolic with parameters bound; spec 5. */
#ifndef FIRMA_SCALING_FORMULA_H
#define FIRMA_SCALING_FORMULA_H

#include "base/arena.h"
#include "base/err.h"
#include "cost/symbolic/expr.h"
#include "model/machine.h"

/* A formula with everything bound but n and p. */
typedef struct Formula {
    const char *name, *text;
    const Expr *time;
} Formula;

/* "tc*n^2*z/p + 2*ts + 4*tw*n*z"; ERR_USAGE with the place of the mistake. */
bool formula_parse(ExprSpace *space, const char *text, Formula *formula, Err *err);

/* T(n, p), as an interval where parameters are. ERR_INPUT: a variable without a value, not finite, negative. */
bool formula_time_s(const Formula *formula, const ExprBinding *parameters, size_t n_parameters, double n, double p,
                    Interval *time_s, Err *err);

#endif
