/* SPDX-License-Identifier: BSD-3-Clause */
/* See value.h. Whole numbers are assumed to fit their types, and divided whole numbers not to be
 * negative, as sizes and indexes. A condition on parameters and indexes is exact: 0 or 1 for each
 * of their values. So sums over a loop count how often it is true. */
#include "cost/source/values/value.h"

#include "cost/source/values/command_line.h"
#include "cost/source/values/known.h"
#include "cost/source/values/part.h"
#include "cost/source/values/place.h"

#include <math.h>
#include <string.h>

/* The last bits of a whole number. */
static Amount last_bits(const Scope *scope, Amount value, int bits, bool is_signed)
{
    Amount low = amount_number(scope->space, ldexp(1, bits / 2)),
           high = amount_number(scope->space, ldexp(1, bits - bits / 2));
    Amount all = amount_multiply(scope->space, low, high);
    double number;
    value = amount_function(scope->space, EXPR_MOD, value, all, true);
    bool is_negative = is_signed && amount_is_number(value, &number) && number >= ldexp(1, bits - 1);
    return is_negative ? amount_subtract(scope->space, value, all) : value;
}

/* A number as its type holds it: whole types round towards 0. While a program runs, whole numbers that don't fit are cut
 * off where C says so (`wraps`), and otherwise not known. */
static Amount in_type(const Scope *scope, CpuType type, SourceSign sign, bool wraps, Amount value)
{
    double number;
    bool is_number = amount_is_number(value, &number);
    if (type == CPU_FLOAT && scope->all->running && is_number)
        return amount_number(scope->space, (float)number);
    if (!type_is_whole(type))
        return value;
    if (!is_number)
        return amount_floor(scope->space, value);
    if (scope->all->running && is_handle(number))
        return value;
    if (!value.is_whole && number != floor(number))
        value = amount_number(scope->space, trunc(number));
    if (!scope->all->running || type == CPU_REFERENCE)
        return value;
    if (sign == SOURCE_TRUTH)
        return amount_number(scope->space, number != 0);
    int bits = type == CPU_INT8 ? 8 : type == CPU_INT16 ? 16 : type == CPU_INT32 ? 32 : 64;
    double least = sign == SOURCE_SIGNED ? -ldexp(1, bits - 1) : 0;
    double behind = ldexp(1, sign == SOURCE_SIGNED ? bits - 1 : bits);
    /* The largest numbers of 64 bits are no doubles. */
    if (number >= least && (bits < 64 ? number < behind : number <= behind))
        return value;
    return wraps || sign == SOURCE_UNSIGNED ? last_bits(scope, value, bits, sign == SOURCE_SIGNED) : UNKNOWN_AMOUNT;
}

/* What a bit-field keeps of a value that is assigned to it. */
static Amount in_field(const Scope *scope, const SourceExpression *target, Amount value)
{
    if (!target->bits || target->sign == SOURCE_TRUTH)
        return value;
    Amount half = amount_number(scope->space, target->sign == SOURCE_SIGNED ? ldexp(1, (int)target->bits - 1) : 0);
    value = last_bits(scope, amount_add(scope->space, value, half), (int)target->bits, false);
    return amount_subtract(scope->space, value, half);
}

/* 2^exponent, for shifts. */
static Amount power_of_two(const Scope *scope, Amount exponent)
{
    double number;
    if (!amount_is_number(exponent, &number))
        return exponent.is_whole
                   ? amount_function(scope->space, EXPR_POW, amount_number(scope->space, 2), exponent, true)
                   : UNKNOWN_AMOUNT;
    return number < 0 || number > 52 ? UNKNOWN_AMOUNT : amount_number(scope->space, ldexp(1, (int)number));
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
    return amount_function(scope->space, EXPR_MOD, a, amount_number(scope->space, mask + 1), true);
}

/* Arithmetic of known whole numbers, as C and Java round and mask them. */
static bool of_whole_numbers(const char *operator, int64_t a, int64_t b, int64_t *result)
{
    bool divides = operator[0] == '/' || operator[0] == '%';
    bool shifts = operator[0] == '<' || operator[0] == '>';
    if ((divides && (b == 0 || b == -1)) || (shifts && (a < 0 || b < 0 || b > 52)) || !strchr("/%&|^<>", operator[0]) ||
        (operator[0] == '<' && a> INT64_MAX>> b))
        return false;
    switch (operator[0]) {
    case '/':
        *result = a / b;
        return true;
    case '%':
        *result = a % b;
        return true;
    case '&':
        *result = a & b;
        return true;
    case '|':
        *result = a | b;
        return true;
    case '^':
        *result = a ^ b;
        return true;
    case '<':
        *result = a << b;
        return true;
    default:
        *result = a >> b;
        return true;
    }
}

static Amount arithmetic(const Scope *scope, const char *operator, bool is_whole, Amount a, Amount b)
{
    double number;
    int64_t left, right, result;
    if (is_whole && a.expr && b.expr && expr_is_integer(a.expr, &left) && expr_is_integer(b.expr, &right) &&
        of_whole_numbers(operator, left, right, &result))
        return (Amount){expr_integer(scope->space, result), true};
    if (strcmp(operator, "+") == 0)
        return amount_add(scope->space, a, b);
    if (strcmp(operator, "-") == 0)
        return amount_subtract(scope->space, a, b);
    if (strcmp(operator, "*") == 0)
        return amount_multiply(scope->space, a, b);
    if (strcmp(operator, "/") == 0)
        return is_whole ? amount_floor(scope->space, amount_divide(scope->space, a, b))
                        : amount_divide(scope->space, a, b);
    if (strcmp(operator, "%") == 0 && !(amount_is_number(b, &number) && number <= 0))
        return amount_function(scope->space, EXPR_MOD, a, b, a.is_whole && b.is_whole);
    if (strcmp(operator, "<<") == 0)
        return amount_multiply(scope->space, a, power_of_two(scope, b));
    if (strcmp(operator, ">>") == 0 || strcmp(operator, ">>>") == 0)
        return amount_floor(scope->space, amount_divide(scope->space, a, power_of_two(scope, b)));
    if (strcmp(operator, "&") == 0)
        return masked(scope, a, b);
    return UNKNOWN_AMOUNT;
}

/* The value of a condition: 0 or 1 for given parameters, which is its probability. */
static Amount truth(const Scope *scope, const SourceExpression *expression)
{
    const Expr *probability = probability_of(scope, expression);
    return (Amount){probability, probability != NULL};
}

/* How far the first of two references is behind the second one. */
static bool is_distance(const Scope *scope, const SourceExpression *expression, Amount *value)
{
    int64_t distance;
    const SourceExpression *left = expression->operands[0], *right = expression->operands[1];
    if (!scope->all->running || left->type != CPU_REFERENCE || right->type != CPU_REFERENCE ||
        !place_distance(scope, right, left, &distance))
        return false;
    *value = amount_number(scope->space, (double)distance);
    return true;
}

static Amount of_binary(const Scope *scope, const SourceExpression *expression)
{
    static const char *const conditions[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (operator_is(expression, conditions[i]))
            return truth(scope, expression);
    Amount value;
    if (operator_is(expression, "-") && is_distance(scope, expression, &value))
        return value;
    value = arithmetic(scope, expression->operator, type_is_whole(expression->type),
                       amount_of(scope, expression->operands[0]), amount_of(scope, expression->operands[1]));
    return scope->all->running ? in_type(scope, expression->type, expression->sign, false, value) : value;
}

static Amount of_assignment(const Scope *scope, const SourceExpression *expression)
{
    Amount right = amount_of(scope, expression->operands[1]);
    const SourceExpression *left = expression->operands[0];
    size_t length = strlen(expression->operator);
    if (length < 2)
        return in_field(scope, left, right);
    const char *operator= arena_strndup(scope->all->arena, expression->operator, length - 1);
    Amount value = arithmetic(scope, operator, type_is_whole(left->type), amount_of(scope, left), right);
    return in_field(scope, left, in_type(scope, left->type, left->sign, left->type < CPU_INT32, value));
}

Amount value_stepped(const Scope *scope, const SourceExpression *increment)
{
    const SourceExpression *target = increment->operands[0];
    Amount value = amount_of(scope, target), one = amount_number(scope->space, 1);
    value =
        operator_is(increment, "++") ? amount_add(scope->space, value, one) : amount_subtract(scope->space, value, one);
    bool is_short = target->type < CPU_INT32;
    return in_field(scope, target,
                    scope->all->running ? in_type(scope, target->type, target->sign, is_short, value) : value);
}

static Amount of_increment(const Scope *scope, const SourceExpression *expression)
{
    return increments_first(expression) ? value_stepped(scope, expression) : amount_of(scope, expression->operands[0]);
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

static Amount of_conditional(const Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *condition = expression->operands[0];
    Ordering ordering = ordering_of(scope, condition);
    const Expr *exact = probability_of(scope, condition);
    double holds;
    if (exact && expr_is_number(exact, &holds))
        return amount_of(scope, expression->operands[holds > 0 ? 1 : 2]);
    return amount_chosen(scope->space, &ordering, exact, amount_of(scope, expression->operands[1]),
                         amount_of(scope, expression->operands[2]));
}

static Amount of_unary(const Scope *scope, const SourceExpression *expression)
{
    if (operator_is(expression, "!"))
        return truth(scope, expression);
    Amount value = amount_of(scope, expression->operands[0]);
    bool flips = operator_is(expression, "~") && scope->all->running;
    if (operator_is(expression, "-") || flips)
        value = amount_subtract(scope->space, amount_number(scope->space, flips ? -1 : 0), value);
    else if (!operator_is(expression, "+"))
        return UNKNOWN_AMOUNT;
    return scope->all->running ? in_type(scope, expression->type, expression->sign, false, value) : value;
}

/* The function's returned value, with arguments in place of parameters. */
static Amount of_source(const Scope *scope, const SourceFunction *function, const SourceExpression *call)
{
    Generator *all = scope->all;
    MadeSub made;
    if (!function->returns_value || active_calls(all, function) ||
        !all->sub_make(all, function, &call->place, "", &made) || !made.returned.expr)
        return UNKNOWN_AMOUNT;
    const char **names = arena_new_array(all->arena, const char *, function->n_parameters);
    const Expr **with = arena_new_array(all->arena, const Expr *, function->n_parameters);
    size_t count = 0;
    for (size_t i = 0; i < function->n_parameters; i++) {
        const char *name = made.names[i];
        Amount value = i < call->n_operands ? amount_of(scope, call->operands[i]) : UNKNOWN_AMOUNT;
        if (!expr_has_symbol(made.returned.expr, name))
            continue;
        if (!value.expr)
            return UNKNOWN_AMOUNT;
        names[count] = name;
        with[count++] = value.expr;
    }
    return (Amount){expr_substitute(all->space, made.returned.expr, names, with, count), made.returned.is_whole};
}

/* While a program runs, a number that isn't exact, such as a root, is the nearest double. */
static Amount rounded(const Scope *scope, Amount amount)
{
    Interval value;
    Err no_value;
    const char *const *symbols;
    bool is_number = scope->all->running && amount.expr && !expr_is_number(amount.expr, NULL) &&
                     !expr_symbols(scope->space, amount.expr, &symbols) &&
                     expr_evaluate(amount.expr, NULL, 0, &value, NULL, &no_value);
    return is_number ? amount_number(scope->space, value.low + (value.high - value.low) / 2) : amount;
}

static Amount of_call(const Scope *scope, const SourceExpression *call)
{
    const SourceFunction *function = call->name ? source_find(scope->all->program, call->name) : NULL;
    const KnownFunction *known = call->name && !function ? known_find(scope->all->program->language, call->name) : NULL;
    if (function)
        return of_source(scope, function, call);
    if (call->name && strcmp(call->name, "__builtin_expect") == 0 && call->n_operands)
        return amount_of(scope, call->operands[0]);
    if (scope->all->running && call->name && strcmp(call->name, "getenv") == 0) {
        finding_add(scope->all, &call->place, NULL, "this variable of the environment is assumed not to be set");
        return amount_number(scope->space, 0);
    }
    if (!known || known->value == KNOWN_HAS_NO_VALUE || !call->n_operands)
        return text_call_value(scope, call);
    Amount a = amount_of(scope, call->operands[0]), b = UNKNOWN_AMOUNT;
    if (call->n_operands > 1)
        b = amount_of(scope, call->operands[1]);
    bool rounds = known->value == EXPR_FLOOR || known->value == EXPR_CEIL;
    bool keeps = known->value == EXPR_ABS || known->value == EXPR_MAX || known->value == EXPR_MIN;
    return rounded(scope, amount_function(scope->space, (ExprFunction)known->value, a, b,
                                          rounds || (keeps && a.is_whole && (b.is_whole || known->value == EXPR_ABS))));
}

/* A new object is empty, unless another one is given to its constructor. */
static Amount of_comma(const Scope *scope, const SourceExpression *expression)
{
    const SourceExpression *last = expression->operands[expression->n_operands - 1];
    bool is_new = last->kind == SOURCE_NEW && !last->n_operands;
    for (size_t i = 0; is_new && i + 1 < expression->n_operands; i++)
        if (expression->operands[i]->type == CPU_REFERENCE)
            return UNKNOWN_AMOUNT;
    return amount_of(scope, last);
}

/* A function's address; a text has no value. */
static Amount of_function(const Scope *scope, const SourceExpression *expression)
{
    const SourceProgram *program = scope->all->program;
    const SourceFunction *function =
        scope->all->running && expression->name ? source_find(program, expression->name) : NULL;
    return function ? amount_number(scope->space, LEAST_FUNCTION + (double)(function - program->functions))
                    : UNKNOWN_AMOUNT;
}

const SourceFunction *function_of_value(const SourceProgram *program, double value)
{
    bool is_function = value >= LEAST_FUNCTION && value < LEAST_FUNCTION + (double)program->n_functions;
    return is_function ? &program->functions[(size_t)(value - LEAST_FUNCTION)] : NULL;
}

static Amount of_address(const Scope *scope, const SourceExpression *expression)
{
    const Running *running = scope->all->running;
    const SourceExpression *target = without_casts(expression->operands[0]);
    if (target->kind == SOURCE_TEXT)
        return of_function(scope, target);
    bool is_global = target->kind == SOURCE_VARIABLE && target->variable->is_global;
    return running && is_global ? running->address_value(running, target->variable) : UNKNOWN_AMOUNT;
}

/* A signed number may be read as unsigned, and an unsigned one as signed. */
static Amount read_as(const Scope *scope, const SourceExpression *expression, Amount value)
{
    double number;
    bool is_number = expression->type < CPU_FLOAT && amount_is_number(value, &number);
    return is_number ? in_type(scope, expression->type, expression->sign, true, value) : value;
}

Amount amount_of(const Scope *scope, const SourceExpression *expression)
{
    const RunValue *run = run_value(scope, expression);
    if (run)
        return run->value;
    switch (expression->kind) {
    case SOURCE_NUMBER:
        return amount_number(scope->space, expression->value);
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
        return in_type(scope, expression->type, expression->sign, true, amount_of(scope, expression->operands[0]));
    case SOURCE_CONDITIONAL:
        return of_conditional(scope, expression);
    case SOURCE_COMMA:
        return of_comma(scope, expression);
    case SOURCE_LENGTH:
        return amount_of(scope, expression->operands[0]);
    case SOURCE_NEW:
        return expression->n_operands ? amount_of(scope, expression->operands[0]) : amount_number(scope->space, 0);
    case SOURCE_CALL:
        return of_call(scope, expression);
    case SOURCE_ADDRESS:
        return of_address(scope, expression);
    case SOURCE_TEXT:
        return of_function(scope, expression);
    case SOURCE_ELEMENT:
    case SOURCE_FIELD:
    case SOURCE_DEREFERENCE:
        return scope->all->running ? read_as(scope, expression, place_value(scope, expression))
                                   : part_value((Scope *)scope, expression);
    default:
        return UNKNOWN_AMOUNT;
    }
}

const RunValue *run_value(const Scope *scope, const SourceExpression *expression)
{
    const Running *running = scope->all->running;
    return running ? running->value_of(running, expression) : NULL;
}

static Amount step_of(const Scope *scope, Amount value)
{
    return amount_function(scope->space, EXPR_STEP, value, UNKNOWN_AMOUNT, true);
}

static Amount inverse(const Scope *scope, Amount value)
{
    return amount_subtract(scope->space, amount_number(scope->space, 1), value);
}

/* a >= b if or_equal, else a > b. */
static Amount is_greater(const Scope *scope, Amount a, Amount b, bool or_equal)
{
    if (or_equal)
        return step_of(scope, amount_subtract(scope->space, a, b));
    if (a.is_whole && b.is_whole)
        return step_of(
            scope, amount_subtract(scope->space, amount_subtract(scope->space, a, b), amount_number(scope->space, 1)));
    return inverse(scope, step_of(scope, amount_subtract(scope->space, b, a)));
}

/* i % k == 0 needs one comparison only, because a remainder isn't negative, unless it is known. */
static Amount is_equal(const Scope *scope, const SourceExpression *left, Amount a, Amount b)
{
    double number;
    Amount not_more = is_greater(scope, b, a, true);
    if (operator_is(without_casts(left), "%") && !amount_is_number(a, &number) && amount_is_number(b, &number) &&
        number == 0)
        return not_more;
    return amount_multiply(scope->space, not_more, is_greater(scope, a, b, true));
}

/* The amount of a reference is a length, which says nothing about equality; unless one of both is
 * NULL, or a handle. */
static bool are_handles(const Scope *scope, Amount a, Amount b)
{
    double left, right;
    if (!scope->all->running || !amount_is_number(a, &left) || !amount_is_number(b, &right))
        return false;
    return left == 0 || right == 0 || is_handle(left) || is_handle(right);
}

static bool is_text_and_null(const Scope *scope, const SourceExpression *condition, Amount a, Amount b)
{
    double number;
    bool is_left = amount_is_number(a, &number) && number == 0, is_right = amount_is_number(b, &number) && number == 0;
    return scope->all->running && is_left != is_right &&
           (condition->operator[0] == '=' || condition->operator[0] == '!') &&
           text_of(scope, condition->operands[is_left ? 1 : 0]);
}

static Amount compared(const Scope *scope, const SourceExpression *condition)
{
    Amount a = amount_of(scope, condition->operands[0]), b = amount_of(scope, condition->operands[1]);
    const char *operator= condition->operator;
    bool are_references =
        condition->operands[0]->type == CPU_REFERENCE || condition->operands[1]->type == CPU_REFERENCE;
    if (are_references && is_text_and_null(scope, condition, a, b))
        return amount_number(scope->space, operator[0] == '!');
    if (are_references && is_distance(scope, condition, &a))
        b = amount_number(scope->space, 0);
    else if (!a.expr || !b.expr || (are_references && !are_handles(scope, a, b)))
        return UNKNOWN_AMOUNT;
    if (operator[0] == '>' || operator[0] == '<')
        return is_greater(scope, operator[0] == '>' ? a : b, operator[0] == '>' ? b : a, operator[1] == '=');
    bool are_whole = type_is_whole(condition->operands[0]->type) && type_is_whole(condition->operands[1]->type);
    double number;
    if (!are_whole && !(amount_is_number(a, &number) && amount_is_number(b, &number)))
        return UNKNOWN_AMOUNT; /* equality of fractions is chance */
    Amount equal = is_equal(scope, condition->operands[0], a, b);
    return operator[0] == '=' ? equal : inverse(scope, equal);
}

static Amount of_both(const Scope *scope, const SourceExpression *condition, bool is_and)
{
    double number;
    Amount a = truth(scope, condition->operands[0]);
    if (amount_is_number(a, &number) && number == (is_and ? 0 : 1))
        return a;
    Amount b = truth(scope, condition->operands[1]);
    if (amount_is_number(b, &number) && number == (is_and ? 0 : 1))
        return b;
    if (is_and)
        return amount_multiply(scope->space, a, b);
    return inverse(scope, amount_multiply(scope->space, inverse(scope, a), inverse(scope, b)));
}

static bool is_comparison(const SourceExpression *condition)
{
    return operator_is(condition, "<") || operator_is(condition, "<=") || operator_is(condition, ">") ||
           operator_is(condition, ">=") || operator_is(condition, "==") || operator_is(condition, "!=");
}

const Expr *probability_of(const Scope *scope, const SourceExpression *condition)
{
    const RunValue *run = run_value(scope, condition);
    if (run && run->has_truth)
        return run->truth;
    condition = without_casts(condition);
    if (condition->kind == SOURCE_UNARY && operator_is(condition, "!"))
        return inverse(scope, truth(scope, condition->operands[0])).expr;
    if (condition->kind == SOURCE_BINARY && (operator_is(condition, "&&") || operator_is(condition, "||")))
        return of_both(scope, condition, operator_is(condition, "&&")).expr;
    if (condition->kind == SOURCE_BINARY && is_comparison(condition))
        return compared(scope, condition).expr;
    Amount value = amount_of(scope, condition);
    if (condition->type == CPU_REFERENCE && !are_handles(scope, value, value))
        return text_of(scope, condition) ? expr_integer(scope->space, 1) : NULL;
    return value.expr ? inverse(scope, is_equal(scope, condition, value, amount_number(scope->space, 0))).expr : NULL;
}
