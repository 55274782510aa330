/* SPDX-License-Identifier: BSD-3-Clause */
#include "cost/expr/closing.h"

bool expr_is_affine(ExprSpace *space, const Expr *expr, const Atom *index, mpq_ptr slope, const Expr **rest)
{
    const Term *with = NULL;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        if (!symbols_hold(&monomial->free, index))
            continue;
        if (monomial->count != 1 || monomial->powers[0].atom != index || monomial->powers[0].exponent != 1)
            return false;
        with = &expr->terms[i];
    }
    mpq_set_ui(slope, 0, 1);
    *rest = expr;
    if (with) {
        mpq_set(slope, &with->coefficient);
        *rest = expr_subtract(space, expr, expr_of_term(space, &with->coefficient, with->monomial));
    }
    return true;
}
