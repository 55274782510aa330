/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on canonical expressions: sums of terms are merged, products multiplied out as long as that stays small,
 * quotients by sums of several terms become powers of a group. */
#include "cost/expr/canonical.h"

static mp_limb_t limb_one[1] = {1};
const __mpq_struct rational_zero = {{0, 0, limb_one}, {0, 1, limb_one}};
static const __mpq_struct rational_one = {{0, 1, limb_one}, {0, 1, limb_one}};

void polynomial_add(Polynomial *sum, mpq_srcptr coefficient, const Monomial *monomial)
{
    Term *term = vec_push(&sum->terms);
    mpq_init(&term->coefficient);
    mpq_set(&term->coefficient, coefficient);
    term->monomial = monomial;
}

void polynomial_add_expr(Polynomial *sum, const Expr *expr)
{
    vec_reserve(&sum->terms, expr->n_terms);
    for (size_t i = 0; i < expr->n_terms; i++)
        polynomial_add(sum, &expr->terms[i].coefficient, expr->terms[i].monomial);
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
            mpq_add(&terms[n - 1].coefficient, &terms[n - 1].coefficient, &terms[i].coefficient);
            mpq_clear(&terms[i].coefficient);
        } else {
            if (n > 0 && mpq_sgn(&terms[n - 1].coefficient) == 0)
                mpq_clear(&terms[--n].coefficient);
            terms[n++] = terms[i];
        }
    }
    if (n > 0 && mpq_sgn(&terms[n - 1].coefficient) == 0)
        mpq_clear(&terms[--n].coefficient);
    const Expr *expr = expr_intern(space, terms, n);
    for (size_t i = 0; i < n; i++)
        mpq_clear(&terms[i].coefficient);
    vec_free(&sum->terms);
    return expr;
}

const Expr *expr_of_term(ExprSpace *space, mpq_srcptr coefficient, const Monomial *monomial)
{
    Term term = {*coefficient, monomial};
    return mpq_sgn(coefficient) ? expr_intern(space, &term, 1) : space->zero;
}

const Expr *expr_of_mpq(ExprSpace *space, mpq_srcptr value)
{
    return expr_of_term(space, value, space->unit);
}

const Expr *expr_of_atom(ExprSpace *space, const Atom *atom, int32_t exponent)
{
    Power power = {atom, exponent};
    return expr_of_term(space, &rational_one, monomial_intern(space, &power, exponent != 0));
}

mpq_srcptr expr_number(const Expr *expr)
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

const Expr *expr_scale(ExprSpace *space, const Expr *expr, mpq_srcptr factor)
{
    Polynomial scaled = {0};
    if (mpq_sgn(factor) == 0)
        return space->zero;
    polynomial_add_expr(&scaled, expr);
    for (size_t i = 0; i < scaled.terms.count; i++)
        mpq_mul(&scaled.terms.items[i].coefficient, &scaled.terms.items[i].coefficient, factor);
    return polynomial_take(space, &scaled);
}

const Expr *expr_negate(ExprSpace *space, const Expr *expr)
{
    static mp_limb_t one[1] = {1};
    static const __mpq_struct minus_one = {{0, -1, one}, {0, 1, one}};
    return expr_scale(space, expr, &minus_one);
}

const Expr *expr_subtract(ExprSpace *space, const Expr *a, const Expr *b)
{
    return a == b ? space->zero : expr_add(space, a, expr_negate(space, b));
}

const Expr *expr_add_integer(ExprSpace *space, const Expr *expr, int64_t value)
{
    return expr_add(space, expr, expr_integer(space, value));
}

/* max(0, x) of one term x: its square is x times itself. */
static const Term *clipped_term(const Atom *atom)
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

/* Powers of steps and of clipped terms to first ones. */
static void reduce(Powers *powers, mpq_ptr factor)
{
    for (size_t i = 0; i < powers->count; i++) {
        Power *power = &powers->items[i];
        const Atom *atom = power->atom;
        if (power->exponent < 2 || atom->kind != ATOM_FUNCTION)
            continue;
        const Term *clipped = clipped_term(atom);
        int32_t more = power->exponent - 1;
        if (atom->function == EXPR_STEP)
            power->exponent = 1;
        if (!clipped || atom->function == EXPR_STEP)
            continue;
        power->exponent = 1;
        for (int32_t k = 0; k < more; k++)
            mpq_mul(factor, factor, &clipped->coefficient);
        for (size_t j = 0; j < clipped->monomial->count; j++)
            powers_add(powers, clipped->monomial->powers[j].atom,
                       (int64_t)clipped->monomial->powers[j].exponent * more);
        i = (size_t)-1; /* what was added may reduce */
    }
}

const Monomial *monomial_multiply(ExprSpace *space, const Monomial *a, const Monomial *b, mpq_ptr factor)
{
    Powers powers = {0};
    if (a->count == 0 || b->count == 0)
        return a->count == 0 ? b : a;
    vec_reserve(&powers, a->count + b->count);
    memcpy(powers.items, a->powers, a->count * sizeof(Power));
    powers.count = a->count;
    for (size_t i = 0; i < b->count; i++)
        powers_add(&powers, b->powers[i].atom, b->powers[i].exponent);
    reduce(&powers, factor);
    size_t n = 0;
    for (size_t i = 0; i < powers.count; i++)
        if (powers.items[i].exponent)
            powers.items[n++] = powers.items[i];
    const Monomial *product = monomial_intern(space, powers.items, n);
    vec_free(&powers);
    return product;
}

/* Of a sum: content times a sum whose first coefficient is 1. */
static const Expr *primitive(ExprSpace *space, const Expr *expr, mpq_ptr content)
{
    mpq_set(content, &expr->terms[0].coefficient);
    mpq_t inverse;
    mpq_init(inverse);
    mpq_inv(inverse, content);
    const Expr *part = expr_scale(space, expr, inverse);
    mpq_clear(inverse);
    return part;
}

/* a * group(b)^-k with a = c b is c * group(b)^-(k - 1): without that, x/x wouldn't be 1. */
static const Expr *cancel(ExprSpace *space, const Expr *sum, const Expr *single)
{
    const Monomial *monomial = single->terms[0].monomial;
    for (size_t i = 0; i < monomial->count; i++) {
        const Atom *atom = monomial->powers[i].atom;
        if (atom->kind != ATOM_GROUP || monomial->powers[i].exponent > 0 || atom->arguments[0]->n_terms != sum->n_terms)
            continue;
        mpq_t content;
        mpq_init(content);
        const Expr *result = NULL;
        if (primitive(space, sum, content) == atom->arguments[0]) {
            Powers powers = {0};
            for (size_t j = 0; j < monomial->count; j++)
                powers_add(&powers, monomial->powers[j].atom, monomial->powers[j].exponent + (j == i));
            size_t n = 0;
            for (size_t j = 0; j < powers.count; j++)
                if (powers.items[j].exponent)
                    powers.items[n++] = powers.items[j];
            mpq_mul(content, content, &single->terms[0].coefficient);
            result = expr_of_term(space, content, monomial_intern(space, powers.items, n));
            vec_free(&powers);
        }
        mpq_clear(content);
        if (result)
            return result;
    }
    return NULL;
}

/* The sum as one factor that isn't multiplied out; exponent: 1 or -1. */
const Expr *expr_group(ExprSpace *space, const Expr *expr, int32_t exponent)
{
    if (expr->n_terms == 1 && exponent == 1)
        return expr;
    mpq_t content;
    mpq_init(content);
    const Expr *group = expr->n_terms ? primitive(space, expr, content) : expr;
    const Expr *power = expr_of_atom(space, atom_group(space, group), exponent);
    if (expr->n_terms) {
        if (exponent < 0)
            mpq_inv(content, content);
        power = expr_scale(space, power, content);
    }
    mpq_clear(content);
    return power;
}

/* max(0, x) of a sum x of two terms: as with one term, its square is x times itself, and then n*max(0, n - 1) and
 * the square are written in the same way. */
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
            polynomial_add(&sum, &term->coefficient, term->monomial);
            continue;
        }
        Powers powers = {0};
        for (size_t j = 0; j < term->monomial->count; j++)
            *vec_push(&powers) = term->monomial->powers[j];
        powers.items[square - term->monomial->powers].exponent--;
        const Expr *less = expr_of_term(space, &term->coefficient, monomial_intern(space, powers.items, powers.count));
        vec_free(&powers);
        polynomial_add_expr(&sum, expr_multiply(space, less, clipped));
    }
    return polynomial_take(space, &sum);
}

const Expr *expr_multiply(ExprSpace *space, const Expr *a, const Expr *b)
{
    mpq_srcptr number;
    if ((number = expr_number(a)))
        return expr_scale(space, b, number);
    if ((number = expr_number(b)))
        return expr_scale(space, a, number);
    const Expr *cancelled = NULL;
    if (a->n_terms > 1 && b->n_terms == 1)
        cancelled = cancel(space, a, b);
    else if (b->n_terms > 1 && a->n_terms == 1)
        cancelled = cancel(space, b, a);
    if (cancelled)
        return cancelled;
    if (a->n_terms > 1 && b->n_terms > 1 && a->n_terms * b->n_terms > MOST_PRODUCT_TERMS) {
        a = expr_group(space, a, 1);
        b = expr_group(space, b, 1);
    }
    Polynomial product = {0};
    mpq_t coefficient;
    mpq_init(coefficient);
    space->work += a->n_terms * b->n_terms;
    for (size_t i = 0; i < a->n_terms; i++) {
        for (size_t j = 0; j < b->n_terms; j++) {
            mpq_mul(coefficient, &a->terms[i].coefficient, &b->terms[j].coefficient);
            const Monomial *monomial =
                monomial_multiply(space, a->terms[i].monomial, b->terms[j].monomial, coefficient);
            polynomial_add(&product, coefficient, monomial);
        }
    }
    mpq_clear(coefficient);
    return reduce_squares(space, polynomial_take(space, &product));
}

const Expr *expr_divide(ExprSpace *space, const Expr *a, const Expr *b)
{
    if (b->n_terms != 1)
        return expr_multiply(space, a, expr_group(space, b, -1));
    Powers powers = {0};
    const Term *term = &b->terms[0];
    mpq_t inverse;
    mpq_init(inverse);
    mpq_inv(inverse, &term->coefficient);
    for (size_t i = 0; i < term->monomial->count; i++)
        powers_add(&powers, term->monomial->powers[i].atom, -(int64_t)term->monomial->powers[i].exponent);
    const Expr *factor = expr_of_term(space, inverse, monomial_intern(space, powers.items, powers.count));
    vec_free(&powers);
    mpq_clear(inverse);
    return expr_multiply(space, a, factor);
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
