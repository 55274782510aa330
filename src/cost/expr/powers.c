/* SPDX-License-Identifier: BSD-3-Clause */
/* Faulhaber's formula with Bernoulli's polynomials B:
 *
 *     sum of i^k over i = from … end - 1  =  (B_{k+1}(end) - B_{k+1}(from)) / (k + 1) */
#include "cost/expr/closing.h"

#include <flint/arith.h>

enum { MOST_EXPONENT = 40 };

/* The polynomial's value at `at`, without its constant. NULL if too long. */
static const Expr *bernoulli_at(ExprSpace *space, const fmpq_poly_t polynomial, const Expr *at)
{
    Polynomial sum = {0};
    const Expr *power = space->one;
    slong degree = fmpq_poly_degree(polynomial);
    bool is_short = true;
    for (slong i = 1; i <= degree && is_short; i++) {
        is_short = power->n_terms * at->n_terms <= MOST_PRODUCT_TERMS && !space_gave_up(space);
        power = is_short ? expr_multiply(space, power, at) : power;
        is_short = is_short && power->n_terms <= MOST_CLOSED_TERMS;
        fmpq_t coefficient;
        fmpq_init(coefficient);
        fmpq_poly_get_coeff_fmpq(coefficient, polynomial, i);
        polynomial_add_expr(&sum, expr_scale(space, power, rational_copy(space->pool, *coefficient)));
        fmpq_clear(coefficient);
    }
    const Expr *value = polynomial_take(space, &sum);
    return is_short ? value : NULL;
}

const Expr *sum_of_powers(ExprSpace *space, unsigned exponent, const Expr *from, const Expr *count)
{
    if (exponent > MOST_EXPONENT)
        return NULL;
    fmpq_poly_t polynomial;
    fmpq_poly_init(polynomial);
    arith_bernoulli_polynomial(polynomial, exponent + 1);
    const Expr *above = bernoulli_at(space, polynomial, expr_add(space, from, count));
    const Expr *below = above ? bernoulli_at(space, polynomial, from) : NULL;
    fmpq_poly_clear(polynomial);
    if (!below)
        return NULL;
    const Expr *sum = expr_subtract(space, above, below);
    sum = expr_scale(space, sum, rational_of(space->pool, 1, exponent + 1));
    return sum->n_terms <= MOST_CLOSED_TERMS ? sum : NULL;
}
