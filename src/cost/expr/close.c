/* SPDX-License-Identifier: BSD-3-Clause */
/* Closes sums over a range of whole numbers: finds a formula without the sum sign.
 *
 * Faulhaber's formula sums polynomial parts. The number of iterations is to - from + 1 if that is
 * provably not negative; otherwise it is max(0, to - from + 1), so that empty ranges count nothing.
 *
 * If the body has max, step or floor of something affine in the index, the range is split: where
 * the arguments cross, or into residue classes. This goes on until each part is polynomial. */
#include "cost/expr/closing.h"

enum { MOST_WORK = 30000, MOST_CLASSES = 32, MOST_DEGREE = 40 };

typedef struct Closing {
    ExprSpace *space;
    const Atom *index;
} Closing;

static const Expr *close_between(Closing *closing, const Expr *from, const Expr *to, const Expr *body);

static bool atom_cannot_close(const Atom *atom, const Atom *index)
{
    if (atom == index || !atom_has(atom, index))
        return false;
    if (atom->kind != ATOM_FUNCTION ||
        (atom->function != EXPR_MAX && atom->function != EXPR_FLOOR && atom->function != EXPR_STEP))
        return true;
    for (size_t i = 0; i < atom->n_arguments; i++)
        for (size_t j = 0; j < atom->arguments[i]->n_terms; j++)
            if (monomial_cannot_close(atom->arguments[i]->terms[j].monomial, index))
                return true;
    return false;
}

bool monomial_cannot_close(const Monomial *monomial, const Atom *index)
{
    bool is_inverse = false, has_other = false;
    for (size_t i = 0; i < monomial->count; i++) {
        const Power *power = &monomial->powers[i];
        if (atom_cannot_close(power->atom, index))
            return true;
        if (!atom_has(power->atom, index))
            continue;
        if (power->exponent < 0 && (power->atom != index || power->exponent < -1))
            return true;
        is_inverse = is_inverse || power->exponent < 0;
        has_other = has_other || power->atom != index;
    }
    return is_inverse && has_other; /* such as floor(i/2)/i: its parts could begin below 1 */
}

/* Returns the index's exponent in a monomial whose other atoms don't contain the index. *without
 * gets the other atoms. */
static int32_t take_index(Closing *closing, const Monomial *monomial, const Monomial **without)
{
    VEC(Power) powers = {0};
    int32_t exponent = 0;
    for (size_t i = 0; i < monomial->count; i++) {
        if (monomial->powers[i].atom == closing->index)
            exponent = monomial->powers[i].exponent;
        else
            *vec_push(&powers) = monomial->powers[i];
    }
    *without = monomial_intern(closing->space, powers.items, powers.count);
    vec_free(&powers);
    return exponent;
}

static const Expr *sum_of_inverses(Closing *closing, const Expr *from, const Expr *count)
{
    ExprSpace *space = closing->space;
    const Expr *before = expr_add_integer(space, from, -1), *last = expr_add(space, before, count);
    /* Below 1, the sum either divides by zero or isn't a harmonic number. */
    if (!expr_is_at_least_zero(space, before))
        return NULL;
    return expr_subtract(space, expr_function(space, EXPR_HARMONIC, &last, 1),
                         expr_function(space, EXPR_HARMONIC, &before, 1));
}

/* Closes a body that is a polynomial of the index, with exponents from -1 to MOST_DEGREE.
 * coefficients is indexed by exponent + 1. */
static const Expr *close_polynomial(Closing *closing, const Expr *from, const Expr *to, const Expr *body)
{
    ExprSpace *space = closing->space;
    Polynomial coefficients[MOST_DEGREE + 2] = {0};
    bool fits = true;
    for (size_t i = 0; i < body->n_terms; i++) {
        const Monomial *without;
        int32_t exponent = take_index(closing, body->terms[i].monomial, &without);
        fits = fits && exponent >= -1 && exponent <= MOST_DEGREE;
        if (fits)
            polynomial_add(&coefficients[exponent + 1], body->terms[i].coefficient, without);
    }
    const Expr *n = expr_add_integer(space, expr_subtract(space, to, from), 1);
    const Expr *count = expr_larger_whole(space, n, space->zero);
    Polynomial total = {0};
    for (unsigned k = 0; k < MOST_DEGREE + 2; k++) {
        const Expr *coefficient = polynomial_take(space, &coefficients[k]);
        if (coefficient->n_terms == 0 || !fits)
            continue;
        const Expr *sum = k == 0 ? sum_of_inverses(closing, from, count) : sum_of_powers(space, k - 1, from, count);
        fits = sum && coefficient->n_terms * sum->n_terms <= MOST_PRODUCT_TERMS;
        if (fits)
            polynomial_add_expr(&total, expr_multiply(space, coefficient, sum));
    }
    const Expr *result = polynomial_take(space, &total);
    return fits && result->n_terms <= MOST_CLOSED_TERMS ? result : NULL;
}

/* An atom that contains the index, but contains no other such atom. */
static const Atom *innermost(const Expr *expr, const Atom *index)
{
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        for (size_t j = 0; j < monomial->count; j++) {
            const Atom *atom = monomial->powers[j].atom;
            if (atom == index || !atom_has(atom, index))
                continue;
            for (size_t k = 0; k < atom->n_arguments; k++) {
                const Atom *deeper = innermost(atom->arguments[k], index);
                if (deeper)
                    return deeper;
            }
            return atom;
        }
    }
    return NULL;
}

static const Expr *add_both(Closing *closing, const Expr *a, const Expr *b)
{
    return a && b ? expr_add(closing->space, a, b) : NULL;
}

static const Expr *with_atom(Closing *closing, const Expr *body, const Atom *atom, const Expr *replacement)
{
    return expr_rewrite(closing->space, body, &atom, &replacement, 1);
}

static const Expr *at_index(Closing *closing, const Expr *expr, const Expr *value)
{
    return expr_rewrite(closing->space, expr, &closing->index, &value, 1);
}

/* Finds expr = slope · index + rest, where slope is a number. False if expr isn't of this form. */
static bool find_slope(Closing *closing, const Expr *expr, Rational *slope, const Expr **rest)
{
    const Term *with = NULL;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        if (!symbols_hold(&monomial->free, closing->index))
            continue;
        if (monomial->count != 1 || monomial->powers[0].atom != closing->index || monomial->powers[0].exponent != 1)
            return false;
        with = &expr->terms[i];
    }
    *slope = with ? with->coefficient : rational_zero;
    *rest = with ? expr_subtract(closing->space, expr, expr_of_term(closing->space, *slope, with->monomial)) : expr;
    return true;
}

/* Splits the range where `difference`, which is affine in the index, changes its sign. The atom is
 * `above` where difference >= 0, and `below` elsewhere. */
static const Expr *split(Closing *closing, const Expr *from, const Expr *to, const Expr *body, const Atom *atom,
                         const Expr *difference, const Expr *above, const Expr *below)
{
    ExprSpace *space = closing->space;
    const Expr *rest;
    Rational slope;
    if (!find_slope(closing, difference, &slope, &rest) || rational_is_zero(slope))
        return NULL;
    /* The sign is the same in the whole range if it is the same at both ends. */
    const Expr *first = at_index(closing, difference, from), *last = at_index(closing, difference, to);
    if (expr_is_at_least_zero(space, first) && expr_is_at_least_zero(space, last))
        return close_between(closing, from, to, with_atom(closing, body, atom, above));
    const Expr *minus = expr_integer(space, -1); /* a negative whole number is at most -1 */
    if (expr_is_whole(difference) && expr_is_at_least_zero(space, expr_subtract(space, minus, first)) &&
        expr_is_at_least_zero(space, expr_subtract(space, minus, last)))
        return close_between(closing, from, to, with_atom(closing, body, atom, below));
    /* The last index of the left part: floor(rest/|slope|) for a falling difference, or the last
     * one below -rest/slope for a rising difference. */
    bool is_rising = rational_sign(slope) > 0;
    Rational inverse = rational_divide(space->pool, rational_one, rational_absolute(space->pool, slope));
    const Expr *until = expr_floor_whole(space, expr_scale(space, rest, inverse));
    if (is_rising)
        until = expr_add_integer(space, expr_negate(space, until), -1);
    const Expr *left = close_between(closing, from, expr_smaller_whole(space, to, until),
                                     with_atom(closing, body, atom, is_rising ? below : above));
    if (!left)
        return NULL;
    const Expr *right = close_between(closing, expr_larger_whole(space, from, expr_add_integer(space, until, 1)), to,
                                      with_atom(closing, body, atom, is_rising ? above : below));
    return add_both(closing, left, right);
}

static const Expr *close_max(Closing *closing, const Expr *from, const Expr *to, const Expr *body, const Atom *max)
{
    ExprSpace *space = closing->space;
    for (size_t i = 0; i < max->n_arguments; i++) {
        for (size_t j = i + 1; j < max->n_arguments; j++) {
            const Expr *a = max->arguments[i], *b = max->arguments[j];
            const Expr *difference = expr_subtract(space, a, b);
            VEC(const Expr *) without_a = {0}, without_b = {0};
            for (size_t k = 0; k < max->n_arguments; k++) {
                if (k != i)
                    *vec_push(&without_a) = max->arguments[k];
                if (k != j)
                    *vec_push(&without_b) = max->arguments[k];
            }
            const Expr *above = expr_function(space, EXPR_MAX, without_b.items, without_b.count);
            const Expr *below = expr_function(space, EXPR_MAX, without_a.items, without_a.count);
            vec_free(&without_a);
            vec_free(&without_b);
            if (expr_has(difference, closing->index))
                return split(closing, from, to, body, max, difference, above, below);
            if (max->n_arguments == 2) { /* the difference doesn't depend on the index */
                const Expr *more = expr_larger_whole(space, difference, space->zero);
                return close_between(closing, from, to, with_atom(closing, body, max, expr_add(space, b, more)));
            }
        }
    }
    return NULL;
}

/* Splits the range into residue classes: index = den · t + class, where the slope is num/den. Then
 * floor(slope · index + rest) = num · t + floor(slope · class + rest). */
static const Expr *close_floor(Closing *closing, const Expr *from, const Expr *to, const Expr *body, const Atom *floor)
{
    ExprSpace *space = closing->space;
    const Expr *rest, *total = space->zero, *index = expr_of_atom(space, closing->index, 1);
    Rational slope;
    if (!find_slope(closing, floor->arguments[0], &slope, &rest) || slope.den > MOST_CLASSES)
        return NULL;
    const Expr *n = expr_integer(space, slope.den), *rising = expr_scale(space, index, rational_numerator(slope));
    for (int64_t class = 0; class < slope.den && total; class ++) {
        const Expr *class_expr = expr_integer(space, class);
        const Expr *fixed = expr_add(space, rest, expr_scale(space, class_expr, slope));
        const Expr *with[] = {
            expr_add(space, rising, expr_floor_whole(space, fixed)),
            expr_add(space, expr_multiply(space, n, index), class_expr),
        };
        const Atom *atoms[] = {floor, closing->index};
        const Expr *part = expr_rewrite(space, body, atoms, with, 2);
        const Expr *first = expr_divide(space, expr_subtract(space, class_expr, from), n);
        const Expr *last = expr_divide(space, expr_subtract(space, to, class_expr), n);
        total = add_both(closing, total,
                         close_between(closing, expr_negate(space, expr_floor_whole(space, first)),
                                       expr_floor_whole(space, last), part));
    }
    return total;
}

static const Expr *close_parts(Closing *closing, const Expr *from, const Expr *to, const Expr *body)
{
    const Atom *atom = innermost(body, closing->index);
    if (atom->function == EXPR_MAX)
        return close_max(closing, from, to, body, atom);
    if (atom->function == EXPR_FLOOR)
        return close_floor(closing, from, to, body, atom);
    return split(closing, from, to, body, atom, atom->arguments[0], closing->space->one, closing->space->zero);
}

static const Expr *close_between(Closing *closing, const Expr *from, const Expr *to, const Expr *body)
{
    ExprSpace *space = closing->space;
    const Expr *missing = expr_add_integer(space, expr_subtract(space, from, to), -1);
    if (body->n_terms == 0 || expr_is_at_least_zero(space, missing))
        return space->zero;
    if (space_gave_up(space) || body->n_terms > MOST_CLOSED_TERMS)
        return NULL;
    Polynomial plain = {0}, piecewise = {0};
    for (size_t i = 0; i < body->n_terms; i++) {
        const Term *term = &body->terms[i];
        bool is_plain = true;
        for (size_t j = 0; j < term->monomial->count; j++) {
            const Atom *atom = term->monomial->powers[j].atom;
            is_plain = is_plain && (atom == closing->index || !atom_has(atom, closing->index));
        }
        polynomial_add(is_plain ? &plain : &piecewise, term->coefficient, term->monomial);
    }
    const Expr *with_parts = polynomial_take(space, &piecewise), *polynomial = polynomial_take(space, &plain);
    const Expr *total = close_polynomial(closing, from, to, polynomial);
    if (total && with_parts->n_terms)
        total = add_both(closing, total, close_parts(closing, from, to, with_parts));
    return total && total->n_terms <= MOST_CLOSED_TERMS ? total : NULL;
}

const Expr *sum_close(ExprSpace *space, const Atom *index, const Expr *from, const Expr *to, const Expr *body)
{
    Closing closing = {.space = space, .index = index};
    uint64_t most_before = space->most_work, most = space->work + MOST_WORK + 100 * body->n_terms;
    space->most_work = most;
    const Expr *result = close_between(&closing, from, to, body);
    bool is_given_up = space_gave_up(space);
    space->most_work = most_before;
    return is_given_up ? NULL : result;
}
