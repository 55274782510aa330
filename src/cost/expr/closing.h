/* SPDX-License-Identifier: BSD-3-Clause */
/* Closing of sums. Symbols in bounds are assumed to be whole numbers. Private to this folder. */
#pragma once

#include "cost/expr/canonical.h"

/* whole.c */
/* Whole numbers if all symbols are. */
bool expr_is_whole(const Expr *expr);
/* The floor of the argument; whole parts stand outside of the floor function. */
const Expr *expr_floor_whole(ExprSpace *space, const Expr *argument);
/* Provably; false if undecided. */
bool expr_is_at_least_zero(ExprSpace *space, const Expr *expr);
const Expr *expr_larger_whole(ExprSpace *space, const Expr *a, const Expr *b);
const Expr *expr_smaller_whole(ExprSpace *space, const Expr *a, const Expr *b);

/* powers.c: the sum of (from + t)^exponent for t = 0 … count - 1; count >= 0. NULL if too long. */
const Expr *sum_of_powers(ExprSpace *space, unsigned exponent, const Expr *from, const Expr *count);

/* close.c: the sum for whole index from `from` to `to`, both whole, with step 1. The formula also
 * holds if to < from. NULL if the sum doesn't close. */
const Expr *sum_close(ExprSpace *space, const Atom *index, const Expr *from, const Expr *to, const Expr *body);
/* Whether a monomial has a form that never closes. */
bool monomial_cannot_close(const Monomial *monomial, const Atom *index);
