/* SPDX-License-Identifier: BSD-3-Clause */
/* See period.h. */
#include "cost/source/period.h"

#include "cost/source/program/syntax.h"

#include <math.h>
#include <string.h>

/* What the function does with a variable or field. */
typedef struct Uses {
    const SourceExpression *counter;
    bool counts, is_set; /* by 1; to a constant */
    bool is_else;        /* otherwise */
    double set_to;
} Uses;

static bool is_number(const SourceExpression *expression, double *number)
{
    expression = without_casts(expression);
    *number = expression->value;
    return expression->kind == SOURCE_NUMBER;
}

static bool note_use(const SourceExpression *expression, void *self)
{
    Uses *uses = self;
    bool changes =
        expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_ADDRESS;
    double number = 1;
    if (!changes || !expression_is_same(expression->operands[0], uses->counter))
        return false;
    bool is_one = expression->kind == SOURCE_INCREMENT
                      ? operator_is(expression, "++")
                      : operator_is(expression, "+=") && is_number(expression->operands[1], &number) && number == 1;
    if (is_one)
        uses->counts = true;
    else if (operator_is(expression, "=") && is_number(expression->operands[1], &number)) {
        uses->is_else |= uses->is_set && uses->set_to != number;
        uses->is_set = true;
        uses->set_to = number;
    } else
        uses->is_else = true;
    return false;
}

/* Whether the counter is only counted where the condition is tested: in it, or in statements beside it. */
static bool counts_beside(const SourceStatement *statement, const SourceStatement *choice,
                          const SourceExpression *counter)
{
    bool is_here = false, counts = false;
    for (size_t i = 0; statement && i < statement->n_children; i++) {
        const SourceStatement *child = statement->children[i];
        if (child != choice && counts_beside(child, choice, counter))
            return true;
        Uses uses = {.counter = counter};
        for (size_t k = 0; child && (child->kind == SOURCE_EXPRESSION || child == choice) && k < child->n_expressions;
             k++)
            source_any_in_expression(child->expressions[k], note_use, &uses);
        is_here |= child == choice;
        counts |= uses.counts;
    }
    return is_here && counts && statement->kind == SOURCE_BLOCK;
}

static bool is_counter(const SourceExpression *expression)
{
    return (expression->kind == SOURCE_VARIABLE || expression->kind == SOURCE_FIELD) && type_is_whole(expression->type);
}

double choice_period(const Scope *scope, const SourceStatement *choice)
{
    const SourceExpression *condition = condition_without_hints(choice->expressions[0]);
    double most;
    if (!scope->function || condition->kind != SOURCE_BINARY ||
        !(operator_is(condition, "==") || operator_is(condition, ">=")) || !is_number(condition->operands[1], &most))
        return 0;
    const SourceExpression *counter = without_casts(condition->operands[0]);
    if (counter->kind == SOURCE_INCREMENT)
        counter = without_casts(counter->operands[0]);
    Uses in_side = {.counter = counter}, in_all = {.counter = counter};
    if (!is_counter(counter))
        return 0;
    source_any_in(choice->children[0], note_use, &in_side);
    source_any_in(scope->function->body, note_use, &in_all);
    bool is_one = in_side.is_set && !in_side.counts && in_all.counts && !in_all.is_else && most > in_all.set_to;
    double period = is_one ? most - in_all.set_to : 0;
    return period >= 2 && period == floor(period) && counts_beside(scope->function->body, choice, counter) ? period : 0;
}
