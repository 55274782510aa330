/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost models as formulas T(n, p, …) in seconds: the expressions of cost/expr with parameters bound; spec 5. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"
#include "model/machine.h"

typedef struct Formula {
    const char *name; /* "" if it has none */
    const char *text;
    const Expr *time;
} Formula;

typedef struct FormulaParameter {
    const char *name;
    Estimated value;
    const char *source; /* "given", or where it was measured */
} FormulaParameter;

typedef struct FormulaParameters {
    size_t count;
    const FormulaParameter *items;
} FormulaParameters;

/* "tc*n^2*z/p + 2*ts + 4*tw*n*z", or with a name "ring = …". ERR_USAGE with option and column of the mistake. */
bool formula_parse(ExprSpace *space, const char *option, const char *text, Arena *arena, Formula *formula, Err *err);

/* ERR_USAGE: variables besides n and p have no value; all are named. */
bool formula_check(ExprSpace *space, const Formula *formula, const FormulaParameters *parameters, Err *err);

/* T(n, p), within the interval that parameters leave. ERR_INPUT that names n and p: not finite, negative, not defined.
 */
bool formula_time_s(const Formula *formula, const FormulaParameters *parameters, double n, double p, Estimated *time_s,
                    Err *err);

/* The same where parameters are at an end of their intervals, or in the middle: bit i of `corner` says that the i-th of
 * those that aren't exact is at its high end. Long sums are approximated, as searches ask often. NAN where it isn't defined, infinite or negative. */
#define FORMULA_MIDDLE UINT32_MAX
double formula_time_at(const Formula *formula, const FormulaParameters *parameters, uint32_t corner, double n,
                       double p);

/* Parameters that aren't exact: 2^so many corners. */
uint32_t formula_count_inexact(const FormulaParameters *parameters);
enum { INEXACT_LIMIT = 8 };

/* ts and tw of a configuration's messages, "ts + tw*bytes": the latency of the shortest and the cost of a byte of the
 * longest messages on its paths between hosts (on those within one, if there is no other); of several paths, their mean
 * and all that they span. ERR_USAGE: no such configuration; or none is named
 * (NULL), and there are several. */
bool formula_machine_parameters(const MachineModel *machine, const char *configuration, Arena *arena,
                                FormulaParameter parameters[2], Err *err);
