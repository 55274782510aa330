/* SPDX-License-Identifier: BSD-3-Clause */
/* One evaluation: values of atoms under bindings, each computed once. Private to this folder. */
#ifndef FIRMA_COST_EXPR_EVALUATE_H
#define FIRMA_COST_EXPR_EVALUATE_H

#include "cost/expr/canonical.h"
#include "cost/expr/value.h"

typedef struct Known {
    const Atom *atom;
    Value value;
    bool is_valid;
} Known;

typedef struct Evaluation {
    Arena *arena;
    const ExprBinding *bindings;
    size_t n_bindings;
    Map known;           /* atom's number to a Known */
    VEC(Known *) filled; /* in the order in which they got values */
    double points_left;  /* of sums, before they're too many */
    double points;       /* that the next sum may take, if approximating */
    bool approximates;   /* adds up by blocks what is too long */
    bool is_approximated, has_too_many;
    const char *too_long; /* index of the sum that is */
    Err *err;
} Evaluation;

bool evaluate_expr(Evaluation *evaluation, const Expr *expr, Value *value);
bool evaluate_sum(Evaluation *evaluation, const Atom *sum, Value *value); /* evaluate_sum.c */
bool evaluate_function(ExprFunction function, Value *arguments, size_t n_arguments, Value *value, Err *err);

const ExprBinding *evaluation_binding(const Evaluation *evaluation, const Atom *symbol); /* NULL: none */
Known *evaluation_known(Evaluation *evaluation, const Atom *atom);
/* Forgets what was filled since then and holds the symbol. */
void evaluation_forget(Evaluation *evaluation, size_t n_filled, const Atom *symbol);

#endif
