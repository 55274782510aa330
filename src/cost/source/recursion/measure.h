/* SPDX-License-Identifier: BSD-3-Clause */
/* The measure of a recursion: what decides whether a function calls itself again, and becomes less
 * with each level. It is a parameter (n), a constant without one (8 - k), or the difference of two
 * (hi - lo + 1). Private to cost/source. */
#pragma once

#include "cost/source/values/generator.h"

/* A call of the function by itself. */
typedef struct SelfCall {
    PamelaNode *node;       /* in the function's model */
    const Expr **arguments; /* [n_parameters]; NULL: unknown */
    const Expr *weight;     /* how often a call of the function makes this call */
} SelfCall;

/* A function's model, without its calls of itself. */
typedef struct Recursion {
    Generator *all;
    const SourceFunction *function;
    const char *const *names; /* [n_parameters] symbols */
    const bool *is_used;      /* [n_parameters] the model depends on them */
    PamelaNode *body;
    size_t n_calls;
    const SelfCall *calls;
} Recursion;

/* plus - minus + constant, of two parameters; -1: absent. */
typedef struct Measure {
    int plus, minus;
    int64_t constant;
    int64_t threshold; /* the function calls itself from there on */
} Measure;

enum { MEASURE_TESTED = 40, MEASURE_FAR = 1000003 };

/* The measure as an expression in the parameters. */
const Expr *measure_value(const Recursion *recursion, const Measure *measure);
/* Replaces the parameters of the measure so that it has this value, and `minus` the value `origin`. */
const Expr *measure_substitute(const Recursion *recursion, const Measure *measure, const Expr *expr, const Expr *value,
                               int64_t origin);
/* The measure in a self-call of a call with measure m. False: it isn't a whole number that depends on
 * m alone. */
bool measure_next(const Recursion *recursion, const Measure *measure, size_t call, int64_t m, int64_t *next);
/* Finds the next measure after *candidate (from 0 on) by which all self-calls happen from the same
 * threshold on, down to which no smaller value does. */
bool measure_find(const Recursion *recursion, unsigned *candidate, Measure *measure);
/* The weight of a self-call from the threshold on. */
const Expr *measure_weight(const Recursion *recursion, const Measure *measure, size_t call);
/* Whether the model's cost depends on the measure alone, of the parameters in it. */
bool measure_decides(const Recursion *recursion, const Measure *measure);
