/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost models as formulas T(n, p, …) in seconds: expressions (cost/expr) whose parameters get
 * values. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"
#include "model/machine.h"

typedef struct Formula {
    const char *name; /* "" without a name */
    const char *text;
    const Expr *time;
} Formula;

typedef struct FormulaParameter {
    const char *name;
    Estimated value;
    const char *source; /* "given", or where the value was measured */
} FormulaParameter;

typedef struct FormulaParameters {
    size_t count;
    const FormulaParameter *items;
} FormulaParameters;

/* Parses "tc*n^2*z/p + 2*ts + 4*tw*n*z", or with a name "ring = …". ERR_USAGE names the option and
 * the column of the mistake. */
bool formula_parse(ExprSpace *space, const char *option, const char *text, Arena *arena, Formula *formula, Err *err);

/* ERR_USAGE: variables other than n and p have no value; the message names all of them. */
bool formula_check(ExprSpace *space, const Formula *formula, const FormulaParameters *parameters, Err *err);

/* T(n, p), with the interval that results from the parameters' intervals. ERR_INPUT names n and p:
 * the time is infinite, negative or not defined. */
bool formula_time_s(const Formula *formula, const FormulaParameters *parameters, double n, double p, Estimated *time_s,
                    Err *err);

/* T(n, p) with each parameter at one end of its interval, or in the middle. Bit i of `corner`: the
 * i-th inexact parameter is at its high end. Long sums are approximated, because searches call this
 * often. NAN if the time isn't defined, infinite or negative. */
#define FORMULA_MIDDLE UINT32_MAX
double formula_time_at(const Formula *formula, const FormulaParameters *parameters, uint32_t corner, double n,
                       double p);

/* Number of inexact parameters; with k of them there are 2^k corners. */
uint32_t formula_count_inexact(const FormulaParameters *parameters);
enum { INEXACT_LIMIT = 8 };

/* The parameters ts and tw of messages, "ts + tw*bytes": the latency of the shortest, and the cost
 * of a byte of the longest messages. They come from the configuration's paths between hosts or, if
 * there are none, within hosts. With several paths: their mean, and the hull of their intervals.
 * configuration: NULL if there is only one. ERR_USAGE: no such configuration, or NULL although
 * there are several. Results in the arena. */
bool formula_machine_parameters(const MachineModel *machine, const char *configuration, Arena *arena,
                                FormulaParameter parameters[2], Err *err);
