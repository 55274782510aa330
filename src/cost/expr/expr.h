/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic expressions of costs. They are immutable and canonical: within a space, equal
 * expressions are the same pointer. Coefficients are exact rationals. A sum over an index closes if
 * its body is polynomial in the index, so a loop of 10^12 iterations costs nothing. Values are
 * intervals. Source: PAMELA's cost expressions (docs/METHOD.md, section 16). */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/interval.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Expr Expr;
typedef struct ExprSpace ExprSpace; /* owns its expressions; lives in an arena */

ExprSpace *expr_space_new(Arena *arena);

/* numerator/denominator in lowest terms. denominator > 0. */
const Expr *expr_rational(ExprSpace *space, int64_t numerator, int64_t denominator);
static inline const Expr *expr_integer(ExprSpace *space, int64_t value)
{
    return expr_rational(space, value, 1);
}
/* The shortest decimal that reads as the same double, exactly: 0.1 is 1/10. `value` is finite. */
const Expr *expr_real(ExprSpace *space, double value);

/* A parameter. Names have letters, digits, _, and indexes in brackets, as in t_sum_double[fast]. */
const Expr *expr_symbol(ExprSpace *space, const char *name);

const Expr *expr_add(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_subtract(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_multiply(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_divide(ExprSpace *space, const Expr *a, const Expr *b);

/* a * b for probabilities: a product with more terms isn't multiplied out, nor multiplied into later on. */
const Expr *expr_multiply_grouped(ExprSpace *space, const Expr *a, const Expr *b, size_t most_terms);
/* q a + (1 - q) b. If that has more terms, q and 1 - q aren't multiplied out. */
#define EXPR_WEIGHTED_TERMS 64
const Expr *expr_weighted(ExprSpace *space, const Expr *q, const Expr *a, const Expr *b, size_t most_terms);

/* Functions of one argument, unless stated otherwise. */
typedef enum ExprFunction {
    EXPR_FLOOR,
    EXPR_CEIL,
    EXPR_MAX, /* 2 or more, flattened and sorted; as MIN */
    EXPR_MIN,
    EXPR_POW, /* 2; whole exponents become products */
    EXPR_SQRT,
    EXPR_LOG, /* natural */
    EXPR_LOG2,
    EXPR_EXP,
    EXPR_ABS,
    EXPR_MOD,      /* 2: a - b floor(a/b) */
    EXPR_HARMONIC, /* 1 + 1/2 + … + 1/n: closes a sum of 1/i */
    EXPR_STEP      /* 1 if the argument is >= 0, else 0: for comparisons */
} ExprFunction;
const Expr *expr_function(ExprSpace *space, ExprFunction function, const Expr *const *arguments, size_t n_arguments);

/* The sum of body over index = from, from + step, …, up to `to`; or down to `to`, if step is a
 * negative number. 0 if `to` lies before `from`. step: a number that isn't 0, or a symbol that is
 * assumed to be positive.
 *
 * The sum closes if possible. The formula is exact for all whole values of the parameters,
 * including negative ones: so the number of iterations from 1 to n is max(0, n). Symbols in bounds
 * are assumed to be whole. A body closes if it consists of polynomials in the index, 1/index, and
 * floor, mod, max, min, abs and step of expressions that are affine in the index with numbers as
 * factors.
 *
 * Any other sum stays a sum, as do closed forms that would be too long. Evaluation adds up its
 * terms (EXPR_MOST_TERMS), or approximates it by an interval. */
const Expr *expr_sum(ExprSpace *space, const char *index, const Expr *from, const Expr *to, const Expr *step,
                     const Expr *body);

/* The largest value of body over index = from, from + 1, …, to: for `par`. 0 if to < from. If the
 * body is linear in the index, this is the max of both ends; otherwise it stays. */
const Expr *expr_largest(ExprSpace *space, const char *index, const Expr *from, const Expr *to, const Expr *body);

/* Replaces each symbol by the expression at the same index. */
const Expr *expr_substitute(ExprSpace *space, const Expr *expr, const char *const *names, const Expr *const *with,
                            size_t count);

/* The same expression in this space; `expr` may be from any space. */
const Expr *expr_import(ExprSpace *space, const Expr *expr);

/* The free symbols, ordered by name, in the space's arena. */
size_t expr_symbols(ExprSpace *space, const Expr *expr, const char *const **names);
bool expr_has_symbol(const Expr *expr, const char *name);
/* With which power of the symbol it grows, at most: 2 for n*floor(n/2), 0 for log(n) and 1/n. Large for 2^n. */
int64_t expr_degree(const Expr *expr, const char *name);

/* Whether the expression is a number, and its value. */
bool expr_is_number(const Expr *expr, double *value);
bool expr_is_integer(const Expr *expr, int64_t *value);

/* The number of terms, which determines the cost of further products. */
size_t expr_term_count(const Expr *expr);

/* The value under bindings: an interval that contains the value for all parameters within their
 * intervals.
 *
 * Rational functions of bindings that are points are computed exactly, and both ends are the
 * nearest double. Otherwise the ends are rounded outward. `approximated` (may be NULL) becomes true
 * if a sum was added up by blocks of its index instead of term by term; the interval still contains
 * the value.
 *
 * ERR_INPUT: symbols without a binding, all of which the error names; division by zero; logarithms
 * of numbers <= 0; values beyond the range of a double. */
typedef struct ExprBinding {
    const char *name;
    Interval value;
} ExprBinding;
#define EXPR_MOST_TERMS 10000000
bool expr_evaluate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value,
                   bool *approximated, Err *err);

/* expr_evaluate() for searches, which need many values: sums of more than EXPR_ESTIMATE_TERMS terms
 * are approximated. */
#define EXPR_ESTIMATE_TERMS 2000
bool expr_estimate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value, Err *err);

/* expr_evaluate() for several expressions. Common parts are computed once, and sums over the same
 * range in one loop. `values` is undefined on failure. */
bool expr_evaluate_all(const Expr *const *exprs, size_t n, const ExprBinding *bindings, size_t n_bindings,
                       Interval *values, bool *approximated, Err *err);

/* Text that expr_parse reads as the same expression: `n*(n + 1)/2*t_sum_double + max(a, b)`. A sum
 * that didn't close is `sum(i = 1, n, step 2, body)`. A product that would be too long multiplied
 * out has a `group(a + b)`. Terms with the same symbol that begins with t_ stand together. */
const char *expr_text(const Expr *expr, Arena *arena);

/* Parses a text that is one expression. Numbers are 12, 1.5, 1e9, 10^9. Errors name line and column
 * (counted from `place`) and what was expected. */
typedef struct ExprPlace {
    const char *file;
    unsigned line, column;
} ExprPlace;
bool expr_parse(ExprSpace *space, const char *text, const ExprPlace *place, const Expr **expr, Err *err);

/* For parsers of languages that contain expressions: parses the longest expression at *text, and
 * moves *text and *place behind it. */
bool expr_parse_prefix(ExprSpace *space, const char **text, ExprPlace *place, const Expr **expr, Err *err);
