/* SPDX-License-Identifier: BSD-3-Clause */
/* See amount.h. */
#include "cost/source/values/amount.h"

#include <math.h>

bool amount_is_number(Amount value, double *number)
{
    return value.expr && expr_is_number(value.expr, number);
}

Amount amount_number(ExprSpace *space, double number)
{
    if (!isfinite(number))
        return UNKNOWN_AMOUNT;
    bool is_whole = number == floor(number);
    const Expr *expr =
        is_whole && fabs(number) < 9e15 ? expr_integer(space, (int64_t)number) : expr_real(space, number);
    return (Amount){expr, is_whole};
}

Amount amount_add(ExprSpace *space, Amount a, Amount b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_AMOUNT;
    return (Amount){expr_add(space, a.expr, b.expr), a.is_whole && b.is_whole};
}

Amount amount_subtract(ExprSpace *space, Amount a, Amount b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_AMOUNT;
    return (Amount){expr_subtract(space, a.expr, b.expr), a.is_whole && b.is_whole};
}

Amount amount_multiply(ExprSpace *space, Amount a, Amount b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_AMOUNT;
    return (Amount){expr_multiply(space, a.expr, b.expr), a.is_whole && b.is_whole};
}

/* Divides as real numbers. */
Amount amount_divide(ExprSpace *space, Amount a, Amount b)
{
    double number;
    if (!a.expr || !b.expr || (amount_is_number(b, &number) && number == 0))
        return UNKNOWN_AMOUNT;
    bool divides_exactly = amount_is_number(b, &number) && fabs(number) == 1;
    return (Amount){expr_divide(space, a.expr, b.expr), a.is_whole && divides_exactly};
}

Amount amount_function(ExprSpace *space, ExprFunction function, Amount a, Amount b, bool is_whole)
{
    bool is_binary = function == EXPR_MAX || function == EXPR_MIN || function == EXPR_POW || function == EXPR_MOD;
    if (!a.expr || (is_binary && !b.expr))
        return UNKNOWN_AMOUNT;
    return (Amount){expr_function(space, function, (const Expr *const[]){a.expr, b.expr}, is_binary ? 2 : 1), is_whole};
}

Amount amount_floor(ExprSpace *space, Amount value)
{
    return value.is_whole ? value : amount_function(space, EXPR_FLOOR, value, UNKNOWN_AMOUNT, true);
}

Amount amount_ceil(ExprSpace *space, Amount value)
{
    return value.is_whole ? value : amount_function(space, EXPR_CEIL, value, UNKNOWN_AMOUNT, true);
}

/* A chain of conditionals that assign doubles the terms each time. Longer values are useless as
 * bounds. */
enum { MOST_CHOSEN_TERMS = 32 };

Amount amount_chosen(ExprSpace *space, const Ordering *ordering, const Expr *exact, Amount yes, Amount no)
{
    bool is_whole = yes.is_whole && no.is_whole;
    if (yes.expr == no.expr)
        return (Amount){yes.expr, is_whole};
    if (!yes.expr || !no.expr || !exact)
        return UNKNOWN_AMOUNT;
    if (expr_term_count(yes.expr) + expr_term_count(no.expr) > MOST_CHOSEN_TERMS)
        return UNKNOWN_AMOUNT;
    if (ordering->less == yes.expr && ordering->more == no.expr)
        return amount_function(space, EXPR_MIN, yes, no, is_whole);
    if (ordering->more == yes.expr && ordering->less == no.expr)
        return amount_function(space, EXPR_MAX, yes, no, is_whole);
    return amount_add(space, no, amount_multiply(space, (Amount){exact, true}, amount_subtract(space, yes, no)));
}
