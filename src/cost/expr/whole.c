/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of whole numbers: floors, and what is surely not negative whatever the symbols are. */
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
        if (mpz_cmp_ui(mpq_denref(&expr->terms[i].coefficient), 1) != 0 || !is_whole_monomial(expr->terms[i].monomial))
            return false;
    return true;
}

/* 7/2 n + 1/3 is 3n + (n/2 + 0): what is outside is whole, and of a constant beside fractions of whole numbers only
 * what can reach the next one counts. */
const Expr *expr_floor_whole(ExprSpace *space, const Expr *argument)
{
    Polynomial outside = {0}, inside = {0};
    mpz_t denominator;
    mpq_t whole, part;
    bool all_whole = true;
    mpz_init_set_ui(denominator, 1);
    mpq_init(whole);
    mpq_init(part);
    for (size_t i = 0; i < argument->n_terms; i++) {
        const Term *term = &argument->terms[i];
        if (!is_whole_monomial(term->monomial)) {
            all_whole = false;
            polynomial_add(&inside, &term->coefficient, term->monomial);
            continue;
        }
        if (term->monomial->count)
            mpz_lcm(denominator, denominator, mpq_denref(&term->coefficient));
        mpz_fdiv_q(mpq_numref(whole), mpq_numref(&term->coefficient), mpq_denref(&term->coefficient));
        mpq_sub(part, &term->coefficient, whole);
        if (all_whole && term->monomial->count == 0) { /* the constant is last */
            mpz_mul(mpq_numref(part), mpq_numref(part), denominator);
            mpz_fdiv_q(mpq_numref(part), mpq_numref(part), mpq_denref(part));
            mpz_set(mpq_denref(part), denominator);
            mpq_canonicalize(part);
        }
        polynomial_add(&outside, whole, term->monomial);
        polynomial_add(&inside, part, term->monomial);
    }
    mpq_clear(part);
    mpq_clear(whole);
    mpz_clear(denominator);
    const Expr *rest = polynomial_take(space, &inside);
    return expr_add(space, polynomial_take(space, &outside), expr_floor(space, rest));
}

/* A max, floor or step that is a term of its own. */
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

static bool is_surely(ExprSpace *space, const Expr *expr, bool is_whole, unsigned *tries);

static bool try_bound(ExprSpace *space, const Expr *without, const Term *term, const Expr *bound, bool is_whole,
                      unsigned *tries)
{
    const Expr *scaled = expr_scale(space, bound, &term->coefficient);
    return is_surely(space, expr_add(space, without, scaled), is_whole, tries);
}

/* By lower bounds: of a max each argument, of a floor its argument minus what it can lose. */
static bool is_surely(ExprSpace *space, const Expr *expr, bool is_whole, unsigned *tries)
{
    mpq_srcptr number = expr_number(expr);
    if (number)
        return is_whole ? mpq_cmp_si(number, -1, 1) > 0 : mpq_sgn(number) >= 0;
    const Term *term = bounded_term(expr);
    if (!term || *tries == 0)
        return false;
    --*tries;
    const Expr *without = expr_subtract(space, expr, expr_of_term(space, &term->coefficient, term->monomial));
    const Atom *atom = term->monomial->powers[0].atom;
    bool is_positive = mpq_sgn(&term->coefficient) > 0;
    if (atom->function == EXPR_STEP)
        return try_bound(space, without, term, is_positive ? space->zero : space->one, is_whole, tries);
    if (atom->function == EXPR_FLOOR) {
        const Expr *inside = atom->arguments[0];
        mpz_t denominator;
        mpz_init_set_ui(denominator, 1);
        bool all_whole = true;
        for (size_t i = 0; i < inside->n_terms; i++) {
            mpz_lcm(denominator, denominator, mpq_denref(&inside->terms[i].coefficient));
            all_whole = all_whole && is_whole_monomial(inside->terms[i].monomial);
        }
        const Expr *loss = space->one;
        if (all_whole && mpz_fits_sint_p(denominator))
            loss = expr_rational(space, mpz_get_si(denominator) - 1, mpz_get_si(denominator));
        mpz_clear(denominator);
        return try_bound(space, without, term, is_positive ? expr_subtract(space, inside, loss) : inside, is_whole,
                         tries);
    }
    for (size_t i = 0; i < atom->n_arguments; i++)
        if (try_bound(space, without, term, atom->arguments[i], is_whole, tries) == is_positive)
            return is_positive;
    return !is_positive;
}

bool expr_is_at_least_zero(ExprSpace *space, const Expr *expr)
{
    unsigned tries = MOST_TRIES;
    return is_surely(space, expr, expr_is_whole(expr), &tries);
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
