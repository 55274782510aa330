/* SPDX-License-Identifier: BSD-3-Clause */
/* A total order of atoms, monomials and expressions. It depends on their content, not on the time
 * of their creation, so texts and rounding are the same in each run. */
#include "cost/expr/canonical.h"

int compare_atoms(const Atom *a, const Atom *b)
{
    if (a == b)
        return 0;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == ATOM_SYMBOL)
        return strcmp(a->name, b->name);
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->index != b->index)
        return compare_atoms(a->index, b->index);
    if (a->n_arguments != b->n_arguments)
        return a->n_arguments < b->n_arguments ? -1 : 1;
    for (size_t i = 0; i < a->n_arguments; i++)
        if (a->arguments[i] != b->arguments[i])
            return compare_exprs(a->arguments[i], b->arguments[i]);
    return 0;
}

/* Higher degrees come first, so constants come last. */
int compare_monomials(const Monomial *a, const Monomial *b)
{
    if (a == b)
        return 0;
    if (a->degree != b->degree)
        return a->degree > b->degree ? -1 : 1;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (a->powers[i].atom != b->powers[i].atom)
            return compare_atoms(a->powers[i].atom, b->powers[i].atom);
        if (a->powers[i].exponent != b->powers[i].exponent)
            return a->powers[i].exponent > b->powers[i].exponent ? -1 : 1;
    }
    return a->count < b->count ? -1 : a->count > b->count;
}

int compare_exprs(const Expr *a, const Expr *b)
{
    if (a == b)
        return 0;
    for (size_t i = 0; i < a->n_terms && i < b->n_terms; i++) {
        const Term *left = &a->terms[i], *right = &b->terms[i];
        if (left->monomial != right->monomial)
            return compare_monomials(left->monomial, right->monomial);
        int order = rational_compare(left->coefficient, right->coefficient);
        if (order)
            return order;
    }
    return a->n_terms < b->n_terms ? -1 : a->n_terms > b->n_terms;
}
