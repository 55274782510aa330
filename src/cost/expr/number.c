/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts numbers to expressions and back. */
#include "cost/expr/canonical.h"

#include <stdio.h>

const Expr *expr_real(ExprSpace *space, double value)
{
    char text[40];
    for (int n_digits = 1; n_digits <= 17; n_digits++) {
        snprintf(text, sizeof text, "%.*e", n_digits - 1, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* For example, -1.25e-9 is -125 · 10^-11. */
    char *exponent = strchr(text, 'e'), *point = strchr(text, '.');
    long tens = strtol(exponent + 1, NULL, 10);
    *exponent = 0;
    if (point) {
        tens -= (long)strlen(point + 1);
        memmove(point, point + 1, strlen(point));
    }
    return expr_of_rational(space, rational_of_decimal(space->pool, text, tens));
}

bool expr_is_number(const Expr *expr, double *value)
{
    const Rational *number = expr_number(expr);
    if (number && value)
        *value = rational_nearest(*number);
    return number;
}

bool expr_is_integer(const Expr *expr, int64_t *value)
{
    const Rational *number = expr_number(expr);
    if (!number || !rational_is_whole(*number) || !fmpz_fits_si(&number->num))
        return false;
    if (value)
        *value = fmpz_get_si(&number->num);
    return true;
}

size_t expr_term_count(const Expr *expr)
{
    return expr->n_terms;
}
