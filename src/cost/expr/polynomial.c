/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on canonical expressions. Sums merge equal terms. Products are multiplied out if the
 * result is short. Quotients by sums of several terms become powers of a group. */
#include "cost/expr/canonical.h"

void polynomial_add(Polynomial *sum, Rational coefficient, const Monomial *monomial)
{
    *vec_push(&sum->terms) = (Term){coefficient, monomial};
}

void polynomial_add_expr(Polynomial *sum, const Expr *expr)
{
    vec_reserve(&sum->terms, expr->n_terms);
    if (expr->n_terms)
        memcpy(sum->terms.items + sum->terms.count, expr->terms, expr->n_terms * sizeof(Term));
    sum->terms.count += expr->n_terms;
}

static int compare_terms(const void *a, const void *b)
{
    return compare_monomials(((const Term *)a)->monomial, ((const Term *)b)->monomial);
}

const Expr *polynomial_take(ExprSpace *space, Polynomial *sum)
{
    Term *terms = sum->terms.items;
    size_t n = 0;
    space->work += sum->terms.count + 1;
    if (sum->terms.count > 1)
        qsort(terms, sum->terms.count, sizeof *terms, compare_terms);
    for (size_t i = 0; i < sum->terms.count; i++) {
        if (n > 0 && terms[n - 1].monomial == terms[i].monomial) {
            terms[n - 1].coefficient = rational_add(space->pool, terms[n - 1].coefficient, terms[i].coefficient);
            continue;
        }
        n -= n > 0 && rational_is_zero(terms[n - 1].coefficient);
        terms[n++] = terms[i];
    }
    n -= n > 0 && rational_is_zero(terms[n - 1].coefficient);
    const Expr *expr = expr_intern(space, terms, n);
    vec_free(&sum->terms);
    return expr;
}

const Expr *expr_of_term(ExprSpace *space, Rational coefficient, const Monomial *monomial)
{
    return rational_is_zero(coefficient) ? space->zero : expr_intern(space, &(Term){coefficient, monomial}, 1);
}

const Expr *expr_of_rational(ExprSpace *space, Rational value)
{
    return expr_of_term(space, value, space->unit);
}

const Expr *expr_rational(ExprSpace *space, int64_t numerator, int64_t denominator)
{
    return expr_of_rational(space, rational_of(space->pool, numerator, denominator));
}

const Expr *expr_of_atom(ExprSpace *space, const Atom *atom, int32_t exponent)
{
    Power power = {atom, exponent};
    return expr_of_term(space, rational_one, monomial_intern(space, &power, exponent != 0));
}

const Rational *expr_number(const Expr *expr)
{
    if (expr->n_terms == 0)
        return &rational_zero;
    return expr->n_terms == 1 && expr->terms[0].monomial->count == 0 ? &expr->terms[0].coefficient : NULL;
}

const Expr *expr_symbol(ExprSpace *space, const char *name)
{
    return expr_of_atom(space, atom_symbol(space, name), 1);
}

const Expr *expr_add(ExprSpace *space, const Expr *a, const Expr *b)
{
    Polynomial sum = {0};
    if (a->n_terms == 0 || b->n_terms == 0)
        return a->n_terms == 0 ? b : a;
    polynomial_add_expr(&sum, a);
    polynomial_add_expr(&sum, b);
    return polynomial_take(space, &sum);
}

const Expr *expr_scale(ExprSpace *space, const Expr *expr, Rational factor)
{
    Polynomial scaled = {0};
    if (rational_is_zero(factor) || rational_is_one(factor))
        return rational_is_zero(factor) ? space->zero : expr;
    polynomial_add_expr(&scaled, expr);
    for (size_t i = 0; i < scaled.terms.count; i++) {
        Rational *coefficient = &scaled.terms.items[i].coefficient;
        *coefficient = rational_multiply(space->pool, *coefficient, factor);
    }
    return polynomial_take(space, &scaled);
}

const Expr *expr_negate(ExprSpace *space, const Expr *expr)
{
    return expr_scale(space, expr, rational_minus_one);
}

const Expr *expr_subtract(ExprSpace *space, const Expr *a, const Expr *b)
{
    return a == b ? space->zero : expr_add(space, a, expr_negate(space, b));
}

const Expr *expr_add_integer(ExprSpace *space, const Expr *expr, int64_t value)
{
    return expr_add(space, expr, expr_integer(space, value));
}

/* The term x if the atom is max(0, x) and x is one term. Then max(0, x)² = x · max(0, x). */
static const Term *single_clipped_term(const Atom *atom)
{
    if (atom->kind != ATOM_FUNCTION || atom->function != EXPR_MAX || atom->n_arguments != 2)
        return NULL;
    for (size_t i = 0; i < 2; i++)
        if (atom->arguments[i]->n_terms == 0 && atom->arguments[1 - i]->n_terms == 1)
            return &atom->arguments[1 - i]->terms[0];
    return NULL;
}

typedef VEC(Power) Powers;

static void powers_add(Powers *powers, const Atom *atom, int64_t exponent)
{
    for (size_t i = 0; i < powers->count; i++) {
        if (powers->items[i].atom == atom) {
            powers->items[i].exponent += (int32_t)exponent;
            return;
        }
    }
    *vec_push(powers) = (Power){atom, (int32_t)exponent};
}

static void powers_add_all(Powers *powers, const Monomial *monomial, int64_t times)
{
    for (size_t i = 0; i < monomial->count; i++)
        powers_add(powers, monomial->powers[i].atom, monomial->powers[i].exponent * times);
}

/* Makes the monomial, and frees the powers. */
static const Monomial *powers_take(ExprSpace *space, Powers *powers)
{
    size_t n = 0;
    for (size_t i = 0; i < powers->count; i++)
        if (powers->items[i].exponent)
            powers->items[n++] = powers->items[i];
    const Monomial *monomial = monomial_intern(space, powers->items, n);
    vec_free(powers);
    return monomial;
}

static bool is_step(const Power *power)
{
    return power->exponent > 0 && power->atom->kind == ATOM_FUNCTION && power->atom->function == EXPR_STEP;
}

/* Whether a + b, or a - b, is a number. */
static bool is_number_apart(ExprSpace *space, const Expr *a, const Expr *b, bool is_sum, Rational *number)
{
    const Expr *const both[] = {a, b};
    size_t n[2];
    Rational constant[2] = {rational_zero, rational_zero};
    for (size_t i = 0; i < 2; i++) {
        n[i] = both[i]->n_terms;
        if (both[i]->terms[n[i] - 1].monomial->count == 0)
            constant[i] = both[i]->terms[--n[i]].coefficient;
    }
    if (n[0] != n[1])
        return false;
    for (size_t i = 0; i < n[0]; i++) {
        Rational other = b->terms[i].coefficient;
        if (a->terms[i].monomial != b->terms[i].monomial ||
            rational_compare(a->terms[i].coefficient, is_sum ? rational_negate(space->pool, other) : other) != 0)
            return false;
    }
    *number = (is_sum ? rational_add : rational_subtract)(space->pool, constant[0], constant[1]);
    return true;
}

/* Of step(x)*step(y), one follows from the other, or the product is 0, if x - y or x + y is a number. So the
 * terms of a chain of conditions on one variable grow with its length, and don't double with each. */
static void reduce_steps(ExprSpace *space, Powers *powers, Rational *factor)
{
    for (size_t i = 0; i < powers->count; i++)
        for (size_t k = i + 1; k < powers->count && is_step(&powers->items[i]); k++) {
            Power *a = &powers->items[i], *b = &powers->items[k];
            Rational apart;
            if (!is_step(b))
                continue;
            const Expr *x = a->atom->arguments[0], *y = b->atom->arguments[0];
            if (is_number_apart(space, x, y, false, &apart))
                (rational_sign(apart) > 0 ? a : b)->exponent = 0;
            else if (is_number_apart(space, x, y, true, &apart) && rational_sign(apart) < 0)
                *factor = rational_zero;
        }
}

/* Reduces powers of step(x), and of max(0, x) with a single term x, to first powers. */
static void reduce(ExprSpace *space, Powers *powers, Rational *factor)
{
    for (size_t i = 0; i < powers->count; i++) {
        Power *power = &powers->items[i];
        const Atom *atom = power->atom;
        if (power->exponent < 2 || atom->kind != ATOM_FUNCTION)
            continue;
        const Term *clipped = single_clipped_term(atom);
        int32_t more = power->exponent - 1;
        if (atom->function == EXPR_STEP || clipped)
            power->exponent = 1;
        if (!clipped)
            continue;
        *factor = rational_multiply(space->pool, *factor, rational_power(space->pool, clipped->coefficient, more));
        powers_add_all(powers, clipped->monomial, more);
        i = (size_t)-1; /* start again: the new powers may be reducible */
    }
    reduce_steps(space, powers, factor);
}

static Term multiply_terms(ExprSpace *space, const Term *a, const Term *b)
{
    Powers powers = {0};
    Rational factor = rational_multiply(space->pool, a->coefficient, b->coefficient);
    if (a->monomial->count == 0 || b->monomial->count == 0)
        return (Term){factor, a->monomial->count == 0 ? b->monomial : a->monomial};
    powers_add_all(&powers, a->monomial, 1);
    powers_add_all(&powers, b->monomial, 1);
    reduce(space, &powers, &factor);
    return (Term){factor, powers_take(space, &powers)};
}

/* The expression over its first coefficient. */
static const Expr *primitive(ExprSpace *space, const Expr *expr)
{
    return expr_scale(space, expr, rational_divide(space->pool, rational_one, expr->terms[0].coefficient));
}

/* a · group(b)^-k with a = c b is c · group(b)^-(k - 1). Otherwise x/x wouldn't be 1. */
static const Expr *cancel(ExprSpace *space, const Expr *sum, const Expr *single)
{
    const Monomial *monomial = single->terms[0].monomial;
    for (size_t i = 0; i < monomial->count; i++) {
        const Atom *atom = monomial->powers[i].atom;
        if (atom->kind != ATOM_GROUP || monomial->powers[i].exponent > 0 ||
            atom->arguments[0]->n_terms != sum->n_terms || primitive(space, sum) != atom->arguments[0])
            continue;
        Powers powers = {0};
        powers_add_all(&powers, monomial, 1);
        powers_add(&powers, atom, 1);
        Rational content = rational_multiply(space->pool, sum->terms[0].coefficient, single->terms[0].coefficient);
        return expr_of_term(space, content, powers_take(space, &powers));
    }
    return NULL;
}

const Expr *expr_group(ExprSpace *space, const Expr *expr, int32_t exponent)
{
    if (expr->n_terms == 1 && exponent == 1)
        return expr;
    if (expr->n_terms == 0)
        return expr_of_atom(space, atom_group(space, expr), exponent);
    const Expr *power = expr_of_atom(space, atom_group(space, primitive(space, expr)), exponent);
    return expr_scale(space, power, rational_power(space->pool, expr->terms[0].coefficient, exponent));
}

/* Finds a power of max(0, x) where x is a sum of two terms. As for single terms, max(0, x)² = x ·
 * max(0, x). Then n*max(0, n - 1) and the square have the same form. */
static const Power *reducible_power(const Monomial *monomial, const Expr **clipped)
{
    for (size_t i = 0; i < monomial->count; i++) {
        const Atom *atom = monomial->powers[i].atom;
        if (monomial->powers[i].exponent < 2 || atom->kind != ATOM_FUNCTION || atom->function != EXPR_MAX ||
            atom->n_arguments != 2)
            continue;
        for (size_t j = 0; j < 2; j++) {
            *clipped = atom->arguments[1 - j];
            if (atom->arguments[j]->n_terms == 0 && (*clipped)->n_terms == 2 && monomial->powers[i].exponent < 8)
                return &monomial->powers[i];
        }
    }
    return NULL;
}

static const Expr *reduce_squares(ExprSpace *space, const Expr *expr)
{
    Polynomial sum = {0};
    const Expr *clipped;
    size_t first = 0;
    while (first < expr->n_terms && !reducible_power(expr->terms[first].monomial, &clipped))
        first++;
    if (first == expr->n_terms)
        return expr;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Term *term = &expr->terms[i];
        const Power *square = reducible_power(term->monomial, &clipped);
        if (!square) {
            polynomial_add(&sum, term->coefficient, term->monomial);
            continue;
        }
        Powers powers = {0};
        powers_add_all(&powers, term->monomial, 1);
        powers_add(&powers, square->atom, -1);
        const Expr *less = expr_of_term(space, term->coefficient, powers_take(space, &powers));
        polynomial_add_expr(&sum, expr_multiply(space, less, clipped));
    }
    return polynomial_take(space, &sum);
}

const Expr *expr_multiply(ExprSpace *space, const Expr *a, const Expr *b)
{
    if (a->n_terms < b->n_terms) {
        const Expr *longer = b;
        b = a;
        a = longer;
    }
    if (expr_number(b))
        return expr_scale(space, a, *expr_number(b));
    const Expr *cancelled = a->n_terms > 1 && b->n_terms == 1 ? cancel(space, a, b) : NULL;
    if (cancelled)
        return cancelled;
    if (b->n_terms > 1 && a->n_terms * b->n_terms > MOST_PRODUCT_TERMS) {
        a = expr_group(space, a, 1);
        b = expr_group(space, b, 1);
    }
    Polynomial product = {0};
    space->work += a->n_terms * b->n_terms;
    for (size_t i = 0; i < a->n_terms; i++)
        for (size_t j = 0; j < b->n_terms; j++)
            *vec_push(&product.terms) = multiply_terms(space, &a->terms[i], &b->terms[j]);
    return reduce_squares(space, polynomial_take(space, &product));
}

const Expr *expr_divide(ExprSpace *space, const Expr *a, const Expr *b)
{
    if (b->n_terms != 1)
        return expr_multiply(space, a, expr_group(space, b, -1));
    Powers powers = {0};
    powers_add_all(&powers, b->terms[0].monomial, -1);
    Rational inverse = rational_divide(space->pool, rational_one, b->terms[0].coefficient);
    reduce(space, &powers, &inverse); /* 1/f^-2 is a square */
    const Expr *reciprocal = expr_of_term(space, inverse, powers_take(space, &powers));
    return expr_multiply(space, a, reduce_squares(space, reciprocal));
}

const Expr *expr_power(ExprSpace *space, const Expr *base, int64_t exponent)
{
    if (exponent < 0)
        return expr_divide(space, space->one, expr_power(space, base, -exponent));
    const Expr *power = space->one;
    for (int64_t i = 0; i < exponent; i++)
        power = expr_multiply(space, power, base);
    return power;
}
