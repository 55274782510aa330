/* SPDX-License-Identifier: BSD-3-Clause */
/* See rational.h. */
#include "cost/expr/rational.h"

#include <math.h>

const Rational rational_zero = {0, 1}, rational_one = {1, 1}, rational_minus_one = {-1, 1};

static Rational keep(RationalPool *pool, const fmpq *made)
{
    if (COEFF_IS_MPZ(made->num))
        *vec_push(&pool->large) = made->num;
    if (COEFF_IS_MPZ(made->den))
        *vec_push(&pool->large) = made->den;
    return *made;
}

Rational rational_of(RationalPool *pool, int64_t numerator, int64_t denominator)
{
    if (denominator == 1 && numerator >= COEFF_MIN && numerator <= COEFF_MAX)
        return (Rational){numerator, 1};
    fmpq_t made;
    fmpq_init(made);
    fmpq_set_si(made, numerator, (ulong)denominator);
    return keep(pool, made);
}

Rational rational_of_double(RationalPool *pool, double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    Rational mantissa = rational_of(pool, (int64_t)ldexp(fraction, 53), 1);
    return rational_multiply(pool, mantissa, rational_power(pool, rational_of(pool, 2, 1), exponent - 53));
}

Rational rational_of_decimal(RationalPool *pool, const char *digits, long exponent)
{
    fmpq_t made;
    fmpq_init(made);
    fmpz_set_str(fmpq_numref(made), digits, 10);
    return rational_multiply(pool, keep(pool, made), rational_power(pool, rational_of(pool, 10, 1), exponent));
}

static bool are_small_wholes(Rational a, Rational b)
{
    return a.den == 1 && b.den == 1 && !COEFF_IS_MPZ(a.num) && !COEFF_IS_MPZ(b.num);
}

Rational rational_add(RationalPool *pool, Rational a, Rational b)
{
    if (are_small_wholes(a, b)) /* most terms of long sums are */
        return rational_of(pool, a.num + b.num, 1);
    fmpq_t made;
    fmpq_init(made);
    fmpq_add(made, &a, &b);
    return keep(pool, made);
}

Rational rational_subtract(RationalPool *pool, Rational a, Rational b)
{
    fmpq_t made;
    fmpq_init(made);
    fmpq_sub(made, &a, &b);
    return keep(pool, made);
}

Rational rational_multiply(RationalPool *pool, Rational a, Rational b)
{
    int64_t product;
    if (are_small_wholes(a, b) && !__builtin_mul_overflow(a.num, b.num, &product))
        return rational_of(pool, product, 1);
    fmpq_t made;
    fmpq_init(made);
    fmpq_mul(made, &a, &b);
    return keep(pool, made);
}

Rational rational_divide(RationalPool *pool, Rational a, Rational b)
{
    fmpq_t made;
    fmpq_init(made);
    fmpq_div(made, &a, &b);
    return keep(pool, made);
}

Rational rational_power(RationalPool *pool, Rational a, int64_t exponent)
{
    if (exponent == -1 && a.num > 0 && rational_is_small(a))
        return (Rational){a.den, a.num};
    fmpq_t made;
    fmpq_init(made);
    fmpq_pow_si(made, &a, exponent);
    return keep(pool, made);
}

Rational rational_negate(RationalPool *pool, Rational a)
{
    return rational_subtract(pool, rational_zero, a);
}

Rational rational_absolute(RationalPool *pool, Rational a)
{
    return rational_sign(a) < 0 ? rational_negate(pool, a) : a;
}

Rational rational_floor(RationalPool *pool, Rational a)
{
    fmpq_t made;
    fmpq_init(made);
    fmpz_fdiv_q(fmpq_numref(made), fmpq_numref(&a), fmpq_denref(&a));
    return keep(pool, made);
}

Rational rational_gcd(RationalPool *pool, Rational a, Rational b)
{
    fmpq_t made;
    fmpq_init(made);
    fmpq_gcd(made, &a, &b);
    return keep(pool, made);
}

Rational rational_numerator(Rational a)
{
    return (Rational){a.num, 1};
}

bool rational_root(RationalPool *pool, Rational square, Rational *root)
{
    if (!fmpz_is_square(&square.num) || !fmpz_is_square(&square.den))
        return false;
    fmpq_t made;
    fmpq_init(made);
    fmpz_sqrt(fmpq_numref(made), &square.num);
    fmpz_sqrt(fmpq_denref(made), &square.den);
    *root = keep(pool, made);
    return true;
}

size_t rational_bits(Rational a)
{
    return fmpz_bits(&a.num) + fmpz_bits(&a.den);
}

/* Whether the number is a double num/2^k; then `value` gets it. */
static bool is_double(Rational a, double *value)
{
    if (a.num < -(1L << 53) || a.num > 1L << 53 || COEFF_IS_MPZ(a.den) || (a.den & (a.den - 1)))
        return false;
    *value = (double)a.num / (double)a.den;
    return true;
}

double rational_nearest(Rational a)
{
    double value;
    if (is_double(a, &value))
        return value;
    mpfr_t nearest;
    mpfr_init2(nearest, 53);
    fmpq_get_mpfr(nearest, &a, MPFR_RNDN);
    value = mpfr_get_d(nearest, MPFR_RNDN);
    mpfr_clear(nearest);
    return value;
}

Interval rational_outward(Rational a)
{
    double near;
    if (is_double(a, &near))
        return (Interval){near, near};
    near = fmpq_get_d(&a);
    return (Interval){nextafter(near, -INFINITY), nextafter(near, INFINITY)};
}

static MapKey hash_integer(MapKey key, const fmpz *value)
{
    if (!COEFF_IS_MPZ(*value))
        return hash_word(key, (uint64_t)*value);
    mpz_srcptr large = COEFF_TO_PTR(*value);
    key = hash_word(key, (uint64_t)mpz_size(large) * 4 + (uint64_t)(mpz_sgn(large) + 1));
    for (size_t i = 0; i < mpz_size(large); i++)
        key = hash_word(key, mpz_getlimbn(large, (mp_size_t)i));
    return key;
}

MapKey rational_hash(MapKey key, Rational a)
{
    return hash_integer(hash_integer(key, &a.num), &a.den);
}

Rational rational_copy(RationalPool *pool, Rational a)
{
    fmpq_t made;
    fmpq_init(made);
    fmpq_set(made, &a);
    return keep(pool, made);
}

void rational_pool_shrink(RationalPool *pool, size_t kept)
{
    while (pool->large.count > kept)
        fmpz_clear(&pool->large.items[--pool->large.count]);
}

void rational_pool_free(void *pool)
{
    RationalPool *whole = pool;
    rational_pool_shrink(whole, 0);
    vec_free(&whole->large);
}
