/* SPDX-License-Identifier: BSD-3-Clause */
/* Values during evaluation: exact as long as they are rational and of bearable length, else intervals, rounded outward.
 * Small whole numbers need no memory, so that sums of millions of terms are added up quickly. Private to this folder.
 */
#ifndef FIRMA_COST_EXPR_VALUE_H
#define FIRMA_COST_EXPR_VALUE_H

#include "model/interval.h"
#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Value {
    enum { VALUE_WHOLE, VALUE_RATIONAL, VALUE_SPAN } kind;
    int64_t whole;
    mpq_t rational; /* initialised while the kind is VALUE_RATIONAL */
    Interval span;
} Value;

static inline Value value_whole(int64_t whole)
{
    return (Value){.kind = VALUE_WHOLE, .whole = whole};
}
Value value_rational(mpq_srcptr rational);
Value value_span(double low, double high);    /* exact if they are equal */
Value value_rounded(double low, double high); /* of results with an error of some last places */
Value value_copy(const Value *value);
void value_clear(Value *value);

/* An interval instead, if its denominator is longer. */
void value_shorten(Value *value, size_t most_limbs);
bool value_is_exact(const Value *value);
Interval value_interval(const Value *value);       /* of exact ones: both ends the nearest double */
Interval value_outward(const Value *value);        /* contains it */
int value_compare(const Value *a, const Value *b); /* exact ones */

/* Into the first. */
void value_add(Value *sum, const Value *more);
void value_multiply(Value *product, const Value *factor);
bool value_raise(Value *base, int32_t exponent); /* false: division by zero */
void value_floor(Value *value);

#endif
