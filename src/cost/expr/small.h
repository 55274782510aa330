/* SPDX-License-Identifier: BSD-3-Clause */
/* Values without memory of their own, for sums of millions of terms: fractions of two 64-bit integers, calculated
 * exactly, or intervals, rounded outward. Each operation gives what its namesake of value.h gives, or false where
 * that doesn't fit. Private to this folder. */
#ifndef FIRMA_COST_EXPR_SMALL_H
#define FIRMA_COST_EXPR_SMALL_H

#include "cost/expr/expr.h"
#include "cost/expr/value.h"

#include <math.h>
#include <string.h>

typedef struct Small {
    int64_t denominator; /* of fractions, > 0; SMALL_SPAN, SMALL_NONE */
    union {
        int64_t numerator; /* not INT64_MIN */
        Interval span;
    };
} Small;

__extension__ typedef __int128 SmallWide; /* holds the product of two, and the sum of two such */

enum { SMALL_SPAN = 0, SMALL_NONE = -1 };

static inline Small small_whole(int64_t whole)
{
    return (Small){.denominator = 1, .numerator = whole};
}

static inline Small small_none(void)
{
    return (Small){.denominator = SMALL_NONE};
}

/* Part by part, which is quicker than copying a whole one. */
static inline bool small_set_fraction(Small *result, int64_t numerator, int64_t denominator)
{
    result->denominator = denominator;
    result->numerator = numerator;
    return true;
}

static inline bool small_set_span(Small *result, double low, double high)
{
    result->denominator = SMALL_SPAN;
    result->span.low = low;
    result->span.high = high;
    return true;
}

static inline bool small_is_exact(const Small *small)
{
    return small->denominator > 0;
}

static inline bool small_is_whole(const Small *small, int64_t whole)
{
    return small->denominator == 1 && small->numerator == whole;
}

/* nextafter, without a call of it. */
static inline double small_above(double x)
{
    int64_t bits;
    if (!(x < INFINITY))
        return x;
    if (x == 0)
        return 0x1p-1074;
    memcpy(&bits, &x, sizeof bits);
    bits += x > 0 ? 1 : -1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double small_below(double x)
{
    return -small_above(-x);
}

bool small_fit_long(SmallWide numerator, SmallWide denominator, Small *result); /* small.c */
bool small_of_value(const Value *value, Small *result);
Value small_value(const Small *small);
Interval small_outward(const Small *small);
bool small_raise(const Small *base, int32_t exponent, Small *result);
bool small_floor_span(const Small *argument, Small *result);
bool small_largest(const Small *a, const Small *b, Small *result);
/* The second argument of functions of one is not looked at. */
bool small_call(ExprFunction function, const Small *first, const Small *second, Small *result);

/* Rounded down. By the quotient of doubles, where that is quicker: it's wrong by one at most. */
static inline int64_t small_divide(int64_t numerator, int64_t denominator)
{
    const int64_t most = 1LL << 53;
    if (numerator > most || numerator < -most || denominator > most)
        return numerator / denominator - (numerator % denominator < 0);
    int64_t quotient = (int64_t)((double)numerator / (double)denominator);
    int64_t rest = numerator - quotient * denominator;
    return quotient + (rest >= denominator) - (rest < 0);
}

/* denominator > 0, neither near the end of its range. */
static inline bool small_fit(SmallWide numerator, SmallWide denominator, Small *result)
{
    int64_t n = (int64_t)numerator, d = (int64_t)denominator;
    if (n != numerator || d != denominator || n == INT64_MIN)
        return small_fit_long(numerator, denominator, result);
    int64_t quotient = d == 1 ? n : small_divide(n, d);
    bool is_whole = quotient * d == n;
    return small_set_fraction(result, is_whole ? quotient : n, is_whole ? 1 : d);
}

static inline bool small_add_spans(const Small *a, const Small *b, Small *result)
{
    if (a->denominator < 0 || b->denominator < 0)
        return false;
    if (small_is_whole(b, 0) || small_is_whole(a, 0)) {
        *result = small_is_whole(b, 0) ? *a : *b;
        return true;
    }
    Interval x = small_outward(a), y = small_outward(b);
    return small_set_span(result, small_below(x.low + y.low), small_above(x.high + y.high));
}

static inline bool small_add(const Small *a, const Small *b, Small *result)
{
    int64_t whole;
    if (a->denominator == 1 && b->denominator == 1 && !__builtin_add_overflow(a->numerator, b->numerator, &whole) &&
        whole != INT64_MIN) {
        return small_set_fraction(result, whole, 1);
    }
    if (!small_is_exact(a) || !small_is_exact(b))
        return small_add_spans(a, b, result);
    SmallWide left = a->numerator, right = b->numerator;
    if (a->denominator == b->denominator)
        return small_fit(left + right, a->denominator, result);
    return small_fit(left * b->denominator + right * a->denominator, (SmallWide)a->denominator * b->denominator,
                     result);
}

/* 0 times what has overflown is refused in the end. */
static inline double small_times(double a, double b)
{
    double product = a * b;
    return isnan(product) ? 0 : product;
}

static inline Interval small_product(Interval a, Interval b)
{
    Interval product = {small_times(a.low, b.low), small_times(a.high, b.high)};
    if (a.low >= 0 && b.low >= 0)
        return product;
    double others[] = {small_times(a.low, b.high), small_times(a.high, b.low), product.low, product.high};
    for (int i = 0; i < 4; i++) {
        product.low = others[i] < product.low ? others[i] : product.low;
        product.high = others[i] > product.high ? others[i] : product.high;
    }
    return product;
}

static inline bool small_multiply_spans(const Small *a, const Small *b, Small *result)
{
    if (a->denominator < 0 || b->denominator < 0)
        return false;
    const Small *whole = a->denominator == 1 ? a : b, *other = whole == a ? b : a;
    if (small_is_whole(whole, 0) || small_is_whole(whole, 1)) {
        *result = whole->numerator ? *other : small_whole(0);
        return true;
    }
    Interval product = small_product(small_outward(a), small_outward(b));
    return small_set_span(result, small_below(product.low), small_above(product.high));
}

static inline bool small_multiply(const Small *a, const Small *b, Small *result)
{
    int64_t whole;
    if (a->denominator == 1 && b->denominator == 1 && !__builtin_mul_overflow(a->numerator, b->numerator, &whole) &&
        whole != INT64_MIN) {
        return small_set_fraction(result, whole, 1);
    }
    if (!small_is_exact(a) || !small_is_exact(b))
        return small_multiply_spans(a, b, result);
    return small_fit((SmallWide)a->numerator * b->numerator, (SmallWide)a->denominator * b->denominator, result);
}

static inline bool small_floor(const Small *argument, Small *result)
{
    if (!small_is_exact(argument))
        return small_floor_span(argument, result);
    int64_t n = argument->numerator, d = argument->denominator;
    return small_set_fraction(result, d == 1 ? n : small_divide(n, d), 1);
}

static inline bool small_max(const Small *a, const Small *b, Small *result)
{
    if (!small_is_exact(a) || !small_is_exact(b))
        return small_largest(a, b, result);
    bool is_less = (SmallWide)a->numerator * b->denominator < (SmallWide)b->numerator * a->denominator;
    return small_set_fraction(result, is_less ? b->numerator : a->numerator, is_less ? b->denominator : a->denominator);
}

static inline bool small_step(const Small *argument, Small *result)
{
    if (argument->denominator < 0)
        return false;
    if (small_is_exact(argument))
        return small_set_fraction(result, argument->numerator >= 0, 1);
    int64_t least = argument->span.low >= 0, most = argument->span.high >= 0;
    return least == most ? small_set_fraction(result, least, 1) : small_set_span(result, 0, 1);
}

#endif
