/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic expressions of costs: immutable, canonical (equal expressions are the same pointer within a space), with
 * exact rational coefficients. A sum over an index is closed where its body is polynomial in it, so that a loop of
 * 10^12 costs nothing. Values are intervals. Source: PAMELA's cost expressions, spec 2 §2.4. */
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

/* num/den in lowest terms. den > 0. */
const Expr *expr_rational(ExprSpace *space, int64_t numerator, int64_t denominator);
static inline const Expr *expr_integer(ExprSpace *space, int64_t value)
{
    return expr_rational(space, value, 1);
}
/* The shortest decimal that reads as the same double, exactly: 0.1 is 1/10. Finite. */
const Expr *expr_real(ExprSpace *space, double value);

/* A parameter. Names are what the languages allow: letters, digits, _, and [..] indices as in t_sum_double[fast]. */
const Expr *expr_symbol(ExprSpace *space, const char *name);

const Expr *expr_add(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_subtract(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_multiply(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_divide(ExprSpace *space, const Expr *a, const Expr *b);

typedef enum ExprFunction {
    EXPR_FLOOR, /* 1 */
    EXPR_CEIL,  /* 1 */
    EXPR_MAX,   /* 2 or more, flattened and sorted */
    EXPR_MIN,
    EXPR_POW, /* 2: any exponent; whole ones become products */
    EXPR_SQRT,
    EXPR_LOG, /* natural */
    EXPR_LOG2,
    EXPR_EXP,
    EXPR_ABS,
    EXPR_MOD,      /* 2: a - b floor(a/b), and written so, as ceil, min and abs are by floor and max */
    EXPR_HARMONIC, /* 1: 1 + 1/2 + … + 1/n, what closes a sum of 1/i */
    EXPR_STEP /* 1: 1 if the argument is >= 0, else 0: comparisons, and the share of iterations that do something */
} ExprFunction;
const Expr *expr_function(ExprSpace *space, ExprFunction function, const Expr *const *arguments, size_t n_arguments);

/* Sum of body over index = from, from + step, …, up to `to` (down to it, if step is a negative number); nothing if `to`
 * is before `from`. step: a nonzero number or a symbol that is taken to be positive. Closed where possible, exactly,
 * for all whole values of the parameters, negative ones too: so max(0, n) is the number of iterations from 1 to n. A
 * symbol in a bound is taken to be whole. What closes: bodies of polynomials in the index and of 1/index, of floor,
 * mod, max, min, abs and step of what is affine in it with numbers as factors. Else it stays a sum, which evaluation
 * adds up (EXPR_MOST_TERMS), or approximates by an interval that says so; so do closed sums that would be too long. */
const Expr *expr_sum(ExprSpace *space, const char *index, const Expr *from, const Expr *to, const Expr *step,
                     const Expr *body);

/* The largest of body over the index: for par. 0 if there is none: to < from. As max of both ends where the body is
 * linear in the index, else it stays. */
const Expr *expr_largest(ExprSpace *space, const char *index, const Expr *from, const Expr *to, const Expr *body);

/* With each symbol replaced by the expression at the same place. */
const Expr *expr_substitute(ExprSpace *space, const Expr *expr, const char *const *names, const Expr *const *with,
                            size_t count);

/* The same expression in this space, whichever it is from. */
const Expr *expr_import(ExprSpace *space, const Expr *expr);

/* The free symbols, in order of name, in the arena of the space. */
size_t expr_symbols(ExprSpace *space, const Expr *expr, const char *const **names);
bool expr_has_symbol(const Expr *expr, const char *name);

/* If the expression is a number. */
bool expr_is_number(const Expr *expr, double *value);
bool expr_is_integer(const Expr *expr, int64_t *value);

/* How many terms it is the sum of: what further products with it cost. */
size_t expr_term_count(const Expr *expr);

/* Value under bindings, as an interval that contains each value for parameters in theirs. What is rational in bindings
 * that are points is computed exactly: then both ends are the double that is nearest; else ends are rounded outward. A
 * symbol without binding: ERR_INPUT that names it, and lists all that have none; as are division by zero, logarithms of
 * what isn't positive, and values beyond a double. `approximated` (may be NULL) becomes true if a sum was not added up
 * term by term, but by blocks of its index: the interval still contains it. */
typedef struct ExprBinding {
    const char *name;
    Interval value;
} ExprBinding;
#define EXPR_MOST_TERMS 10000000
bool expr_evaluate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value,
                   bool *approximated, Err *err);

/* The same for searches, which take many values: sums of over EXPR_ESTIMATE_TERMS terms are approximated. */
#define EXPR_ESTIMATE_TERMS 2000
bool expr_estimate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value, Err *err);

/* Each one's value, as above. What they have in common is computed once, sums over the same range in one loop. values is
 * undefined on failure. */
bool expr_evaluate_all(const Expr *const *exprs, size_t n, const ExprBinding *bindings, size_t n_bindings,
                       Interval *values, bool *approximated, Err *err);

/* Text that expr_parse reads again as the same expression: `n*(n + 1)/2*t_sum_double + max(a, b)`. Sums that stayed:
 * `sum(i = 1, n, step 2, body)`; products that would be too long multiplied out: `group(a + b)`. Terms with the same
 * symbol that begins with t_ stand together. */
const char *expr_text(const Expr *expr, Arena *arena);

/* The whole text is an expression; errors say line, column (from those given), and what was expected. Numbers: 12, 1.5,
 * 1e9, 10^9. */
typedef struct ExprPlace {
    const char *file;
    unsigned line, column;
} ExprPlace;
bool expr_parse(ExprSpace *space, const char *text, const ExprPlace *place, const Expr **expr, Err *err);

/* For parsers of languages that hold expressions: the longest expression at *text, which is moved past it, as is
 * *place. */
bool expr_parse_prefix(ExprSpace *space, const char **text, ExprPlace *place, const Expr **expr, Err *err);
