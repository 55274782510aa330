/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions in canonical form. ceil, min, abs and mod are expressed by floor and max, so that equal
 * expressions have equal forms; text.c writes the original functions. Exact results of numbers are
 * computed. */
#include "cost/expr/canonical.h"

/* The floor of the argument, without the whole numbers in it, which are added outside. */
const Expr *expr_floor(ExprSpace *space, const Expr *argument)
{
    Polynomial rest = {0};
    for (size_t i = 0; i < argument->n_terms; i++) {
        const Term *term = &argument->terms[i];
        const Power *power = term->monomial->powers;
        if (term->monomial->count == 0) {
            Rational whole = rational_floor(space->pool, term->coefficient);
            polynomial_add(&rest, rational_subtract(space->pool, term->coefficient, whole), term->monomial);
            continue;
        }
        bool is_floor = term->monomial->count == 1 && power->exponent == 1 && power->atom->kind == ATOM_FUNCTION &&
                        (power->atom->function == EXPR_FLOOR || power->atom->function == EXPR_STEP);
        if (!is_floor || !rational_is_whole(term->coefficient))
            polynomial_add(&rest, term->coefficient, term->monomial);
    }
    const Expr *inside = polynomial_take(space, &rest), *outside = expr_subtract(space, argument, inside);
    if (expr_number(inside))
        return outside;
    return expr_add(space, outside, expr_of_atom(space, atom_function(space, EXPR_FLOOR, &inside, 1), 1));
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
                  rational_is_one(expr->terms[0].coefficient);
    return is_max ? power->atom : NULL;
}

/* Of arguments that differ by a number, only the larger is kept. The order is canonical. */
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
            const Rational *difference = more <= 1 ? expr_number(expr_subtract(space, a, b)) : NULL;
            if (!difference)
                continue;
            is_below = true;
            if (rational_sign(*difference) > 0)
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

/* Scaled by a positive number, so that equivalent conditions are equal. */
static const Expr *step_of(ExprSpace *space, const Expr *argument)
{
    const Rational *number = expr_number(argument);
    if (number)
        return rational_sign(*number) >= 0 ? space->one : space->zero;
    Rational size = rational_absolute(space->pool, argument->terms[0].coefficient);
    argument = expr_scale(space, argument, rational_divide(space->pool, rational_one, size));
    return expr_of_atom(space, atom_function(space, EXPR_STEP, &argument, 1), 1);
}

static const Expr *root_of(ExprSpace *space, const Expr *argument)
{
    const Rational *number = expr_number(argument);
    Rational root;
    if (number && rational_root(space->pool, *number, &root))
        return expr_of_rational(space, root);
    return expr_of_atom(space, atom_function(space, EXPR_SQRT, &argument, 1), 1);
}

/* Powers with whole exponents become products, unless these would have too many terms or digits. */
static const Expr *power_of(ExprSpace *space, const Expr *const *arguments)
{
    const Expr *base = arguments[0];
    int64_t exponent;
    const Rational *half = expr_number(arguments[1]), *number = expr_number(base);
    if (half && half->num == 1 && half->den == 2)
        return root_of(space, base);
    if (expr_is_integer(arguments[1], &exponent) && exponent > -(1 << 20) && exponent < 1 << 20) {
        uint64_t times = (uint64_t)(exponent < 0 ? -exponent : exponent);
        bool is_short = number ? rational_bits(*number) * times <= MOST_NUMBER_BITS : times <= MOST_POWER;
        double n_terms = (double)times;
        for (size_t i = 1; base->n_terms > 1 && i < base->n_terms; i++)
            n_terms *= (double)times;
        if (is_short && (base->n_terms <= 1 || n_terms <= MOST_PRODUCT_TERMS))
            return expr_power(space, base, exponent);
    }
    return expr_of_atom(space, atom_function(space, EXPR_POW, arguments, 2), 1);
}

/* 1 + 1/2 + … + 1/n, as a number up to n = 100. */
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
