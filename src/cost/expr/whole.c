/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of whole numbers: floors, and proofs that a value isn't negative for any whole values
 * of the symbols. */
#include "cost/expr/closing.h"

enum { MOST_TRIES = 200 };

static bool is_whole_monomial(const Monomial *monomial)
{
    for (size_t i = 0; i < monomial->count; i++) {
        const Atom *atom = monomial->powers[i].atom;
        if (monomial->powers[i].exponent < 0 || (atom->kind != ATOM_SYMBOL && atom->kind != ATOM_FUNCTION))
            return false;
        if (atom->kind == ATOM_SYMBOL || atom->function == EXPR_FLOOR || atom->function == EXPR_STEP)
            continue;
        if (atom->function != EXPR_MAX)
            return false;
        for (size_t j = 0; j < atom->n_arguments; j++)
            if (!expr_is_whole(atom->arguments[j]))
                return false;
    }
    return true;
}

bool expr_is_whole(const Expr *expr)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        if (!rational_is_whole(expr->terms[i].coefficient) || !is_whole_monomial(expr->terms[i].monomial))
            return false;
    return true;
}

/* Whether all terms are whole numbers times fractions. */
static bool has_whole_monomials(const Expr *expr)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        if (!is_whole_monomial(expr->terms[i].monomial))
            return false;
    return true;
}

/* The largest 1/d of which all coefficients of whole monomials are multiples; with the constant
 * term, or without. */
static Rational common_fraction(ExprSpace *space, const Expr *expr, bool with_constant)
{
    Rational unit = rational_one;
    for (size_t i = 0; i < expr->n_terms; i++)
        if ((with_constant || expr->terms[i].monomial->count) && is_whole_monomial(expr->terms[i].monomial))
            unit = rational_gcd(space->pool, unit, expr->terms[i].coefficient);
    return unit;
}

/* Moves whole parts out of the floor: floor(7/2 n + 1/3) is 3n + floor(n/2). A constant beside
 * fractions of whole numbers is rounded down to a multiple of their unit, because the rest changes
 * no floor. */
const Expr *expr_floor_whole(ExprSpace *space, const Expr *argument)
{
    Polynomial outside = {0}, inside = {0};
    RationalPool *pool = space->pool;
    Rational unit = common_fraction(space, argument, false);
    bool all_whole = has_whole_monomials(argument);
    for (size_t i = 0; i < argument->n_terms; i++) {
        const Term *term = &argument->terms[i];
        if (!is_whole_monomial(term->monomial)) {
            polynomial_add(&inside, term->coefficient, term->monomial);
            continue;
        }
        Rational whole = rational_floor(pool, term->coefficient);
        Rational part = rational_subtract(pool, term->coefficient, whole);
        if (all_whole && term->monomial->count == 0)
            part = rational_multiply(pool, rational_floor(pool, rational_divide(pool, part, unit)), unit);
        polynomial_add(&outside, whole, term->monomial);
        polynomial_add(&inside, part, term->monomial);
    }
    const Expr *rest = polynomial_take(space, &inside);
    return expr_add(space, polynomial_take(space, &outside), expr_floor(space, rest));
}

/* A term that is a coefficient times a single max, floor or step, preferably a max. */
static const Term *bounded_term(const Expr *expr)
{
    const Term *found = NULL;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        if (monomial->count != 1 || monomial->powers[0].exponent != 1)
            continue;
        const Atom *atom = monomial->powers[0].atom;
        if (atom->kind != ATOM_FUNCTION)
            continue;
        if (atom->function == EXPR_MAX)
            return &expr->terms[i];
        if (atom->function == EXPR_FLOOR || atom->function == EXPR_STEP)
            found = &expr->terms[i];
    }
    return found;
}

/* A lower bound of floor(inside): inside - 1, or inside - (1 - 1/d) if its denominator is d. */
static const Expr *least_floor(ExprSpace *space, const Expr *inside)
{
    Rational loss = rational_one;
    if (has_whole_monomials(inside))
        loss = rational_subtract(space->pool, loss, common_fraction(space, inside, true));
    return expr_subtract(space, inside, expr_of_rational(space, loss));
}

static bool is_provably_at_least_zero(ExprSpace *space, const Expr *expr, bool is_whole, unsigned *tries);

static bool try_bound(ExprSpace *space, const Expr *without, const Term *term, const Expr *bound, bool is_whole,
                      unsigned *tries)
{
    const Expr *scaled = expr_scale(space, bound, term->coefficient);
    return is_provably_at_least_zero(space, expr_add(space, without, scaled), is_whole, tries);
}

/* Tries lower bounds: each argument of a max, and a floor's argument less the possible loss.
 * `is_whole`: expr is whole, so expr > -1 is enough. False if undecided. */
static bool is_provably_at_least_zero(ExprSpace *space, const Expr *expr, bool is_whole, unsigned *tries)
{
    const Rational *number = expr_number(expr);
    if (number)
        return is_whole ? rational_compare(*number, rational_minus_one) > 0 : rational_sign(*number) >= 0;
    const Term *term = bounded_term(expr);
    if (!term || *tries == 0)
        return false;
    --*tries;
    const Expr *without = expr_subtract(space, expr, expr_of_term(space, term->coefficient, term->monomial));
    const Atom *atom = term->monomial->powers[0].atom;
    bool is_positive = rational_sign(term->coefficient) > 0;
    if (atom->function == EXPR_STEP)
        return try_bound(space, without, term, is_positive ? space->zero : space->one, is_whole, tries);
    if (atom->function == EXPR_FLOOR) {
        const Expr *bound = is_positive ? least_floor(space, atom->arguments[0]) : atom->arguments[0];
        return try_bound(space, without, term, bound, is_whole, tries);
    }
    for (size_t i = 0; i < atom->n_arguments; i++)
        if (try_bound(space, without, term, atom->arguments[i], is_whole, tries) == is_positive)
            return is_positive;
    return !is_positive;
}

bool expr_is_at_least_zero(ExprSpace *space, const Expr *expr)
{
    unsigned tries = MOST_TRIES;
    return is_provably_at_least_zero(space, expr, expr_is_whole(expr), &tries);
}

const Expr *expr_larger_whole(ExprSpace *space, const Expr *a, const Expr *b)
{
    const Expr *difference = expr_subtract(space, a, b);
    if (expr_is_at_least_zero(space, difference))
        return a;
    if (expr_is_at_least_zero(space, expr_negate(space, difference)))
        return b;
    return expr_max2(space, a, b);
}

const Expr *expr_smaller_whole(ExprSpace *space, const Expr *a, const Expr *b)
{
    return expr_negate(space, expr_larger_whole(space, expr_negate(space, a), expr_negate(space, b)));
}
