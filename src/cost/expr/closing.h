/* SPDX-License-Identifier: BSD-3-Clause */
/* What closes sums. Symbols in bounds are taken to be whole numbers. Private to this folder. */
#pragma once

#include "cost/expr/canonical.h"

/* whole.c */
bool expr_is_whole(const Expr *expr);                                 /* for whole values of its symbols */
const Expr *expr_floor_whole(ExprSpace *space, const Expr *argument); /* floor, with what is whole outside */
bool expr_is_at_least_zero(ExprSpace *space, const Expr *expr);       /* for sure */
const Expr *expr_larger_whole(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_smaller_whole(ExprSpace *space, const Expr *a, const Expr *b);

/* powers.c: the sum of (from + t)^exponent over t = 0 … count - 1, for count >= 0. NULL: too long. */
const Expr *sum_of_powers(ExprSpace *space, unsigned exponent, const Expr *from, const Expr *count);

/* close.c: the sum over whole index from `from` to `to`, both whole, step 1; exact also where to < from. NULL: it
 * doesn't close. */
const Expr *sum_close(ExprSpace *space, const Atom *index, const Expr *from, const Expr *to, const Expr *body);
/* What can't close, by its looks. */
bool monomial_resists(const Monomial *monomial, const Atom *index);
