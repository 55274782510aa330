/* SPDX-License-Identifier: BSD-3-Clause */
/* Probabilities of conditions. What's an expression in parameters and indexes is decided exactly, as 0 or 1 for each of
 * their values: sums over a loop then count how often. What isn't has a named parameter, 1/2 if it isn't given: the
 * mean of best and worst case, the paper's rule (§4.3). */
#include "cost/source/generate.h"

static Amount step_of(const Scope *scope, Amount value)
{
    return amount_function(scope, EXPR_STEP, value, UNKNOWN_AMOUNT, true);
}

static Amount inverse(const Scope *scope, Amount value)
{
    return amount_subtract(scope, amount_number(scope, 1), value);
}

/* a >= b, or a > b. */
static Amount is_greater(const Scope *scope, Amount a, Amount b, bool or_equal)
{
    if (or_equal)
        return step_of(scope, amount_subtract(scope, a, b));
    if (a.is_whole && b.is_whole)
        return step_of(scope, amount_subtract(scope, amount_subtract(scope, a, b), amount_number(scope, 1)));
    return inverse(scope, step_of(scope, amount_subtract(scope, b, a)));
}

/* i % k == 0 needs one comparison only, for a remainder isn't negative. */
static Amount is_equal(const Scope *scope, const SourceExpression *left, Amount a, Amount b)
{
    double number;
    Amount not_more = is_greater(scope, b, a, true);
    if (operator_is(without_casts(left), "%") && amount_is_number(b, &number) && number == 0)
        return not_more;
    return amount_multiply(scope, not_more, is_greater(scope, a, b, true));
}

static Amount compared(const Scope *scope, const SourceExpression *condition)
{
    Amount a = amount_of(scope, condition->operands[0]), b = amount_of(scope, condition->operands[1]);
    const char *operator= condition->operator;
    bool are_references =
        condition->operands[0]->type == CPU_REFERENCE || condition->operands[1]->type == CPU_REFERENCE;
    if (!a.expr || !b.expr || are_references)
        return UNKNOWN_AMOUNT;
    if (operator[0] == '>' || operator[0] == '<')
        return is_greater(scope, operator[0] == '>' ? a : b, operator[0] == '>' ? b : a, operator[1] == '=');
    bool are_whole = type_is_whole(condition->operands[0]->type) && type_is_whole(condition->operands[1]->type);
    double number;
    if (!are_whole && !(amount_is_number(a, &number) && amount_is_number(b, &number)))
        return UNKNOWN_AMOUNT; /* of fractions, equality is chance */
    Amount equal = is_equal(scope, condition->operands[0], a, b);
    return operator[0] == '=' ? equal : inverse(scope, equal);
}

static Amount as_truth(const Scope *scope, const Expr *probability)
{
    (void)scope;
    return (Amount){probability, true};
}

static Amount of_both(const Scope *scope, const SourceExpression *condition, bool is_and)
{
    double number;
    Amount a = as_truth(scope, probability_of(scope, condition->operands[0]));
    if (amount_is_number(a, &number) && number == (is_and ? 0 : 1))
        return a;
    Amount b = as_truth(scope, probability_of(scope, condition->operands[1]));
    if (amount_is_number(b, &number) && number == (is_and ? 0 : 1))
        return b;
    if (is_and)
        return amount_multiply(scope, a, b);
    return inverse(scope, amount_multiply(scope, inverse(scope, a), inverse(scope, b)));
}

static bool is_comparison(const SourceExpression *condition)
{
    return operator_is(condition, "<") || operator_is(condition, "<=") || operator_is(condition, ">") ||
           operator_is(condition, ">=") || operator_is(condition, "==") || operator_is(condition, "!=");
}

const Expr *probability_of(const Scope *scope, const SourceExpression *condition)
{
    condition = without_casts(condition);
    if (condition->kind == SOURCE_UNARY && operator_is(condition, "!"))
        return inverse(scope, as_truth(scope, probability_of(scope, condition->operands[0]))).expr;
    if (condition->kind == SOURCE_BINARY && (operator_is(condition, "&&") || operator_is(condition, "||")))
        return of_both(scope, condition, operator_is(condition, "&&")).expr;
    if (condition->kind == SOURCE_BINARY && is_comparison(condition))
        return compared(scope, condition).expr;
    if (condition->type == CPU_REFERENCE)
        return NULL;
    Amount value = amount_of(scope, condition);
    return value.expr ? inverse(scope, is_equal(scope, condition, value, amount_number(scope, 0))).expr : NULL;
}

const Expr *probability_or_q(Scope *scope, const SourceExpression *condition, const char *suffix, const char *meaning)
{
    Generator *all = scope->all;
    const Expr *exact = probability_of(scope, condition);
    if (exact)
        return exact;
    const char *name = name_of_place(all, "Q", suffix, &condition->place);
    const char *place = place_text(all, &condition->place);
    const char *text = condition->text && *condition->text ? condition->text : "a condition";
    finding_add(all, &condition->place, name,
                arena_printf(all->arena, "%s`%s`: 1/2 by the paper's rule, unless given", meaning, text));
    return parameter_make(all, name, expr_rational(all->space, 1, 2),
                          arena_printf(all->arena, "%s: %s%s; 1/2 unless given", place, meaning, text));
}
