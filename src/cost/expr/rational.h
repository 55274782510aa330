/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact rational numbers by value, by FLINT: numerators and denominators below 2^62 need no memory. What longer ones
 * need belongs to a pool, and is freed with it: so nobody else clears numbers. Numbers are read-only, in lowest terms.
 * Private to this folder. */
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
static inline bool rational_is_small(Rational a) /* needs no memory */
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
Rational rational_of_double(RationalPool *pool, double value); /* exactly; finite */
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
/* The largest number of which each is a whole multiple. */
Rational rational_gcd(RationalPool *pool, Rational a, Rational b);
Rational rational_numerator(Rational a);                                 /* as a number */
bool rational_root(RationalPool *pool, Rational square, Rational *root); /* false: it isn't rational */

size_t rational_bits(Rational a); /* of numerator and denominator */
double rational_nearest(Rational a);
Interval rational_outward(Rational a); /* contains it; of doubles: the double */
MapKey rational_hash(MapKey key, Rational a);

/* The number in a pool of its own. */
Rational rational_copy(RationalPool *pool, Rational a);
/* Frees all numbers but the first `kept` that needed memory. */
void rational_pool_shrink(RationalPool *pool, size_t kept);
void rational_pool_free(void *pool);
