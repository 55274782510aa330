/* SPDX-License-Identifier: BSD-3-Clause */
/* See syntax.h. */
#include "cost/source/syntax.h"

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

LoopParts loop_parts(const SourceStatement *statement)
{
    const SourceExpression *first = statement->n_expressions ? statement->expressions[0] : NULL;
    switch (statement->kind) {
    case SOURCE_FOR:
        return (LoopParts){first, statement->n_expressions > 1 ? statement->expressions[1] : NULL,
                           statement->children[1], false};
    case SOURCE_FOR_EACH:
        return (LoopParts){NULL, NULL, statement->children[0], false};
    default:
        return (LoopParts){first, NULL, statement->children[0], statement->kind == SOURCE_DO};
    }
}

bool condition_is_true(const SourceExpression *condition)
{
    return !condition || (without_casts(condition)->kind == SOURCE_NUMBER && without_casts(condition)->value != 0);
}

static unsigned ends_of_list(SourceStatement *const *list, size_t count)
{
    unsigned ends = ENDS_NORMALLY;
    for (size_t i = 0; i < count && (ends & ENDS_NORMALLY); i++)
        ends = (ends & ~(unsigned)ENDS_NORMALLY) | ends_of(list[i]);
    return ends;
}

static unsigned ends_of_loop(const SourceStatement *statement)
{
    LoopParts parts = loop_parts(statement);
    unsigned inner = ends_of(parts.body), ends = inner & ENDS_RETURN;
    bool is_endless = statement->kind != SOURCE_FOR_EACH && condition_is_true(parts.condition) && !(inner & ENDS_BREAK);
    return is_endless ? ends : ends | ENDS_NORMALLY;
}

/* Cases that end with `break` end normally. All cases may be skipped. */
static unsigned ends_of_switch(const SourceStatement *statement)
{
    unsigned ends = ENDS_NORMALLY;
    for (size_t i = 0; i < statement->n_children; i++)
        ends |= ends_of(statement->children[i]);
    return ends & ~(unsigned)ENDS_BREAK;
}

unsigned ends_of(const SourceStatement *statement)
{
    if (!statement)
        return ENDS_NORMALLY;
    switch (statement->kind) {
    case SOURCE_RETURN:
        return ENDS_RETURN;
    case SOURCE_BREAK:
        return ENDS_BREAK;
    case SOURCE_CONTINUE:
        return ENDS_CONTINUE;
    case SOURCE_BLOCK:
    case SOURCE_CASE:
    case SOURCE_NOT_UNDERSTOOD:
        return ends_of_list(statement->children, statement->n_children);
    case SOURCE_IF:
        return ends_of(statement->children[0]) | ends_of(statement->n_children > 1 ? statement->children[1] : NULL);
    case SOURCE_FOR:
    case SOURCE_WHILE:
    case SOURCE_DO:
    case SOURCE_FOR_EACH:
        return ends_of_loop(statement);
    case SOURCE_SWITCH:
        return ends_of_switch(statement);
    default:
        return ENDS_NORMALLY;
    }
}

static void assigned_add(AssignedSet *set, const SourceVariable *variable)
{
    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].variable == variable) {
            set->items.items[i].count++;
            return;
        }
    *vec_push(&set->items) = (Assigned){variable, 1};
}

void assigned_in_expression(AssignedSet *set, const SourceExpression *expression)
{
    if (!expression)
        return;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = expression->n_operands ? without_casts(expression->operands[0]) : NULL;
    if (assigns && target && target->kind == SOURCE_VARIABLE)
        assigned_add(set, target->variable);
    if (expression->kind == SOURCE_ADDRESS && target && target->kind == SOURCE_VARIABLE)
        *vec_push(&set->addressed) = target->variable;
    for (size_t i = 0; i < expression->n_operands; i++)
        assigned_in_expression(set, expression->operands[i]);
}

void assigned_in_statement(AssignedSet *set, const SourceStatement *statement)
{
    if (!statement)
        return;
    if (statement->variable)
        assigned_add(set, statement->variable);
    for (size_t i = 0; i < statement->n_expressions; i++)
        assigned_in_expression(set, statement->expressions[i]);
    for (size_t i = 0; i < statement->n_children; i++)
        assigned_in_statement(set, statement->children[i]);
}

unsigned assigned_count(const AssignedSet *set, const SourceVariable *variable)
{
    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].variable == variable)
            return set->items.items[i].count;
    return 0;
}

void assigned_free(AssignedSet *set)
{
    vec_free(&set->items);
    vec_free(&set->addressed);
}
