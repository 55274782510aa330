/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of functions. Results are exact if the arguments are exact and the result is rational. */
#include "cost/expr/evaluate.h"
#include "cost/expr/names.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

enum { MOST_EXACT_HARMONIC = 100, MOST_BITS = 4000 };

static Value step(RationalPool *pool, Value argument)
{
    if (argument.is_exact)
        return value_whole(pool, rational_sign(argument.exact) >= 0);
    return value_span(pool, argument.span.low >= 0, argument.span.high >= 0);
}

static bool root(RationalPool *pool, Value argument, Value *value, Err *err)
{
    Interval span = value_outward(argument);
    Rational exact;
    if (span.low < 0)
        return err_set(err, ERR_INPUT, "square root of a negative number, %g", span.low);
    if (argument.is_exact && rational_root(pool, argument.exact, &exact)) {
        *value = value_exact(exact);
        return true;
    }
    *value = value_rounded(sqrt(span.low), sqrt(span.high));
    value->span.low = fmax(value->span.low, 0);
    return true;
}

static double harmonic(double n)
{
    return gsl_sf_psi(n + 1) + M_EULER;
}

static bool harmonic_value(RationalPool *pool, Value argument, Value *value, Err *err)
{
    Interval span = value_outward(argument);
    if (span.low <= -1)
        return err_set(err, ERR_INPUT, "harmonic(%g) has no value: a sum of 1/i begins or ends below i = 1", span.low);
    if (argument.is_exact && rational_is_whole(argument.exact) && argument.exact.num <= MOST_EXACT_HARMONIC) {
        Rational sum = rational_zero;
        for (int64_t i = 1; i <= argument.exact.num; i++)
            sum = rational_add(pool, sum, rational_of(pool, 1, i));
        *value = value_exact(sum);
        return true;
    }
    double low = harmonic(span.low), high = harmonic(span.high);
    *value = value_span(pool, low - 1e-14 * fabs(low), high + 1e-14 * fabs(high));
    return true;
}

/* Exact, unless the result would be too long. */
static bool whole_power(RationalPool *pool, Value base, int64_t exponent, Value *value, Err *err)
{
    double bits = base.is_exact ? fabs((double)exponent) * (double)rational_bits(base.exact) : 0;
    if (bits > MOST_BITS)
        base = (Value){.span = value_outward(base)};
    *value = base;
    return value_raise(pool, value, exponent) || err_set(err, ERR_INPUT, "division by zero");
}

static bool power(RationalPool *pool, const Value *arguments, Value *value, Err *err)
{
    Interval base = value_outward(arguments[0]), exponent = value_outward(arguments[1]);
    if (arguments[1].is_exact && rational_is_whole(arguments[1].exact) && fabs(exponent.low) < 1 << 30)
        return whole_power(pool, arguments[0], arguments[1].exact.num, value, err);
    if (base.low < 0 || (base.low == 0 && exponent.low < 0))
        return err_set(err, ERR_INPUT, "%g to the power of %g has no value", base.low, exponent.low);
    double corners[] = {pow(base.low, exponent.low), pow(base.low, exponent.high), pow(base.high, exponent.low),
                        pow(base.high, exponent.high)};
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        low = fmin(low, corners[i]);
        high = fmax(high, corners[i]);
    }
    *value = value_rounded(low, high);
    return true;
}

/* Logarithms of powers of two are exact: a rounded one could be off by one under floor or ceil. */
static bool whole_logarithm(Value argument, int64_t *logarithm)
{
    if (!argument.is_exact || !rational_is_small(argument.exact) || argument.exact.num <= 0)
        return false;
    uint64_t numerator = (uint64_t)argument.exact.num, denominator = (uint64_t)argument.exact.den;
    *logarithm = __builtin_ctzll(numerator) - __builtin_ctzll(denominator);
    return (numerator & (numerator - 1)) == 0 && (denominator & (denominator - 1)) == 0;
}

static bool logarithm(ExprFunction function, RationalPool *pool, Value argument, Value *value, Err *err)
{
    Interval span = value_outward(argument);
    int64_t whole;
    if (span.low <= 0)
        return err_set(err, ERR_INPUT, "the logarithm of %g has no value", span.low);
    if (whole_logarithm(argument, &whole) && (function == EXPR_LOG2 || whole == 0))
        *value = value_whole(pool, whole);
    else if (function == EXPR_LOG2)
        *value = value_rounded(log2(span.low), log2(span.high));
    else
        *value = value_rounded(log(span.low), log(span.high));
    return true;
}

bool evaluate_function(ExprFunction function, const Value *arguments, RationalPool *pool, Value *value, Err *err)
{
    Interval span;
    switch (function) {
    case EXPR_FLOOR:
        *value = value_floor(pool, arguments[0]);
        return true;
    case EXPR_STEP:
        *value = step(pool, arguments[0]);
        return true;
    case EXPR_SQRT:
        return root(pool, arguments[0], value, err);
    case EXPR_HARMONIC:
        return harmonic_value(pool, arguments[0], value, err);
    case EXPR_POW:
        return power(pool, arguments, value, err);
    case EXPR_EXP:
        span = value_outward(arguments[0]);
        *value = value_rounded(exp(span.low), exp(span.high));
        return true;
    case EXPR_LOG:
    case EXPR_LOG2:
        return logarithm(function, pool, arguments[0], value, err);
    default: /* ceil, min, abs and mod don't occur in canonical form; evaluate.c computes max */
        return err_set(err, ERR_BUG, "function %s has no value", expr_function_name(function));
    }
}
