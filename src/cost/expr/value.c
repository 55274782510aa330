/* SPDX-License-Identifier: BSD-3-Clause */
#include "cost/expr/value.h"

#include <math.h>

/* Longer numbers than these become intervals. */
enum { MOST_LIMBS = 64 };

static double below(double x)
{
    return nextafter(x, -INFINITY);
}

static double above(double x)
{
    return nextafter(x, INFINITY);
}

static Value shortened(mpq_ptr rational)
{
    Value value = {.kind = VALUE_RATIONAL};
    if (mpz_cmp_ui(mpq_denref(rational), 1) == 0 && mpz_fits_slong_p(mpq_numref(rational))) {
        value = value_whole(mpz_get_si(mpq_numref(rational)));
        mpq_clear(rational);
        return value;
    }
    value.rational[0] = rational[0];
    if (mpz_size(mpq_numref(rational)) + mpz_size(mpq_denref(rational)) > MOST_LIMBS) {
        Interval span = value_outward(&value);
        mpq_clear(rational);
        value = (Value){.kind = VALUE_SPAN, .span = span};
    }
    return value;
}

Value value_rational(mpq_srcptr rational)
{
    if (mpz_cmp_ui(mpq_denref(rational), 1) == 0 && mpz_fits_slong_p(mpq_numref(rational)))
        return value_whole(mpz_get_si(mpq_numref(rational)));
    mpq_t copy;
    mpq_init(copy);
    mpq_set(copy, rational);
    return shortened(copy);
}

Value value_span(double low, double high)
{
    if (low != high || !isfinite(low))
        return (Value){.kind = VALUE_SPAN, .span = {low, high}};
    if (low == floor(low) && fabs(low) < 9e15)
        return value_whole((int64_t)low);
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, low);
    return shortened(exact);
}

Value value_rounded(double low, double high)
{
    return (Value){.kind = VALUE_SPAN, .span = {below(below(low)), above(above(high))}};
}

Value value_copy(const Value *value)
{
    return value->kind == VALUE_RATIONAL ? value_rational(value->rational) : *value;
}

void value_clear(Value *value)
{
    if (value->kind == VALUE_RATIONAL)
        mpq_clear(value->rational);
    *value = value_whole(0);
}

void value_shorten(Value *value, size_t most_limbs)
{
    if (value->kind != VALUE_RATIONAL || mpz_size(mpq_denref(value->rational)) <= most_limbs)
        return;
    Interval span = value_outward(value);
    value_clear(value);
    *value = (Value){.kind = VALUE_SPAN, .span = span};
}

bool value_is_exact(const Value *value)
{
    return value->kind != VALUE_SPAN;
}

/* mpq_get_d cuts off; the nearest is that, or the next one away from 0. */
static double nearest(mpq_srcptr rational)
{
    double cut = mpq_get_d(rational);
    double other = mpq_sgn(rational) > 0 ? above(cut) : below(cut);
    if (!isfinite(cut) || !isfinite(other))
        return cut;
    mpq_t left, right;
    mpq_init(left);
    mpq_init(right);
    mpq_set_d(left, cut);
    mpq_set_d(right, other);
    mpq_sub(left, rational, left);
    mpq_sub(right, right, rational);
    mpq_abs(left, left);
    mpq_abs(right, right);
    double result = mpq_cmp(left, right) <= 0 ? cut : other;
    mpq_clear(left);
    mpq_clear(right);
    return result;
}

Interval value_interval(const Value *value)
{
    if (value->kind == VALUE_SPAN)
        return value->span;
    double near = value->kind == VALUE_WHOLE ? (double)value->whole : nearest(value->rational);
    return (Interval){near, near};
}

Interval value_outward(const Value *value)
{
    if (value->kind == VALUE_SPAN)
        return value->span;
    if (value->kind == VALUE_WHOLE) {
        double near = (double)value->whole;
        if (value->whole >= -(1LL << 53) && value->whole <= 1LL << 53)
            return (Interval){near, near};
        return (Interval){below(near), above(near)};
    }
    double cut = mpq_get_d(value->rational);
    return mpq_sgn(value->rational) > 0 ? (Interval){cut, above(cut)} : (Interval){below(cut), cut};
}

/* In a rational; scratch is initialised. */
static mpq_srcptr as_rational(const Value *value, mpq_ptr scratch)
{
    if (value->kind == VALUE_RATIONAL)
        return value->rational;
    mpq_set_si(scratch, value->whole, 1);
    return scratch;
}

int value_compare(const Value *a, const Value *b)
{
    if (a->kind == VALUE_WHOLE && b->kind == VALUE_WHOLE)
        return a->whole < b->whole ? -1 : a->whole > b->whole;
    mpq_t left, right;
    mpq_init(left);
    mpq_init(right);
    int order = mpq_cmp(as_rational(a, left), as_rational(b, right));
    mpq_clear(left);
    mpq_clear(right);
    return order;
}

typedef void (*RationalOperation)(mpq_ptr, mpq_srcptr, mpq_srcptr);

static void combine(Value *into, const Value *with, RationalOperation operation)
{
    mpq_t left, right, result;
    mpq_init(left);
    mpq_init(right);
    mpq_init(result);
    operation(result, as_rational(into, left), as_rational(with, right));
    value_clear(into);
    *into = shortened(result);
    mpq_clear(left);
    mpq_clear(right);
}

void value_add(Value *sum, const Value *more)
{
    int64_t whole;
    if (sum->kind == VALUE_WHOLE && more->kind == VALUE_WHOLE &&
        !__builtin_add_overflow(sum->whole, more->whole, &whole)) {
        sum->whole = whole;
    } else if (value_is_exact(sum) && value_is_exact(more)) {
        combine(sum, more, mpq_add);
    } else {
        if (more->kind == VALUE_WHOLE && more->whole == 0)
            return;
        if (sum->kind == VALUE_WHOLE && sum->whole == 0) {
            *sum = value_copy(more);
            return;
        }
        Interval a = value_outward(sum), b = value_outward(more);
        value_clear(sum);
        *sum = (Value){.kind = VALUE_SPAN, .span = {below(a.low + b.low), above(a.high + b.high)}};
    }
}

static Interval span_product(Interval a, Interval b)
{
    double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    Interval product = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        if (isnan(products[i]))
            products[i] = 0; /* 0 times what has overflown: is refused in the end */
        product.low = fmin(product.low, products[i]);
        product.high = fmax(product.high, products[i]);
    }
    return product;
}

void value_multiply(Value *product, const Value *factor)
{
    int64_t whole;
    if (product->kind == VALUE_WHOLE && factor->kind == VALUE_WHOLE &&
        !__builtin_mul_overflow(product->whole, factor->whole, &whole)) {
        product->whole = whole;
    } else if (value_is_exact(product) && value_is_exact(factor)) {
        combine(product, factor, mpq_mul);
    } else {
        if (product->kind == VALUE_WHOLE && (product->whole == 0 || product->whole == 1)) {
            if (product->whole)
                *product = value_copy(factor);
            return;
        }
        if (factor->kind == VALUE_WHOLE && (factor->whole == 0 || factor->whole == 1)) {
            if (!factor->whole)
                *product = value_whole(0);
            return;
        }
        Interval span = span_product(value_outward(product), value_outward(factor));
        value_clear(product);
        *product = (Value){.kind = VALUE_SPAN, .span = {below(span.low), above(span.high)}};
    }
}

static bool invert(Value *value)
{
    if (value->kind == VALUE_SPAN) {
        Interval span = value->span;
        if (span.low <= 0 && span.high >= 0)
            return false;
        value->span = (Interval){below(1 / span.high), above(1 / span.low)};
        return true;
    }
    mpq_t inverse, whole;
    mpq_init(inverse);
    mpq_init(whole);
    mpq_srcptr exact = as_rational(value, whole);
    bool is_nonzero = mpq_sgn(exact) != 0;
    if (is_nonzero) {
        mpq_inv(inverse, exact);
        value_clear(value);
        *value = shortened(inverse);
    } else {
        mpq_clear(inverse);
    }
    mpq_clear(whole);
    return is_nonzero;
}

bool value_raise(Value *base, int32_t exponent)
{
    if (exponent < 0 && !invert(base))
        return false;
    uint32_t times = (uint32_t)(exponent < 0 ? -(int64_t)exponent : exponent);
    if (times == 1)
        return true;
    if (base->kind == VALUE_SPAN) {
        /* The power of an interval, not the product of intervals: x^2 isn't negative. */
        double low = pow(base->span.low, times), high = pow(base->span.high, times);
        bool holds_zero = base->span.low <= 0 && base->span.high >= 0;
        double least = times % 2 == 0 && holds_zero ? 0 : fmin(low, high);
        *base = value_rounded(least, fmax(low, high));
        if (times % 2 == 0 && holds_zero)
            base->span.low = 0;
        return true;
    }
    Value power = value_whole(1), square = *base;
    for (; times; times >>= 1) {
        if (times & 1)
            value_multiply(&power, &square);
        Value copy = value_copy(&square);
        if (times > 1)
            value_multiply(&square, &copy);
        value_clear(&copy);
    }
    value_clear(&square);
    *base = power;
    return true;
}

void value_floor(Value *value)
{
    if (value->kind == VALUE_SPAN) {
        *value = value_span(floor(value->span.low), floor(value->span.high));
    } else if (value->kind == VALUE_RATIONAL) {
        mpq_t whole;
        mpq_init(whole);
        mpz_fdiv_q(mpq_numref(whole), mpq_numref(value->rational), mpq_denref(value->rational));
        value_clear(value);
        *value = shortened(whole);
    }
}
