/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable's or expression's value in the symbols of a sub-model, and arithmetic with it. What comes from a value
 * that isn't known isn't known either. Private to the folder. */
#pragma once

#include "cost/expr/expr.h"

typedef struct Amount {
    const Expr *expr; /* NULL: not known. A reference's value is the length of the array that it points to. */
    bool is_whole;
} Amount;
#define UNKNOWN_AMOUNT ((Amount){NULL, false})

Amount amount_number(ExprSpace *space, double number);
bool amount_is_number(Amount value, double *number);
Amount amount_add(ExprSpace *space, Amount a, Amount b);
Amount amount_subtract(ExprSpace *space, Amount a, Amount b);
Amount amount_multiply(ExprSpace *space, Amount a, Amount b);
Amount amount_divide(ExprSpace *space, Amount a, Amount b);
Amount amount_floor(ExprSpace *space, Amount value);
Amount amount_ceil(ExprSpace *space, Amount value);
Amount amount_function(ExprSpace *space, ExprFunction function, Amount a, Amount b, bool is_whole);

/* What a decidable condition compares, as less < more; {NULL, NULL}: nothing that is known. */
typedef struct Ordering {
    const Expr *less, *more;
} Ordering;
/* Of two values the one that a condition chooses; a < b ? a : b is min(a, b). exact: 1 where it chooses `yes`, else 0;
 * NULL: not decidable. */
Amount amount_chosen(ExprSpace *space, const Ordering *ordering, const Expr *exact, Amount yes, Amount no);
