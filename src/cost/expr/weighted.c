/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of probabilities, and costs weighted by them. Multiplied out, 1 - q would double the number of
 * terms with each conditional behind another one. So long products keep their factors as groups. */
#include "cost/expr/canonical.h"

static bool has_group(const Expr *expr)
{
    for (size_t i = 0; expr->n_terms == 1 && i < expr->terms[0].monomial->count; i++)
        if (expr->terms[0].monomial->powers[i].atom->kind == ATOM_GROUP)
            return true;
    return false;
}

const Expr *expr_multiply_grouped(ExprSpace *space, const Expr *a, const Expr *b, size_t most_terms)
{
    if (a->n_terms * b->n_terms > most_terms || has_group(a) || has_group(b)) {
        a = a->n_terms ? expr_group(space, a, 1) : a;
        b = b->n_terms ? expr_group(space, b, 1) : b;
    }
    return expr_multiply(space, a, b);
}

/* Whether the expression consists of products of symbols, and of groups of them. */
static bool is_plain(const Expr *expr)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        for (size_t j = 0; j < expr->terms[i].monomial->count; j++) {
            const Atom *atom = expr->terms[i].monomial->powers[j].atom;
            if (atom->kind != ATOM_SYMBOL && !(atom->kind == ATOM_GROUP && is_plain(atom->arguments[0])))
                return false;
        }
    return true;
}

/* Only q becomes a group, so that sums over the weighted costs may close. If q has functions, a sum over it may
 * close, too, while it isn't one. */
const Expr *expr_weighted(ExprSpace *space, const Expr *q, const Expr *a, const Expr *b, size_t most_terms)
{
    if (a == b)
        return a;
    const Expr *rest = expr_subtract(space, space->one, q);
    const size_t n_terms = a->n_terms * q->n_terms + b->n_terms * rest->n_terms;
    if (n_terms <= most_terms || expr_number(q) || (n_terms <= MOST_CLOSED_TERMS && !is_plain(q)))
        return expr_add(space, b, expr_multiply(space, q, expr_subtract(space, a, b)));
    return expr_add(space, expr_multiply(space, expr_group(space, q, 1), a),
                    expr_multiply(space, expr_group(space, rest, 1), b));
}
