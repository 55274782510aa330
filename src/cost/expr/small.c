/* SPDX-License-Identifier: BSD-3-Clause */
/* The rarer operations of small values. */
#include "cost/expr/small.h"
#include "cost/expr/evaluate.h"

static SmallWide common_divisor(SmallWide a, SmallWide b)
{
    while (b) {
        SmallWide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

bool small_fit_long(SmallWide numerator, SmallWide denominator, Small *result)
{
    SmallWide divisor = common_divisor(numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
    if (numerator > INT64_MAX || numerator < -INT64_MAX || denominator > INT64_MAX)
        return false;
    return small_set_fraction(result, (int64_t)numerator, (int64_t)denominator);
}

bool small_of_value(const Value *value, Small *result)
{
    if (value->kind == VALUE_SPAN) {
        *result = (Small){.denominator = SMALL_SPAN, .span = value->span};
        return true;
    }
    if (value->kind == VALUE_WHOLE) {
        *result = small_whole(value->whole);
        return value->whole != INT64_MIN;
    }
    mpz_srcptr numerator = mpq_numref(value->rational), denominator = mpq_denref(value->rational);
    if (!mpz_fits_slong_p(numerator) || !mpz_fits_slong_p(denominator) || mpz_get_si(numerator) == INT64_MIN)
        return false;
    *result = (Small){.denominator = mpz_get_si(denominator), .numerator = mpz_get_si(numerator)};
    return true;
}

Value small_value(const Small *small)
{
    if (small->denominator == SMALL_SPAN)
        return (Value){.kind = VALUE_SPAN, .span = small->span};
    if (small->denominator == 1)
        return value_whole(small->numerator);
    mpq_t rational;
    mpq_init(rational);
    mpz_set_si(mpq_numref(rational), small->numerator);
    mpz_set_si(mpq_denref(rational), small->denominator);
    mpq_canonicalize(rational);
    Value value = value_rational(rational);
    mpq_clear(rational);
    return value;
}

static bool is_short(int64_t whole)
{
    return whole >= -(1LL << 53) && whole <= 1LL << 53;
}

Interval small_outward(const Small *small)
{
    if (small->denominator == SMALL_SPAN)
        return small->span;
    double near = (double)small->numerator;
    if (small->denominator == 1 && is_short(small->numerator))
        return (Interval){near, near};
    if (is_short(small->numerator) && is_short(small->denominator)) {
        near /= (double)small->denominator;
        return (Interval){small_below(near), small_above(near)};
    }
    Value value = small_value(small);
    Interval outward = value_outward(&value);
    value_clear(&value);
    return outward;
}

static bool take_value(Value *value, Small *result)
{
    bool fits = small_of_value(value, result);
    value_clear(value);
    return fits;
}

/* Signs go up. */
static bool invert(const Small *base, Small *result)
{
    int64_t n = base->numerator, d = base->denominator;
    small_set_fraction(result, n < 0 ? -d : d, n < 0 ? -n : n);
    return n != 0;
}

bool small_raise(const Small *base, int32_t exponent, Small *result)
{
    if (base->denominator == SMALL_NONE)
        return false;
    if (!small_is_exact(base)) {
        Value value = small_value(base);
        return value_raise(&value, exponent) && take_value(&value, result);
    }
    if (exponent == -1)
        return invert(base, result);
    Small power = *base, factor;
    if (exponent < 0 && !invert(base, &power))
        return false;
    factor = power;
    uint32_t times = (uint32_t)(exponent < 0 ? -(int64_t)exponent : exponent);
    for (uint32_t i = 1; i < times; i++)
        if (!small_multiply(&power, &factor, &power))
            return false;
    *result = power;
    return true;
}

bool small_floor_span(const Small *argument, Small *result)
{
    if (argument->denominator == SMALL_NONE)
        return false;
    Value value = small_value(argument);
    value_floor(&value);
    return take_value(&value, result);
}

bool small_largest(const Small *a, const Small *b, Small *result)
{
    return small_call(EXPR_MAX, a, b, result);
}

bool small_call(ExprFunction function, const Small *first, const Small *second, Small *result)
{
    size_t n = function == EXPR_POW || function == EXPR_MAX ? 2 : 1;
    Value values[2], value;
    Err unused;
    if (first->denominator == SMALL_NONE || (n == 2 && second->denominator == SMALL_NONE))
        return false;
    values[0] = small_value(first);
    values[1] = n == 2 ? small_value(second) : value_whole(0);
    bool is_computed = evaluate_function(function, values, n, &value, &unused);
    value_clear(&values[0]);
    value_clear(&values[1]);
    return is_computed && take_value(&value, result);
}
