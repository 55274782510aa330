/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers to expressions and back. */
#include "cost/expr/canonical.h"
#include "cost/expr/value.h"

#include <stdio.h>

const Expr *expr_rational(ExprSpace *space, int64_t numerator, int64_t denominator)
{
    mpq_t value;
    mpq_init(value);
    mpz_set_si(mpq_numref(value), numerator);
    mpz_set_si(mpq_denref(value), denominator);
    mpq_canonicalize(value);
    const Expr *expr = expr_of_mpq(space, value);
    mpq_clear(value);
    return expr;
}

/* By the shortest decimal that reads as the same double. */
const Expr *expr_real(ExprSpace *space, double value)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            break;
    }
    char *exponent_at = strchr(text, 'e');
    if (!exponent_at)
        return space->zero; /* not finite: the caller's contract */
    long exponent = strtol(exponent_at + 1, NULL, 10);
    char digits[40];
    size_t n = 0;
    bool after_point = false;
    for (const char *c = text; c < exponent_at; c++) {
        if (*c == '.') {
            after_point = true;
            continue;
        }
        digits[n++] = *c;
        exponent -= after_point;
    }
    digits[n] = 0;
    mpq_t exact;
    mpz_t power;
    mpq_init(exact);
    mpz_init(power);
    mpz_set_str(mpq_numref(exact), digits, 10);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    if (exponent < 0)
        mpz_set(mpq_denref(exact), power);
    else
        mpz_mul(mpq_numref(exact), mpq_numref(exact), power);
    mpq_canonicalize(exact);
    const Expr *expr = expr_of_mpq(space, exact);
    mpz_clear(power);
    mpq_clear(exact);
    return expr;
}

bool expr_is_number(const Expr *expr, double *value)
{
    mpq_srcptr number = expr_number(expr);
    if (!number)
        return false;
    if (value) {
        Value nearest = value_rational(number);
        *value = value_interval(&nearest).low;
        value_clear(&nearest);
    }
    return true;
}

size_t expr_term_count(const Expr *expr)
{
    return expr->n_terms;
}

bool expr_is_integer(const Expr *expr, int64_t *value)
{
    mpq_srcptr number = expr_number(expr);
    if (!number || mpz_cmp_ui(mpq_denref(number), 1) != 0 || !mpz_fits_slong_p(mpq_numref(number)))
        return false;
    if (value)
        *value = mpz_get_si(mpq_numref(number));
    return true;
}
