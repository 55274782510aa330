/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies expressions between spaces. The canonical form depends on content alone, so the copy's
 * parts are in canonical form already. */
#include "cost/expr/canonical.h"

typedef struct Import {
    ExprSpace *space;
    Map done; /* from an atom's id to its copy */
} Import;

static const Expr *import_expr(Import *import, const Expr *expr);

static const Atom *make_atom(Import *import, const Atom *atom)
{
    ExprSpace *space = import->space;
    if (atom->kind == ATOM_SYMBOL)
        return atom_symbol(space, atom->name);
    const Expr **arguments = arena_new_array(space->arena, const Expr *, atom->n_arguments);
    for (size_t i = 0; i < atom->n_arguments; i++)
        arguments[i] = import_expr(import, atom->arguments[i]);
    if (atom->index)
        return atom_sum(space, atom->kind, atom->make, atom_symbol(space, atom->index->name), arguments);
    return atom->kind == ATOM_GROUP ? atom_group(space, arguments[0])
                                    : atom_function(space, atom->function, arguments, atom->n_arguments);
}

static const Atom *import_atom(Import *import, const Atom *atom)
{
    const MapKey key = {1, atom->id};
    const uint64_t *done = map_get(&import->done, key);
    if (done)
        return (const Atom *)(uintptr_t)*done;
    const Atom *copy = make_atom(import, atom);
    *map_put(&import->done, key, NULL) = (uint64_t)(uintptr_t)copy;
    return copy;
}

static const Expr *import_expr(Import *import, const Expr *expr)
{
    ExprSpace *space = import->space;
    Polynomial copy = {0};
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        VEC(Power) powers = {0};
        for (size_t j = 0; j < monomial->count; j++)
            *vec_push(&powers) = (Power){import_atom(import, monomial->powers[j].atom), monomial->powers[j].exponent};
        polynomial_add(&copy, rational_copy(space->pool, expr->terms[i].coefficient),
                       monomial_intern(space, powers.items, powers.count));
        vec_free(&powers);
    }
    return polynomial_take(space, &copy);
}

const Expr *expr_import(ExprSpace *space, const Expr *expr)
{
    Import import = {.space = space};
    const Expr *copy = import_expr(&import, expr);
    map_free(&import.done);
    return copy;
}
