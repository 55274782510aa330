/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic values of expressions, without costs or effects. Whole numbers are taken to fit their types; divisions of
 * whole numbers are of such that aren't negative, as sizes and indexes are. */
#include "cost/source/generate.h"

#include <math.h>
#include <string.h>

bool type_is_whole(CpuType type)
{
    return type == CPU_INT8 || type == CPU_INT16 || type == CPU_INT32 || type == CPU_INT64 || type == CPU_REFERENCE;
}

bool operator_is(const SourceExpression *expression, const char *operator)
{
    return expression->operator&& strcmp(expression->operator, operator) == 0;
}

const SourceExpression *without_casts(const SourceExpression *expression)
{
    while (expression && expression->kind == SOURCE_CAST && expression->n_operands == 1)
        expression = expression->operands[0];
    return expression;
}

bool amount_is_number(Amount value, double *number)
{
    return value.expr && expr_is_number(value.expr, number);
}

Amount amount_number(const Scope *scope, double number)
{
    if (!isfinite(number))
        return UNKNOWN_AMOUNT;
    bool is_whole = number == floor(number);
    const Expr *expr = is_whole && fabs(number) < 9e15 ? expr_integer(scope->all->space, (int64_t)number)
                                                       : expr_real(scope->all->space, number);
    return (Amount){expr, is_whole};
}

Amount amount_add(const Scope *scope, Amount a, Amount b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_AMOUNT;
    return (Amount){expr_add(scope->all->space, a.expr, b.expr), a.is_whole && b.is_whole};
}

Amount amount_subtract(const Scope *scope, Amount a, Amount b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_AMOUNT;
    return (Amount){expr_subtract(scope->all->space, a.expr, b.expr), a.is_whole && b.is_whole};
}

Amount amount_multiply(const Scope *scope, Amount a, Amount b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_AMOUNT;
    return (Amount){expr_multiply(scope->all->space, a.expr, b.expr), a.is_whole && b.is_whole};
}

/* The quotient of real numbers. */
Amount amount_divide(const Scope *scope, Amount a, Amount b)
{
    double number;
    if (!a.expr || !b.expr || (amount_is_number(b, &number) && number == 0))
        return UNKNOWN_AMOUNT;
    bool divides_exactly = amount_is_number(b, &number) && fabs(number) == 1;
    return (Amount){expr_divide(scope->all->space, a.expr, b.expr), a.is_whole && divides_exactly};
}

Amount amount_function(const Scope *scope, ExprFunction function, Amount a, Amount b, bool is_whole)
{
    bool is_binary = function == EXPR_MAX || function == EXPR_MIN || function == EXPR_POW || function == EXPR_MOD;
    if (!a.expr || (is_binary && !b.expr))
        return UNKNOWN_AMOUNT;
    return (Amount){
        expr_function(scope->all->space, function, (const Expr *const[]){a.expr, b.expr}, is_binary ? 2 : 1), is_whole};
}

Amount amount_floor(const Scope *scope, Amount value)
{
    return value.is_whole ? value : amount_function(scope, EXPR_FLOOR, value, UNKNOWN_AMOUNT, true);
}

Amount amount_ceil(const Scope *scope, Amount value)
{
    return value.is_whole ? value : amount_function(scope, EXPR_CEIL, value, UNKNOWN_AMOUNT, true);
}

/* 2^k for shifts by a number; else not known. */
static Amount power_of_two(const Scope *scope, Amount exponent)
{
    double number;
    if (!amount_is_number(exponent, &number) || number < 0 || number > 52)
        return UNKNOWN_AMOUNT;
    return amount_number(scope, ldexp(1, (int)number));
}

/* x & (2^k - 1) is x mod 2^k. */
static Amount masked(const Scope *scope, Amount a, Amount b)
{
    double mask;
    if (!amount_is_number(b, &mask)) {
        Amount other = a;
        a = b;
        b = other;
    }
    if (!amount_is_number(b, &mask) || mask < 0 || mask > 1e15 || log2(mask + 1) != floor(log2(mask + 1)))
        return UNKNOWN_AMOUNT;
    return amount_function(scope, EXPR_MOD, a, amount_number(scope, mask + 1), true);
}

static Amount arithmetic(const Scope *scope, const char *operator, bool is_whole, Amount a, Amount b)
{
    double number;
    if (strcmp(operator, "+") == 0)
        return amount_add(scope, a, b);
    if (strcmp(operator, "-") == 0)
        return amount_subtract(scope, a, b);
    if (strcmp(operator, "*") == 0)
        return amount_multiply(scope, a, b);
    if (strcmp(operator, "/") == 0)
        return is_whole ? amount_floor(scope, amount_divide(scope, a, b)) : amount_divide(scope, a, b);
    if (strcmp(operator, "%") == 0 && !(amount_is_number(b, &number) && number <= 0))
        return amount_function(scope, EXPR_MOD, a, b, a.is_whole && b.is_whole);
    if (strcmp(operator, "<<") == 0)
        return amount_multiply(scope, a, power_of_two(scope, b));
    if (strcmp(operator, ">>") == 0 || strcmp(operator, ">>>") == 0)
        return amount_floor(scope, amount_divide(scope, a, power_of_two(scope, b)));
    if (strcmp(operator, "&") == 0)
        return masked(scope, a, b);
    return UNKNOWN_AMOUNT;
}

/* The value of a condition is its probability: 0 or 1 for each values of the parameters. */
static Amount truth(const Scope *scope, const SourceExpression *expression)
{
    const Expr *probability = probability_of(scope, expression);
    return (Amount){probability, probability != NULL};
}

static Amount of_binary(const Scope *scope, const SourceExpression *expression)
{
    static const char *const conditions[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (operator_is(expression, conditions[i]))
            return truth(scope, expression);
    return arithmetic(scope, expression->operator, type_is_whole(expression->type),
                      amount_of(scope, expression->operands[0]), amount_of(scope, expression->operands[1]));
}

static Amount of_assignment(const Scope *scope, const SourceExpression *expression)
{
    Amount right = amount_of(scope, expression->operands[1]);
    size_t length = strlen(expression->operator);
    if (length < 2)
        return right;
    const char *operator= arena_strndup(scope->all->arena, expression->operator, length - 1);
    const SourceExpression *left = expression->operands[0];
    Amount value = arithmetic(scope, operator, type_is_whole(left->type), amount_of(scope, left), right);
    return type_is_whole(left->type) ? amount_floor(scope, value) : value;
}

static Amount of_increment(const Scope *scope, const SourceExpression *expression)
{
    Amount value = amount_of(scope, expression->operands[0]);
    bool is_prefix = expression->text && (expression->text[0] == '+' || expression->text[0] == '-');
    if (!is_prefix)
        return value;
    Amount one = amount_number(scope, 1);
    return operator_is(expression, "++") ? amount_add(scope, value, one) : amount_subtract(scope, value, one);
}

Ordering ordering_of(const Scope *scope, const SourceExpression *condition)
{
    condition = without_casts(condition);
    bool compares =
        condition->kind == SOURCE_BINARY && (condition->operator[0] == '<' || condition->operator[0] == '>');
    if (!compares || condition->operator[1] == condition->operator[0])
        return (Ordering){NULL, NULL};
    const Expr *left = amount_of(scope, condition->operands[0]).expr;
    const Expr *right = amount_of(scope, condition->operands[1]).expr;
    return condition->operator[0] == '<' ? (Ordering){left, right} : (Ordering){right, left};
}

/* A chain of conditionals that each assign doubles the terms at each of them; nobody reads a bound of more. */
enum { MOST_CHOSEN_TERMS = 32 };

Amount amount_chosen(const Scope *scope, const Ordering *ordering, const Expr *exact, Amount yes, Amount no)
{
    bool is_whole = yes.is_whole && no.is_whole;
    if (yes.expr == no.expr)
        return (Amount){yes.expr, is_whole};
    if (!yes.expr || !no.expr || !exact)
        return UNKNOWN_AMOUNT;
    if (expr_term_count(yes.expr) + expr_term_count(no.expr) > MOST_CHOSEN_TERMS)
        return UNKNOWN_AMOUNT;
    if (ordering->less == yes.expr && ordering->more == no.expr)
        return amount_function(scope, EXPR_MIN, yes, no, is_whole);
    if (ordering->more == yes.expr && ordering->less == no.expr)
        return amount_function(scope, EXPR_MAX, yes, no, is_whole);
    return amount_add(scope, no, amount_multiply(scope, (Amount){exact, true}, amount_subtract(scope, yes, no)));
}

static Amount of_conditional(const Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *condition = expression->operands[0];
    Ordering ordering = ordering_of(scope, condition);
    return amount_chosen(scope, &ordering, probability_of(scope, condition), amount_of(scope, expression->operands[1]),
                         amount_of(scope, expression->operands[2]));
}

static Amount of_unary(const Scope *scope, const SourceExpression *expression)
{
    if (operator_is(expression, "!"))
        return truth(scope, expression);
    Amount value = amount_of(scope, expression->operands[0]);
    if (operator_is(expression, "-"))
        return amount_subtract(scope, amount_number(scope, 0), value);
    return operator_is(expression, "+") ? value : UNKNOWN_AMOUNT;
}

Amount amount_of(const Scope *scope, const SourceExpression *expression)
{
    Amount value;
    switch (expression->kind) {
    case SOURCE_NUMBER:
        return amount_number(scope, expression->value);
    case SOURCE_VARIABLE:
        return variable_value(scope, expression->variable);
    case SOURCE_UNARY:
        return of_unary(scope, expression);
    case SOURCE_INCREMENT:
        return of_increment(scope, expression);
    case SOURCE_BINARY:
        return of_binary(scope, expression);
    case SOURCE_ASSIGN:
        return of_assignment(scope, expression);
    case SOURCE_CAST:
        value = amount_of(scope, expression->operands[0]);
        return type_is_whole(expression->type) ? amount_floor(scope, value) : value;
    case SOURCE_CONDITIONAL:
        return of_conditional(scope, expression);
    case SOURCE_COMMA:
        return amount_of(scope, expression->operands[expression->n_operands - 1]);
    case SOURCE_LENGTH:
        return amount_of(scope, expression->operands[0]);
    case SOURCE_NEW:
        return expression->n_operands ? amount_of(scope, expression->operands[0]) : UNKNOWN_AMOUNT;
    case SOURCE_CALL:
        return amount_of_call(scope, expression);
    default:
        return UNKNOWN_AMOUNT;
    }
}
