/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast expressions grow with a symbol. */
#include "cost/expr/canonical.h"

enum { FASTER_THAN_POWERS = 64 };

static int64_t largest_degree(const Atom *atom, const char *name)
{
    int64_t largest = 0;
    for (size_t i = 0; i < atom->n_arguments; i++) {
        int64_t degree = expr_degree(atom->arguments[i], name);
        largest = degree > largest ? degree : largest;
    }
    return largest;
}

static int64_t function_degree(const Atom *function, const char *name)
{
    switch (function->function) {
    case EXPR_POW:
    case EXPR_EXP:
        return largest_degree(function, name) ? FASTER_THAN_POWERS : 0;
    case EXPR_SQRT:
        return (largest_degree(function, name) + 1) / 2;
    case EXPR_LOG:
    case EXPR_LOG2:
    case EXPR_HARMONIC:
    case EXPR_STEP:
        return 0;
    default:
        return largest_degree(function, name);
    }
}

/* A sum has a term for each index. */
static int64_t sum_degree(const Atom *sum, const char *name)
{
    int64_t from = expr_degree(sum->arguments[SUM_FROM], name), to = expr_degree(sum->arguments[SUM_TO], name);
    int64_t terms = from > to ? from : to;
    return terms + expr_degree(sum->arguments[SUM_BODY], name) +
           terms * expr_degree(sum->arguments[SUM_BODY], sum->index->name);
}

static int64_t atom_degree(const Atom *atom, const char *name)
{
    switch (atom->kind) {
    case ATOM_SYMBOL:
        return strcmp(atom->name, name) == 0;
    case ATOM_FUNCTION:
        return function_degree(atom, name);
    case ATOM_SUM:
        return sum_degree(atom, name);
    default:
        return largest_degree(atom, name);
    }
}

int64_t expr_degree(const Expr *expr, const char *name)
{
    int64_t largest = 0;
    for (size_t i = 0; i < expr->n_terms && expr_has_symbol(expr, name); i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        int64_t degree = 0;
        for (size_t k = 0; k < monomial->count; k++)
            degree += monomial->powers[k].exponent * atom_degree(monomial->powers[k].atom, name);
        largest = degree > largest ? degree : largest;
    }
    return largest;
}
