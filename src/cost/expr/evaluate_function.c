/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of functions. Exact arguments have exact results where there are such. */
#include "cost/expr/evaluate.h"
#include "cost/expr/names.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

enum { MOST_EXACT_HARMONIC = 100, MOST_BITS = 4000 };

static void largest(Value *arguments, size_t n, Value *value)
{
    Value best = value_copy(&arguments[0]);
    for (size_t i = 1; i < n; i++) {
        const Value *other = &arguments[i];
        Interval a = value_outward(&best), b = value_outward(other);
        bool is_other, is_best;
        if (value_is_exact(&best) && value_is_exact(other)) {
            is_other = value_compare(other, &best) > 0;
            is_best = !is_other;
        } else {
            is_best = a.low >= b.high;
            is_other = b.low >= a.high;
        }
        if (is_best)
            continue;
        value_clear(&best);
        best = is_other ? value_copy(other)
                        : (Value){.kind = VALUE_SPAN, .span = {fmax(a.low, b.low), fmax(a.high, b.high)}};
    }
    *value = best;
}

static void step(const Value *argument, Value *value)
{
    Value zero = value_whole(0);
    if (value_is_exact(argument))
        *value = value_whole(value_compare(argument, &zero) >= 0);
    else
        *value = value_span(argument->span.low >= 0, argument->span.high >= 0);
}

static bool root(const Value *argument, Value *value, Err *err)
{
    Interval span = value_outward(argument);
    if (span.low < 0)
        return err_set(err, ERR_INPUT, "square root of a negative number, %g", span.low);
    if (argument->kind == VALUE_WHOLE) {
        int64_t whole = (int64_t)sqrt((double)argument->whole);
        if (whole * whole == argument->whole) {
            *value = value_whole(whole);
            return true;
        }
    }
    *value = value_rounded(sqrt(span.low), sqrt(span.high));
    value->span.low = fmax(value->span.low, 0);
    return true;
}

static double harmonic(double n)
{
    return gsl_sf_psi(n + 1) + M_EULER;
}

static bool harmonic_value(const Value *argument, Value *value, Err *err)
{
    Interval span = value_outward(argument);
    if (span.low <= -1)
        return err_set(err, ERR_INPUT, "a harmonic number of %g: a sum of 1/i that begins or ends below 1", span.low);
    if (argument->kind == VALUE_WHOLE && argument->whole <= MOST_EXACT_HARMONIC) {
        Value sum = value_whole(0);
        for (int64_t i = 1; i <= argument->whole; i++) {
            Value part = value_whole(i);
            value_raise(&part, -1);
            value_add(&sum, &part);
            value_clear(&part);
        }
        *value = sum;
        return true;
    }
    double low = harmonic(span.low), high = harmonic(span.high);
    *value = value_span(low - 1e-14 * fabs(low), high + 1e-14 * fabs(high));
    return true;
}

/* Exact, as long as that isn't too long. */
static bool whole_power(const Value *base, int32_t exponent, Value *value, Err *err)
{
    Interval span = value_outward(base);
    double bits = fabs((double)exponent) * log2(fmax(fabs(span.low), fabs(span.high)) + 2);
    Value power = value_copy(base);
    if (exponent == 0 || bits > MOST_BITS) {
        value_clear(&power);
        power = (Value){.kind = VALUE_SPAN, .span = span};
    }
    if (exponent == 0)
        power = value_whole(1);
    else if (!value_raise(&power, exponent)) {
        value_clear(&power);
        return err_set(err, ERR_INPUT, "division by zero");
    }
    *value = power;
    return true;
}

static bool power(const Value *arguments, Value *value, Err *err)
{
    Interval base = value_outward(&arguments[0]), exponent = value_outward(&arguments[1]);
    if (arguments[1].kind == VALUE_WHOLE && arguments[1].whole < 1 << 30 && arguments[1].whole > -(1 << 30))
        return whole_power(&arguments[0], (int32_t)arguments[1].whole, value, err);
    if (base.low < 0 || (base.low == 0 && exponent.low < 0))
        return err_set(err, ERR_INPUT, "a power of %g to the exponent %g", base.low, exponent.low);
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

bool evaluate_function(ExprFunction function, Value *arguments, size_t n_arguments, Value *value, Err *err)
{
    Interval span = value_outward(&arguments[0]);
    switch (function) {
    case EXPR_FLOOR:
        *value = value_copy(&arguments[0]);
        value_floor(value);
        return true;
    case EXPR_MAX:
        largest(arguments, n_arguments, value);
        return true;
    case EXPR_STEP:
        step(&arguments[0], value);
        return true;
    case EXPR_SQRT:
        return root(&arguments[0], value, err);
    case EXPR_HARMONIC:
        return harmonic_value(&arguments[0], value, err);
    case EXPR_POW:
        return power(arguments, value, err);
    case EXPR_EXP:
        *value = value_rounded(exp(span.low), exp(span.high));
        return true;
    case EXPR_LOG:
    case EXPR_LOG2:
        if (span.low <= 0)
            return err_set(err, ERR_INPUT, "logarithm of %g", span.low);
        *value = function == EXPR_LOG ? value_rounded(log(span.low), log(span.high))
                                      : value_rounded(log2(span.low), log2(span.high));
        return true;
    default: /* ceil, min, abs and mod are written by others in canonical form */
        return err_set(err, ERR_BUG, "function %s has no value", expr_function_name(function));
    }
}
