/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions in their canonical form. ceil, min, abs and mod are written by floor and max, so that what is equal is the
 * same; texts show them as people do. Numbers are computed where the result is exact. */
#include "cost/expr/canonical.h"

/* Floor of everything but whole numbers that are added. */
const Expr *expr_floor(ExprSpace *space, const Expr *argument)
{
    Polynomial rest = {0};
    mpq_t whole, part;
    mpq_init(whole);
    mpq_init(part);
    for (size_t i = 0; i < argument->n_terms; i++) {
        const Term *term = &argument->terms[i];
        if (term->monomial->count == 0) {
            mpz_fdiv_q(mpq_numref(whole), mpq_numref(&term->coefficient), mpq_denref(&term->coefficient));
            mpq_sub(part, &term->coefficient, whole);
            if (mpq_sgn(part))
                polynomial_add(&rest, part, term->monomial);
            continue;
        }
        const Power *power = term->monomial->powers;
        bool is_floor = term->monomial->count == 1 && power->exponent == 1 && power->atom->kind == ATOM_FUNCTION &&
                        (power->atom->function == EXPR_FLOOR || power->atom->function == EXPR_STEP);
        if (!is_floor || mpz_cmp_ui(mpq_denref(&term->coefficient), 1) != 0)
            polynomial_add(&rest, &term->coefficient, term->monomial);
    }
    const Expr *inside = polynomial_take(space, &rest), *result;
    /* What isn't inside is whole. */
    if (expr_number(inside)) {
        result = expr_subtract(space, argument, inside);
    } else {
        const Expr *outside = expr_subtract(space, argument, inside);
        result = expr_add(space, outside, expr_of_atom(space, atom_function(space, EXPR_FLOOR, &inside, 1), 1));
    }
    mpq_clear(part);
    mpq_clear(whole);
    return result;
}

static int compare_arguments(const void *a, const void *b)
{
    return compare_exprs(*(const Expr *const *)a, *(const Expr *const *)b);
}

static const Atom *max_of(const Expr *expr)
{
    if (expr->n_terms != 1 || expr->terms[0].monomial->count != 1)
        return NULL;
    const Power *power = expr->terms[0].monomial->powers;
    bool is_max = power->exponent == 1 && power->atom->kind == ATOM_FUNCTION && power->atom->function == EXPR_MAX &&
                  mpq_cmp_ui(&expr->terms[0].coefficient, 1, 1) == 0;
    return is_max ? power->atom : NULL;
}

/* Of arguments that differ by a number the larger is kept; the order is the canonical one. */
static const Expr *largest_of(ExprSpace *space, const Expr *const *arguments, size_t n_arguments)
{
    VEC(const Expr *) kept = {0};
    VEC(const Expr *) flat = {0};
    for (size_t i = 0; i < n_arguments; i++) {
        const Atom *inner = max_of(arguments[i]);
        for (size_t j = 0; inner && j < inner->n_arguments; j++)
            *vec_push(&flat) = inner->arguments[j];
        if (!inner)
            *vec_push(&flat) = arguments[i];
    }
    for (size_t i = 0; i < flat.count; i++) {
        bool is_below = false;
        for (size_t j = 0; j < kept.count && !is_below; j++) {
            const Expr *a = flat.items[i], *b = kept.items[j];
            size_t more = a->n_terms > b->n_terms ? a->n_terms - b->n_terms : b->n_terms - a->n_terms;
            mpq_srcptr difference = more <= 1 ? expr_number(expr_subtract(space, a, b)) : NULL;
            if (!difference)
                continue;
            is_below = true;
            if (mpq_sgn(difference) > 0)
                kept.items[j] = a;
        }
        if (!is_below)
            *vec_push(&kept) = flat.items[i];
    }
    if (kept.count > 1)
        qsort(kept.items, kept.count, sizeof *kept.items, compare_arguments);
    const Expr *result = kept.count == 0 ? space->zero
                         : kept.count == 1
                             ? kept.items[0]
                             : expr_of_atom(space, atom_function(space, EXPR_MAX, kept.items, kept.count), 1);
    vec_free(&flat);
    vec_free(&kept);
    return result;
}

const Expr *expr_max2(ExprSpace *space, const Expr *a, const Expr *b)
{
    return largest_of(space, (const Expr *[]){a, b}, 2);
}

static const Expr *smallest_of(ExprSpace *space, const Expr *const *arguments, size_t n_arguments)
{
    VEC(const Expr *) negated = {0};
    for (size_t i = 0; i < n_arguments; i++)
        *vec_push(&negated) = expr_negate(space, arguments[i]);
    const Expr *result = expr_negate(space, largest_of(space, negated.items, negated.count));
    vec_free(&negated);
    return result;
}

/* Scaled by a positive number so that equal conditions are the same. */
static const Expr *step_of(ExprSpace *space, const Expr *argument)
{
    mpq_srcptr number = expr_number(argument);
    if (number)
        return mpq_sgn(number) >= 0 ? space->one : space->zero;
    mpq_t scale;
    mpq_init(scale);
    mpq_abs(scale, &argument->terms[0].coefficient);
    mpq_inv(scale, scale);
    argument = expr_scale(space, argument, scale);
    mpq_clear(scale);
    return expr_of_atom(space, atom_function(space, EXPR_STEP, &argument, 1), 1);
}

static const Expr *root_of(ExprSpace *space, const Expr *argument)
{
    mpq_srcptr number = expr_number(argument);
    if (!number || mpq_sgn(number) < 0 || !mpz_perfect_square_p(mpq_numref(number)) ||
        !mpz_perfect_square_p(mpq_denref(number)))
        return expr_of_atom(space, atom_function(space, EXPR_SQRT, &argument, 1), 1);
    mpq_t root;
    mpq_init(root);
    mpz_sqrt(mpq_numref(root), mpq_numref(number));
    mpz_sqrt(mpq_denref(root), mpq_denref(number));
    const Expr *result = expr_of_mpq(space, root);
    mpq_clear(root);
    return result;
}

static size_t bits_of(const Expr *number)
{
    mpq_srcptr value = expr_number(number);
    return mpz_sizeinbase(mpq_numref(value), 2) + mpz_sizeinbase(mpq_denref(value), 2);
}

/* Whole exponents are products, as long as they're of few terms and of numbers that a person could write. */
static const Expr *power_of(ExprSpace *space, const Expr *const *arguments)
{
    const Expr *base = arguments[0];
    int64_t exponent;
    mpq_srcptr half = expr_number(arguments[1]);
    if (half && mpq_cmp_ui(half, 1, 2) == 0)
        return root_of(space, base);
    if (expr_is_integer(arguments[1], &exponent) && exponent > -(1 << 20) && exponent < 1 << 20) {
        uint64_t times = (uint64_t)(exponent < 0 ? -exponent : exponent);
        bool is_short = expr_number(base) ? bits_of(base) * times <= MOST_NUMBER_BITS : times <= MOST_POWER;
        double n_terms = (double)times;
        for (size_t i = 1; base->n_terms > 1 && i < base->n_terms; i++)
            n_terms *= (double)times;
        if (is_short && (base->n_terms <= 1 || n_terms <= MOST_PRODUCT_TERMS))
            return expr_power(space, base, exponent);
    }
    return expr_of_atom(space, atom_function(space, EXPR_POW, arguments, 2), 1);
}

/* 1 + 1/2 + … + 1/n of small numbers. */
static const Expr *harmonic_of(ExprSpace *space, const Expr *argument)
{
    int64_t n;
    if (!expr_is_integer(argument, &n) || n < 0 || n > 100)
        return expr_of_atom(space, atom_function(space, EXPR_HARMONIC, &argument, 1), 1);
    const Expr *sum = space->zero;
    for (int64_t i = 1; i <= n; i++)
        sum = expr_add(space, sum, expr_rational(space, 1, i));
    return sum;
}

const Expr *expr_function(ExprSpace *space, ExprFunction function, const Expr *const *arguments, size_t n_arguments)
{
    const Expr *first = arguments[0], *negative;
    double number;
    switch (function) {
    case EXPR_FLOOR:
        return expr_floor(space, first);
    case EXPR_CEIL:
        return expr_negate(space, expr_floor(space, expr_negate(space, first)));
    case EXPR_MAX:
        return largest_of(space, arguments, n_arguments);
    case EXPR_MIN:
        return smallest_of(space, arguments, n_arguments);
    case EXPR_ABS:
        negative = expr_negate(space, first);
        if (expr_is_number(first, &number))
            return number < 0 ? negative : first;
        return expr_max2(space, first, negative);
    case EXPR_MOD:
        return expr_subtract(
            space, first,
            expr_multiply(space, arguments[1], expr_floor(space, expr_divide(space, first, arguments[1]))));
    case EXPR_STEP:
        return step_of(space, first);
    case EXPR_SQRT:
        return root_of(space, first);
    case EXPR_POW:
        return power_of(space, arguments);
    case EXPR_HARMONIC:
        return harmonic_of(space, first);
    case EXPR_LOG:
    case EXPR_LOG2:
        if (first == space->one)
            return space->zero;
        break;
    case EXPR_EXP:
        if (first == space->zero)
            return space->one;
        break;
    }
    return expr_of_atom(space, atom_function(space, function, arguments, n_arguments), 1);
}
