/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces atoms by expressions, everywhere and at once, and remakes the parts that contain them.
 * So a sum may close when its bound becomes a number. If a replacement contains a symbol with the
 * name of a sum's index, the index is renamed.
 *
 * When space_gave_up(), the result is wrong, and the caller drops it. */
#include "cost/expr/canonical.h"

typedef struct Rewriting {
    ExprSpace *space;
    const Atom *const *atoms;
    const Expr *const *with;
    size_t count;
    Map done; /* from an atom's id to its expression */
} Rewriting;

static const Expr *rewrite_expr(Rewriting *rewriting, const Expr *expr);

/* An expression that contains an atom also has the atom's free symbols. */
static bool may_hold(const SymbolSet *set, const Atom *atom)
{
    for (size_t i = 0; i < atom->free.count; i++)
        if (!symbols_hold(set, atom->free.symbols[i]))
            return false;
    return true;
}

static bool may_change(const Rewriting *rewriting, const SymbolSet *set)
{
    for (size_t i = 0; i < rewriting->count; i++)
        if (may_hold(set, rewriting->atoms[i]))
            return true;
    return false;
}

static bool is_captured(const Rewriting *rewriting, const Atom *index)
{
    for (size_t i = 0; i < rewriting->count; i++)
        if (expr_has(rewriting->with[i], index))
            return true;
    return false;
}

static const Expr *rewrite_sum(Rewriting *rewriting, const Atom *sum)
{
    ExprSpace *space = rewriting->space;
    const Expr *arguments[SUM_ARGUMENTS];
    const Atom *index = sum->index;
    const Expr *body = sum->arguments[SUM_BODY];
    for (int i = 0; i < SUM_BODY; i++)
        arguments[i] = rewrite_expr(rewriting, sum->arguments[i]);
    for (unsigned number = 1; is_captured(rewriting, index); number++) {
        const char *name = arena_printf(space->arena, "%s_%u", sum->index->name, number);
        const Atom *fresh = atom_symbol(space, name);
        if (expr_has(body, fresh) || is_captured(rewriting, fresh))
            continue;
        const Expr *renamed = expr_of_atom(space, fresh, 1);
        body = expr_rewrite(space, body, &index, &renamed, 1);
        index = fresh;
    }
    VEC(const Atom *) atoms = {0};
    VEC(const Expr *) with = {0};
    for (size_t i = 0; i < rewriting->count; i++) {
        if (rewriting->atoms[i] == index)
            continue; /* the bound index hides the atom of the same name */
        *vec_push(&atoms) = rewriting->atoms[i];
        *vec_push(&with) = rewriting->with[i];
    }
    arguments[SUM_BODY] = expr_rewrite(space, body, atoms.items, with.items, atoms.count);
    vec_free(&atoms);
    vec_free(&with);
    return sum->make(space, index->name, arguments);
}

static const Expr *rewrite_atom(Rewriting *rewriting, const Atom *atom)
{
    for (size_t i = 0; i < rewriting->count; i++)
        if (rewriting->atoms[i] == atom)
            return rewriting->with[i];
    if (atom->kind == ATOM_SYMBOL || !may_change(rewriting, &atom->free))
        return NULL;
    uint64_t *known = map_get(&rewriting->done, (MapKey){1, atom->id});
    if (known)
        return (const Expr *)(uintptr_t)*known;
    const Expr *result;
    if (atom->index) {
        result = rewrite_sum(rewriting, atom);
    } else {
        VEC(const Expr *) arguments = {0};
        for (size_t i = 0; i < atom->n_arguments; i++)
            *vec_push(&arguments) = rewrite_expr(rewriting, atom->arguments[i]);
        result = atom->kind == ATOM_GROUP
                     ? arguments.items[0]
                     : expr_function(rewriting->space, atom->function, arguments.items, arguments.count);
        vec_free(&arguments);
    }
    *map_put(&rewriting->done, (MapKey){1, atom->id}, NULL) = (uint64_t)(uintptr_t)result;
    return result;
}

static const Expr *raise_expr(ExprSpace *space, const Expr *base, int64_t exponent)
{
    const Expr *arguments[] = {base, expr_integer(space, exponent)};
    return expr_function(space, EXPR_POW, arguments, 2);
}

static const Expr *rewrite_term(Rewriting *rewriting, const Term *term)
{
    ExprSpace *space = rewriting->space;
    const Expr *product = expr_of_rational(space, term->coefficient);
    for (size_t i = 0; i < term->monomial->count && !space_gave_up(space); i++) {
        const Power *power = &term->monomial->powers[i];
        const Expr *with = rewrite_atom(rewriting, power->atom);
        const Expr *factor;
        if (!with)
            factor = expr_of_atom(space, power->atom, power->exponent);
        else if (power->atom->kind == ATOM_GROUP && power->exponent < 0)
            factor = raise_expr(space, expr_divide(space, space->one, with), -(int64_t)power->exponent);
        else
            factor = raise_expr(space, with, power->exponent);
        product = expr_multiply(space, product, factor);
    }
    return product;
}

static const Expr *rewrite_expr(Rewriting *rewriting, const Expr *expr)
{
    Polynomial sum = {0};
    bool is_changed = false;
    for (size_t i = 0; i < expr->n_terms && !is_changed; i++)
        is_changed = may_change(rewriting, &expr->terms[i].monomial->free);
    if (!is_changed)
        return expr;
    for (size_t i = 0; i < expr->n_terms && !space_gave_up(rewriting->space); i++) {
        const Term *term = &expr->terms[i];
        if (may_change(rewriting, &term->monomial->free))
            polynomial_add_expr(&sum, rewrite_term(rewriting, term));
        else
            polynomial_add(&sum, term->coefficient, term->monomial);
    }
    return polynomial_take(rewriting->space, &sum);
}

const Expr *expr_rewrite(ExprSpace *space, const Expr *expr, const Atom *const *atoms, const Expr *const *with,
                         size_t count)
{
    Rewriting rewriting = {.space = space, .atoms = atoms, .with = with, .count = count};
    const Expr *result = count ? rewrite_expr(&rewriting, expr) : expr;
    map_free(&rewriting.done);
    return result;
}

const Expr *expr_substitute(ExprSpace *space, const Expr *expr, const char *const *names, const Expr *const *with,
                            size_t count)
{
    VEC(const Atom *) atoms = {0};
    for (size_t i = 0; i < count; i++)
        *vec_push(&atoms) = atom_symbol(space, names[i]);
    const Expr *result = expr_rewrite(space, expr, atoms.items, with, count);
    vec_free(&atoms);
    return result;
}
