/* SPDX-License-Identifier: BSD-3-Clause */
/* Faulhaber's formula: the sum of t^k over t = 0 … n - 1 is the sum of C(k + 1, j) B_j n^(k + 1 - j) / (k + 1) over
 * j = 0 … k, with B_1 = -1/2. */
#include "cost/expr/closing.h"

enum { MOST_EXPONENT = 40 };

/* B_0 … B_MOST_EXPONENT by their recurrence: the sum of C(m + 1, j) B_j over j = 0 … m is 0. */
static mpq_srcptr bernoulli(ExprSpace *space, unsigned at)
{
    if (space->n_bernoulli == 0)
        space->bernoulli = arena_new_array(space->arena, __mpq_struct, MOST_EXPONENT + 1);
    for (; space->n_bernoulli <= at; space->n_bernoulli++) {
        unsigned m = (unsigned)space->n_bernoulli;
        mpq_t sum, part;
        mpq_init(sum);
        mpq_init(part);
        for (unsigned j = 0; j < m; j++) {
            mpq_set_ui(part, 0, 1);
            mpz_bin_uiui(mpq_numref(part), m + 1, j);
            mpq_mul(part, part, &space->bernoulli[j]);
            mpq_sub(sum, sum, part);
        }
        mpq_set_ui(part, 1, m + 1);
        mpq_mul(sum, sum, part);
        if (m == 0)
            mpq_set_ui(sum, 1, 1);
        rational_freeze(space, sum, &space->bernoulli[m]);
        mpq_clear(part);
        mpq_clear(sum);
    }
    return &space->bernoulli[at];
}

/* Scaled by a binomial coefficient times another factor. */
static const Expr *scale_by_binomial(ExprSpace *space, const Expr *expr, unsigned n, unsigned k, mpq_srcptr times,
                                     unsigned over)
{
    mpq_t factor;
    mpq_init(factor);
    mpz_bin_uiui(mpq_numref(factor), n, k);
    mpz_set_ui(mpq_denref(factor), over);
    mpq_canonicalize(factor);
    if (times)
        mpq_mul(factor, factor, times);
    const Expr *scaled = expr_scale(space, expr, factor);
    mpq_clear(factor);
    return scaled;
}

static const Expr *sum_from_zero(ExprSpace *space, unsigned k, const Expr *const *powers)
{
    Polynomial sum = {0};
    for (unsigned j = 0; j <= k; j++)
        polynomial_add_expr(&sum, scale_by_binomial(space, powers[k + 1 - j], k + 1, j, bernoulli(space, j), k + 1));
    return polynomial_take(space, &sum);
}

static bool find_powers(ExprSpace *space, const Expr *base, unsigned count, const Expr **powers)
{
    powers[0] = space->one;
    for (unsigned i = 1; i < count; i++) {
        if (powers[i - 1]->n_terms * base->n_terms > MOST_PRODUCT_TERMS || space_is_tired(space))
            return false;
        powers[i] = expr_multiply(space, powers[i - 1], base);
        if (powers[i]->n_terms > MOST_CLOSED_TERMS)
            return false;
    }
    return true;
}

const Expr *sum_of_powers(ExprSpace *space, unsigned exponent, const Expr *from, const Expr *count)
{
    const Expr *of_from[MOST_EXPONENT + 2], *of_count[MOST_EXPONENT + 2];
    if (exponent > MOST_EXPONENT || !find_powers(space, count, exponent + 2, of_count) ||
        !find_powers(space, from, exponent + 1, of_from))
        return NULL;
    Polynomial sum = {0};
    bool is_short = true;
    for (unsigned j = 0; j <= exponent && is_short; j++) {
        const Expr *left = of_from[exponent - j], *right = sum_from_zero(space, j, of_count);
        is_short = left->n_terms * right->n_terms <= MOST_PRODUCT_TERMS && !space_is_tired(space);
        if (is_short)
            polynomial_add_expr(&sum,
                                scale_by_binomial(space, expr_multiply(space, left, right), exponent, j, NULL, 1));
    }
    const Expr *result = polynomial_take(space, &sum);
    return is_short && result->n_terms <= MOST_CLOSED_TERMS ? result : NULL;
}
