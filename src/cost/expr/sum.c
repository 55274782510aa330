/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and largest values over an index. Sums are transformed to steps of 1 over whole numbers, and
 * closed as far as possible. Terms that don't close stay in sums; factors without the index stand
 * outside of these sums. */
#include "cost/expr/closing.h"

/* Renames the index if the bounds contain a symbol of the same name. */
static const Atom *separate_index(ExprSpace *space, const Atom *index, const Expr *const *bounds, size_t n_bounds,
                                  const Expr **body)
{
    const Atom *fresh = index;
    for (unsigned number = 1;; number++) {
        bool is_taken = fresh != index && expr_has(*body, fresh);
        for (size_t i = 0; i < n_bounds; i++)
            is_taken = is_taken || expr_has(bounds[i], fresh);
        if (!is_taken)
            break;
        fresh = atom_symbol(space, arena_printf(space->arena, "%s_%u", index->name, number));
    }
    if (fresh != index) {
        const Expr *renamed = expr_of_atom(space, fresh, 1);
        *body = expr_rewrite(space, *body, &index, &renamed, 1);
    }
    return fresh;
}

/* Splits a monomial into the factors with the index and those without. */
static void split_monomial(ExprSpace *space, const Monomial *monomial, const Atom *index, const Monomial **with,
                           const Monomial **without)
{
    VEC(Power) holding = {0}, free_of = {0};
    for (size_t i = 0; i < monomial->count; i++) {
        if (atom_has(monomial->powers[i].atom, index))
            *vec_push(&holding) = monomial->powers[i];
        else
            *vec_push(&free_of) = monomial->powers[i];
    }
    *with = monomial_intern(space, holding.items, holding.count);
    *without = monomial_intern(space, free_of.items, free_of.count);
    vec_free(&holding);
    vec_free(&free_of);
}

/* Closes a sum with any step. A sum with step 1 from a whole number closes over the index itself,
 * others over t with index = from + step · t. */
static const Expr *close_stepped(ExprSpace *space, const Atom *index, const Expr *const bounds[3], const Expr *body)
{
    const Expr *from = bounds[0], *to = bounds[1], *step = bounds[2];
    if (step == space->one && expr_is_whole(from))
        return sum_close(space, index, from, expr_floor_whole(space, to), body);
    const Expr *steps = expr_divide(space, expr_subtract(space, to, from), step);
    const Expr *at = expr_add(space, from, expr_multiply(space, step, expr_of_atom(space, index, 1)));
    const Expr *stepped = expr_rewrite(space, body, &index, &at, 1);
    return sum_close(space, index, space->zero, expr_floor_whole(space, steps), stepped);
}

static const Expr *remake_sum(ExprSpace *space, const char *index, const Expr *const arguments[SUM_ARGUMENTS])
{
    return expr_sum(space, index, arguments[SUM_FROM], arguments[SUM_TO], arguments[SUM_STEP], arguments[SUM_BODY]);
}

static const Expr *remake_largest(ExprSpace *space, const char *index, const Expr *const arguments[SUM_ARGUMENTS])
{
    return expr_largest(space, index, arguments[SUM_FROM], arguments[SUM_TO], arguments[SUM_BODY]);
}

/* A sum that stays, with its first coefficient as a factor outside. */
static const Expr *keep_sum(ExprSpace *space, const Atom *index, const Expr *const bounds[3], const Expr *inside)
{
    if (inside->n_terms == 0)
        return space->zero;
    Rational content = inside->terms[0].coefficient;
    const Expr *primitive = expr_scale(space, inside, rational_divide(space->pool, rational_one, content));
    const Expr *arguments[] = {bounds[0], bounds[1], bounds[2], primitive};
    const Atom *sum = atom_sum(space, ATOM_SUM, remake_sum, index, arguments);
    return expr_scale(space, expr_of_atom(space, sum, 1), content);
}

/* Closes all terms that can close, together. *rest gets the other terms. */
static const Expr *close_most(ExprSpace *space, const Atom *index, const Expr *const bounds[3], const Expr *body,
                              const Expr **rest)
{
    Polynomial closable = {0}, remaining = {0};
    for (size_t i = 0; i < body->n_terms; i++) {
        const Term *term = &body->terms[i];
        bool cannot_close = bounds[2] == space->zero || monomial_cannot_close(term->monomial, index);
        polynomial_add(cannot_close ? &remaining : &closable, term->coefficient, term->monomial);
    }
    const Expr *open = polynomial_take(space, &closable);
    *rest = polynomial_take(space, &remaining);
    const Expr *closed = open->n_terms ? close_stepped(space, index, bounds, open) : space->zero;
    *rest = closed ? *rest : body;
    return closed ? closed : space->zero;
}

/* Terms that don't close, and have the same factors without the index. They share one sum. So
 * parsing the sum's text again yields the same form. */
typedef struct Share {
    const Monomial *outside;
    Polynomial inside;
} Share;

static const Expr *sum_of_shares(ExprSpace *space, const Atom *index, const Expr *const bounds[3], const Expr *body)
{
    VEC(Share) shares = {0};
    for (size_t i = 0; i < body->n_terms; i++) {
        const Monomial *with, *without;
        split_monomial(space, body->terms[i].monomial, index, &with, &without);
        size_t at = 0;
        while (at < shares.count && shares.items[at].outside != without)
            at++;
        if (at == shares.count)
            *vec_push(&shares) = (Share){.outside = without};
        polynomial_add(&shares.items[at].inside, body->terms[i].coefficient, with);
    }
    Polynomial total = {0};
    for (size_t i = 0; i < shares.count; i++) {
        const Expr *rest = polynomial_take(space, &shares.items[i].inside), *closed = space->zero;
        if (shares.count > 1) /* with one share, this has been tried already */
            closed = close_most(space, index, bounds, rest, &rest);
        const Expr *sum = expr_add(space, closed, keep_sum(space, index, bounds, rest));
        const Expr *outside = expr_of_term(space, rational_one, shares.items[i].outside);
        polynomial_add_expr(&total, expr_multiply(space, outside, sum));
    }
    vec_free(&shares);
    return polynomial_take(space, &total);
}

const Expr *expr_sum(ExprSpace *space, const char *index_name, const Expr *from, const Expr *to, const Expr *step,
                     const Expr *body)
{
    const Expr *bounds[] = {from, to, step}, *rest;
    const Atom *index = separate_index(space, atom_symbol(space, index_name), bounds, 3, &body);
    const Expr *closed = close_most(space, index, bounds, body, &rest);
    return rest->n_terms ? expr_add(space, closed, sum_of_shares(space, index, bounds, rest)) : closed;
}

const Expr *expr_largest(ExprSpace *space, const char *index_name, const Expr *from, const Expr *to, const Expr *body)
{
    const Expr *bounds[] = {from, to};
    const Atom *index = separate_index(space, atom_symbol(space, index_name), bounds, 2, &body);
    bool is_linear = true; /* in the index: then the largest value is at an end */
    for (size_t i = 0; i < body->n_terms && is_linear; i++) {
        const Monomial *monomial = body->terms[i].monomial;
        for (size_t j = 0; j < monomial->count; j++)
            if (atom_has(monomial->powers[j].atom, index))
                is_linear = is_linear && monomial->powers[j].atom == index && monomial->powers[j].exponent == 1;
    }
    if (!is_linear || !expr_is_whole(from)) {
        const Expr *arguments[] = {from, to, space->one, body};
        return expr_of_atom(space, atom_sum(space, ATOM_LARGEST, remake_largest, index, arguments), 1);
    }
    const Expr *range = expr_subtract(space, to, from), *last = expr_floor_whole(space, to);
    const Expr *is_there = expr_function(space, EXPR_STEP, &range, 1);
    const Expr *at_from = expr_rewrite(space, body, &index, &from, 1);
    const Expr *at_to = expr_rewrite(space, body, &index, &last, 1);
    return expr_multiply(space, is_there, expr_max2(space, at_from, at_to));
}
