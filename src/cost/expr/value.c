/* SPDX-License-Identifier: BSD-3-Clause */
/* See value.h. */
#include "cost/expr/value.h"

#include <math.h>

static double below(double x)
{
    return nextafter(x, -INFINITY);
}

static double above(double x)
{
    return nextafter(x, INFINITY);
}

static Value span(double low, double high)
{
    return (Value){.span = {low, high}};
}

Value value_shortened(Value value, size_t most_bits)
{
    if (!value.is_exact || rational_bits(value.exact) <= most_bits)
        return value;
    return (Value){.span = rational_outward(value.exact)};
}

Value value_whole(RationalPool *pool, int64_t whole)
{
    return value_exact(rational_of(pool, whole, 1));
}

Value value_span(RationalPool *pool, double low, double high)
{
    return low == high && isfinite(low) ? value_exact(rational_of_double(pool, low)) : span(low, high);
}

Value value_rounded(double low, double high)
{
    return span(below(below(low)), above(above(high)));
}

Interval value_interval(Value value)
{
    double nearest = value.is_exact ? rational_nearest(value.exact) : 0;
    return value.is_exact ? (Interval){nearest, nearest} : value.span;
}

Interval value_outward(Value value)
{
    return value.is_exact ? rational_outward(value.exact) : value.span;
}

static bool is_zero(Value value)
{
    return value.is_exact && rational_is_zero(value.exact);
}

static bool is_one(Value value)
{
    return value.is_exact && rational_is_one(value.exact);
}

Value value_add(RationalPool *pool, Value a, Value b)
{
    if (is_zero(a) || is_zero(b))
        return is_zero(a) ? b : a;
    if (a.is_exact && b.is_exact)
        return value_exact(rational_add(pool, a.exact, b.exact));
    Interval x = value_outward(a), y = value_outward(b);
    return span(below(x.low + y.low), above(x.high + y.high));
}

static Value span_product(Interval a, Interval b)
{
    double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        if (isnan(products[i]))
            products[i] = 0; /* 0 · ∞ after an overflow; the final result is refused */
        low = fmin(low, products[i]);
        high = fmax(high, products[i]);
    }
    /* A product that underflows to 0 keeps its sign. */
    return span(a.low >= 0 && b.low >= 0 ? fmax(below(low), 0) : below(low), above(high));
}

Value value_multiply(RationalPool *pool, Value a, Value b)
{
    if (is_zero(a) || is_one(b))
        return a;
    if (is_zero(b) || is_one(a))
        return b;
    if (a.is_exact && b.is_exact)
        return value_exact(rational_multiply(pool, a.exact, b.exact));
    return span_product(value_outward(a), value_outward(b));
}

/* The power of an interval, which is narrower than a product of intervals: x^2 >= 0. */
static Value raise_span(Interval base, int64_t exponent)
{
    double low = pow(base.low, (double)exponent), high = pow(base.high, (double)exponent);
    if (exponent % 2 == 0 && base.low <= 0 && base.high >= 0)
        return span(0, value_rounded(0, fmax(low, high)).span.high);
    Value raised = value_rounded(fmin(low, high), fmax(low, high));
    if (base.low >= 0)
        raised.span.low = fmax(raised.span.low, 0);
    return raised;
}

bool value_raise(RationalPool *pool, Value *base, int64_t exponent)
{
    if (base->is_exact) {
        if (exponent < 0 && rational_is_zero(base->exact))
            return false;
        *base = value_exact(rational_power(pool, base->exact, exponent));
        return true;
    }
    if (exponent < 0) {
        if (base->span.low <= 0 && base->span.high >= 0)
            return false;
        bool is_positive = base->span.low > 0;
        *base = span(below(1 / base->span.high), above(1 / base->span.low));
        if (is_positive) /* 1/∞ is 0, and rounding that down would make it negative */
            base->span.low = fmax(base->span.low, 0);
        exponent = -exponent;
    }
    if (exponent != 1)
        *base = raise_span(base->span, exponent);
    return true;
}

Value value_floor(RationalPool *pool, Value value)
{
    if (value.is_exact)
        return value_exact(rational_floor(pool, value.exact));
    return value_span(pool, floor(value.span.low), floor(value.span.high));
}

Value value_larger(Value a, Value b)
{
    if (a.is_exact && b.is_exact)
        return rational_compare(a.exact, b.exact) < 0 ? b : a;
    Interval x = value_outward(a), y = value_outward(b);
    if (x.low >= y.high || y.low >= x.high)
        return x.low >= y.high ? a : b;
    return span(fmax(x.low, y.low), fmax(x.high, y.high));
}

void value_hold(HeldValue *held, Value value)
{
    held->value = value;
    if (!value.is_exact)
        return;
    fmpq_set(held->own, &value.exact);
    held->value.exact = *held->own;
}

void value_release(HeldValue *held)
{
    fmpq_clear(held->own);
}
