/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact rational numbers, passed by value (FLINT's). Numerators and denominators below 2^62 need no
 * memory. Longer ones belong to a pool and are freed with it, so callers free nothing. Numbers are
 * read-only and in lowest terms. Private to this folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/interval.h"
#include <flint/fmpq.h>
#include <stdbool.h>

typedef fmpq Rational;

typedef struct RationalPool {
    VEC(fmpz) large;
} RationalPool; /* zero-initialise */

extern const Rational rational_zero, rational_one, rational_minus_one;

static inline bool rational_is_zero(Rational a)
{
    return a.num == 0;
}
static inline bool rational_is_whole(Rational a)
{
    return a.den == 1;
}
static inline int rational_sign(Rational a)
{
    return fmpz_sgn(&a.num);
}
/* Whether the number needs no memory. */
static inline bool rational_is_small(Rational a)
{
    return !COEFF_IS_MPZ(a.num) && !COEFF_IS_MPZ(a.den);
}
static inline int rational_compare(Rational a, Rational b)
{
    return fmpq_cmp(&a, &b);
}
static inline bool rational_is_one(Rational a)
{
    return a.num == 1 && a.den == 1;
}

/* denominator > 0 */
Rational rational_of(RationalPool *pool, int64_t numerator, int64_t denominator);
Rational rational_of_double(RationalPool *pool, double value); /* exact; value is finite */
/* digits * 10^exponent */
Rational rational_of_decimal(RationalPool *pool, const char *digits, long exponent);

Rational rational_add(RationalPool *pool, Rational a, Rational b);
Rational rational_subtract(RationalPool *pool, Rational a, Rational b);
Rational rational_multiply(RationalPool *pool, Rational a, Rational b);
Rational rational_divide(RationalPool *pool, Rational a, Rational b); /* b isn't 0 */
Rational rational_power(RationalPool *pool, Rational a, int64_t exponent);
Rational rational_negate(RationalPool *pool, Rational a);
Rational rational_absolute(RationalPool *pool, Rational a);
Rational rational_floor(RationalPool *pool, Rational a);
/* The largest number of which a and b are whole multiples. */
Rational rational_gcd(RationalPool *pool, Rational a, Rational b);
/* The numerator as a number. */
Rational rational_numerator(Rational a);
/* False: the root isn't rational. */
bool rational_root(RationalPool *pool, Rational square, Rational *root);

size_t rational_bits(Rational a); /* of numerator and denominator */
double rational_nearest(Rational a);
Interval rational_outward(Rational a); /* an interval that contains a; a point if a is a double */
MapKey rational_hash(MapKey key, Rational a);

/* A copy of the number in another pool. */
Rational rational_copy(RationalPool *pool, Rational a);
/* Frees all numbers with memory but the first `kept`. */
void rational_pool_shrink(RationalPool *pool, size_t kept);
void rational_pool_free(void *pool);
