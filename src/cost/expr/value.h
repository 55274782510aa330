/* SPDX-License-Identifier: BSD-3-Clause */
/* Values during evaluation: exact while they are rational and not too long, otherwise intervals,
 * rounded outward. Private to this folder. */
#pragma once

#include "cost/expr/rational.h"

typedef struct Value {
    bool is_exact;
    union {
        Rational exact; /* its memory belongs to a pool */
        Interval span;
    };
} Value;

/* Longer numbers become intervals. */
enum { VALUE_MOST_BITS = 1 << 12 };

/* Turns the value into an interval if it has more bits than that. */
Value value_shortened(Value value, size_t most_bits);

static inline Value value_exact(Rational rational)
{
    Value value = {.is_exact = true, .exact = rational};
    return rational_is_small(rational) ? value : value_shortened(value, VALUE_MOST_BITS);
}

Value value_whole(RationalPool *pool, int64_t whole);
Value value_span(RationalPool *pool, double low, double high); /* exact if low == high */
/* Of results whose last digits may be wrong. */
Value value_rounded(double low, double high);

Interval value_interval(Value value); /* both ends are the nearest double if the value is exact */
Interval value_outward(Value value);  /* contains the value */

Value value_add(RationalPool *pool, Value a, Value b);
Value value_multiply(RationalPool *pool, Value a, Value b);
bool value_raise(RationalPool *pool, Value *base, int64_t exponent); /* false: division by zero */
Value value_floor(RationalPool *pool, Value value);
Value value_larger(Value a, Value b);

/* A value with memory of its own, which outlives the pool's numbers. */
typedef struct HeldValue {
    Value value;
    fmpq_t own;
} HeldValue; /* zero-initialise */

void value_hold(HeldValue *held, Value value);
void value_release(HeldValue *held);
