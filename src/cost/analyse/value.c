/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic values of expressions, without costs or effects. Whole numbers are taken to fit their types; divisions of
 * whole numbers are of such that aren't negative, as sizes and indexes are. */
#include "cost/analyse/generate.h"

#include <math.h>
#include <string.h>

bool type_is_whole(CpuType type)
{
    return type == CPU_INT8 || type == CPU_INT16 || type == CPU_INT32 || type == CPU_INT64 || type == CPU_REFERENCE;
}

bool operator_is(const SourceExpression *expression, const char *operator)
{
    return expression->operator && strcmp(expression->operator, operator) == 0;
}

const SourceExpression *without_casts(const SourceExpression *expression)
{
    while (expression && expression->kind == SOURCE_CAST && expression->n_operands == 1)
        expression = expression->operands[0];
    return expression;
}

bool value_is_number(Value value, double *number)
{
    return value.expr && expr_is_number(value.expr, number);
}

Value value_number(const Scope *scope, double number)
{
    if (!isfinite(number))
        return UNKNOWN_VALUE;
    bool is_whole = number == floor(number);
    const Expr *expr = is_whole && fabs(number) < 9e15 ? expr_integer(scope->all->space, (int64_t)number)
                                                       : expr_real(scope->all->space, number);
    return (Value){expr, is_whole};
}

Value value_add(const Scope *scope, Value a, Value b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_VALUE;
    return (Value){expr_add(scope->all->space, a.expr, b.expr), a.is_whole && b.is_whole};
}

Value value_subtract(const Scope *scope, Value a, Value b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_VALUE;
    return (Value){expr_subtract(scope->all->space, a.expr, b.expr), a.is_whole && b.is_whole};
}

Value value_multiply(const Scope *scope, Value a, Value b)
{
    if (!a.expr || !b.expr)
        return UNKNOWN_VALUE;
    return (Value){expr_multiply(scope->all->space, a.expr, b.expr), a.is_whole && b.is_whole};
}

/* The quotient of real numbers. */
Value value_divide(const Scope *scope, Value a, Value b)
{
    double number;
    if (!a.expr || !b.expr || (value_is_number(b, &number) && number == 0))
        return UNKNOWN_VALUE;
    bool divides_exactly = value_is_number(b, &number) && fabs(number) == 1;
    return (Value){expr_divide(scope->all->space, a.expr, b.expr), a.is_whole && divides_exactly};
}

Value value_function(const Scope *scope, ExprFunction function, Value a, Value b, bool is_whole)
{
    bool is_binary = function == EXPR_MAX || function == EXPR_MIN || function == EXPR_POW || function == EXPR_MOD;
    if (!a.expr || (is_binary && !b.expr))
        return UNKNOWN_VALUE;
    return (Value){
        expr_function(scope->all->space, function, (const Expr *const[]){a.expr, b.expr}, is_binary ? 2 : 1), is_whole};
}

Value value_floor(const Scope *scope, Value value)
{
    return value.is_whole ? value : value_function(scope, EXPR_FLOOR, value, UNKNOWN_VALUE, true);
}

Value value_ceil(const Scope *scope, Value value)
{
    return value.is_whole ? value : value_function(scope, EXPR_CEIL, value, UNKNOWN_VALUE, true);
}

/* 2^k for shifts by a number; else not known. */
static Value power_of_two(const Scope *scope, Value exponent)
{
    double number;
    if (!value_is_number(exponent, &number) || number < 0 || number > 52)
        return UNKNOWN_VALUE;
    return value_number(scope, ldexp(1, (int)number));
}

/* x & (2^k - 1) is x mod 2^k. */
static Value masked(const Scope *scope, Value a, Value b)
{
    double mask;
    if (!value_is_number(b, &mask)) {
        Value other = a;
        a = b;
        b = other;
    }
    if (!value_is_number(b, &mask) || mask < 0 || mask > 1e15 || log2(mask + 1) != floor(log2(mask + 1)))
        return UNKNOWN_VALUE;
    return value_function(scope, EXPR_MOD, a, value_number(scope, mask + 1), true);
}

static Value arithmetic(const Scope *scope, const char *operator, bool is_whole, Value a, Value b)
{
    double number;
    if (strcmp(operator, "+") == 0)
        return value_add(scope, a, b);
    if (strcmp(operator, "-") == 0)
        return value_subtract(scope, a, b);
    if (strcmp(operator, "*") == 0)
        return value_multiply(scope, a, b);
    if (strcmp(operator, "/") == 0)
        return is_whole ? value_floor(scope, value_divide(scope, a, b)) : value_divide(scope, a, b);
    if (strcmp(operator, "%") == 0 && !(value_is_number(b, &number) && number <= 0))
        return value_function(scope, EXPR_MOD, a, b, a.is_whole && b.is_whole);
    if (strcmp(operator, "<<") == 0)
        return value_multiply(scope, a, power_of_two(scope, b));
    if (strcmp(operator, ">>") == 0 || strcmp(operator, ">>>") == 0)
        return value_floor(scope, value_divide(scope, a, power_of_two(scope, b)));
    if (strcmp(operator, "&") == 0)
        return masked(scope, a, b);
    return UNKNOWN_VALUE;
}

/* The value of a condition is its probability: 0 or 1 for each values of the parameters. */
static Value truth(const Scope *scope, const SourceExpression *expression)
{
    const Expr *probability = probability_of(scope, expression);
    return (Value){probability, probability != NULL};
}

static Value of_binary(const Scope *scope, const SourceExpression *expression)
{
    static const char *const conditions[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (operator_is(expression, conditions[i]))
            return truth(scope, expression);
    return arithmetic(scope, expression->operator, type_is_whole(expression->type),
                      value_of(scope, expression->operands[0]), value_of(scope, expression->operands[1]));
}

static Value of_assignment(const Scope *scope, const SourceExpression *expression)
{
    Value right = value_of(scope, expression->operands[1]);
    size_t length = strlen(expression->operator);
    if (length < 2)
        return right;
    const char *operator = arena_strndup(scope->all->arena, expression->operator, length - 1);
    const SourceExpression *left = expression->operands[0];
    Value value = arithmetic(scope, operator, type_is_whole(left->type), value_of(scope, left), right);
    return type_is_whole(left->type) ? value_floor(scope, value) : value;
}

static Value of_increment(const Scope *scope, const SourceExpression *expression)
{
    Value value = value_of(scope, expression->operands[0]);
    bool is_prefix = expression->text && (expression->text[0] == '+' || expression->text[0] == '-');
    if (!is_prefix)
        return value;
    Value one = value_number(scope, 1);
    return operator_is(expression, "++") ? value_add(scope, value, one) : value_subtract(scope, value, one);
}

/* a < b ? a : b is min(a, b); else whichever side a decidable condition takes. */
static Value of_conditional(const Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *condition = without_casts(expression->operands[0]);
    Value yes = value_of(scope, expression->operands[1]), no = value_of(scope, expression->operands[2]);
    if (!yes.expr || !no.expr)
        return UNKNOWN_VALUE;
    bool is_whole = yes.is_whole && no.is_whole;
    bool less = condition->operator && condition->operator[0] == '<', more = condition->operator &&
                condition->operator[0] == '>';
    if (condition->kind == SOURCE_BINARY && (less || more) && condition->operator[1] != condition->operator[0]) {
        const Expr *left = value_of(scope, condition->operands[0]).expr;
        const Expr *right = value_of(scope, condition->operands[1]).expr;
        if (left == yes.expr && right == no.expr)
            return value_function(scope, less ? EXPR_MIN : EXPR_MAX, yes, no, is_whole);
        if (left == no.expr && right == yes.expr)
            return value_function(scope, less ? EXPR_MAX : EXPR_MIN, yes, no, is_whole);
    }
    Value share = truth(scope, condition);
    return value_add(scope, no, value_multiply(scope, share, value_subtract(scope, yes, no)));
}

static Value of_unary(const Scope *scope, const SourceExpression *expression)
{
    if (operator_is(expression, "!"))
        return truth(scope, expression);
    Value value = value_of(scope, expression->operands[0]);
    if (operator_is(expression, "-"))
        return value_subtract(scope, value_number(scope, 0), value);
    return operator_is(expression, "+") ? value : UNKNOWN_VALUE;
}

Value value_of(const Scope *scope, const SourceExpression *expression)
{
    Value value;
    switch (expression->kind) {
    case SOURCE_NUMBER:
        return value_number(scope, expression->value);
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
        value = value_of(scope, expression->operands[0]);
        return type_is_whole(expression->type) ? value_floor(scope, value) : value;
    case SOURCE_CONDITIONAL:
        return of_conditional(scope, expression);
    case SOURCE_COMMA:
        return value_of(scope, expression->operands[expression->n_operands - 1]);
    case SOURCE_LENGTH:
        return value_of(scope, expression->operands[0]);
    case SOURCE_NEW:
        return expression->n_operands ? value_of(scope, expression->operands[0]) : UNKNOWN_VALUE;
    case SOURCE_CALL:
        return value_of_call(scope, expression);
    default:
        return UNKNOWN_VALUE;
    }
}
