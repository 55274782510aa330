/* SPDX-License-Identifier: BSD-3-Clause */
/* An amount is the value of a variable or expression, as an expression in the symbols of a
 * sub-model. The result of arithmetic with an unknown amount is unknown. Private to cost/source. */
#pragma once

#include "cost/expr/expr.h"

typedef struct Amount {
    /* NULL: unknown. The amount of a reference is the length of the array to which it points. */
    const Expr *expr;
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

/* The two sides of a decidable comparison, as less < more. {NULL, NULL}: unknown. */
typedef struct Ordering {
    const Expr *less, *more;
} Ordering;
/* The amount of `condition ? yes : no`: for a < b ? a : b it is min(a, b). exact: 1 if the
 * condition holds, else 0; NULL: undecidable. */
Amount amount_chosen(ExprSpace *space, const Ordering *ordering, const Expr *exact, Amount yes, Amount no);
