/* SPDX-License-Identifier: BSD-3-Clause */
/* See order.h. */
#include "cost/source/order.h"

#include "cost/source/program/syntax.h"
#include <string.h>

static bool is_number(const SourceExpression *expression)
{
    return without_casts(expression)->kind == SOURCE_NUMBER && without_casts(expression)->value != 0;
}

/* i + 1, 1 + i, i - 1; also modulo a length, or a mask. */
static bool is_constant_distance(const SourceExpression *from, const SourceExpression *to)
{
    to = without_casts(to);
    if (operator_is(to, "%") || operator_is(to, "&"))
        to = without_casts(to->operands[0]);
    return (operator_is(to, "+") && ((is_number(to->operands[1]) && expression_is_same(to->operands[0], from)) ||
                                     (is_number(to->operands[0]) && expression_is_same(to->operands[1], from)))) ||
           (operator_is(to, "-") && to->n_operands == 2 && is_number(to->operands[1]) &&
            expression_is_same(to->operands[0], from));
}

/* Stores of references in a field of this name. */
typedef struct Stores {
    const char *field;
    const SourceFunction *function;
    bool are_there, is_java;
} Stores;

/* ---- Neighbours in an array ---- */

/* In Java, an array has references to its objects, which are usually allocated one after the other. */
static bool is_near(const Stores *stores, const SourceExpression *object, const SourceExpression *reference)
{
    if (object->kind == SOURCE_DEREFERENCE)
        return is_constant_distance(object->operands[0], reference);
    const SourceExpression *target =
        reference->kind == SOURCE_ADDRESS ? without_casts(reference->operands[0]) : reference;
    bool is_element = (reference->kind == SOURCE_ADDRESS || stores->is_java) && target->kind == SOURCE_ELEMENT;
    return object->kind == SOURCE_ELEMENT && (is_element || operator_is(target, "+")) &&
           expression_is_same(object->operands[0], target->operands[0]) &&
           is_constant_distance(object->operands[1], target->operands[1]);
}

/* ---- One allocated after the other: node = malloc(…); node->next = head; head = node; ---- */

typedef struct Pair {
    const char *field;
    const SourceVariable *one, *other;
} Pair;

static bool is_in(const Pair *pair, const SourceExpression *expression)
{
    return expression->kind == SOURCE_VARIABLE &&
           (expression->variable == pair->one || expression->variable == pair->other);
}

/* Whether the value is new, of the pair, or reached from one of it by the field. */
static bool is_of_pair(const Pair *pair, const SourceExpression *value)
{
    value = without_casts(value);
    bool is_new = value->kind == SOURCE_NEW || (value->kind == SOURCE_CALL && value->unit_bytes);
    bool is_next = value->kind == SOURCE_FIELD && value->name && strcmp(value->name, pair->field) == 0;
    return is_new || is_next || value->kind == SOURCE_NUMBER || is_in(pair, value);
}

static bool assigns_another(const SourceExpression *expression, void *self)
{
    const Pair *pair = self;
    bool changes =
        expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_ADDRESS;
    return changes && is_in(pair, without_casts(expression->operands[0])) &&
           !(operator_is(expression, "=") && is_of_pair(pair, expression->operands[1]));
}

static bool declares_another(const Pair *pair, const SourceStatement *statement)
{
    if (!statement)
        return false;
    if (statement->kind == SOURCE_DECLARE && statement->n_expressions && statement->expressions[0] &&
        (statement->variable == pair->one || statement->variable == pair->other) &&
        !is_of_pair(pair, statement->expressions[0]))
        return true;
    for (size_t i = 0; i < statement->n_children; i++)
        if (declares_another(pair, statement->children[i]))
            return true;
    return false;
}

/* The function's own variable, or NULL. */
static const SourceVariable *own_variable(const SourceExpression *expression)
{
    bool is_own =
        expression->kind == SOURCE_VARIABLE && !expression->variable->is_parameter && !expression->variable->is_global;
    return is_own ? expression->variable : NULL;
}

static bool are_allocated_in_order(const Stores *stores, const SourceExpression *object,
                                   const SourceExpression *reference)
{
    object = object->kind == SOURCE_DEREFERENCE ? without_casts(object->operands[0]) : object;
    Pair pair = {stores->field, own_variable(object), own_variable(reference)};
    return pair.one && pair.other && !source_any_in(stores->function->body, assigns_another, &pair) &&
           !declares_another(&pair, stores->function->body);
}

/* ---- All stores ---- */

/* The field that the expression changes, if it has this name. NULL: another one, or none. */
static const SourceExpression *stored_field(const Stores *stores, const SourceExpression *expression)
{
    bool changes =
        expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_ADDRESS || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = changes ? without_casts(expression->operands[0]) : NULL;
    bool is_it = target && target->kind == SOURCE_FIELD && target->n_operands && target->name &&
                 strcmp(target->name, stores->field) == 0;
    return is_it ? target : NULL;
}

/* lexer->at++; lexer->at += n; lexer->at = lexer->at + 1: it steps through an array. */
static bool is_step(const SourceExpression *expression, void *self)
{
    const SourceExpression *field = stored_field(self, expression);
    return field &&
           (expression->kind == SOURCE_INCREMENT || operator_is(expression, "+=") || operator_is(expression, "-=") ||
            (operator_is(expression, "=") && is_constant_distance(field, expression->operands[1])));
}

/* Whether the reference leads from the object to a neighbour, or nowhere. */
static bool is_in_order(const Stores *stores, const SourceExpression *object, const SourceExpression *reference)
{
    reference = without_casts(reference);
    if (reference->kind == SOURCE_CONDITIONAL)
        return is_in_order(stores, object, reference->operands[1]) &&
               is_in_order(stores, object, reference->operands[2]);
    return reference->kind == SOURCE_NUMBER || is_near(stores, object, reference) ||
           are_allocated_in_order(stores, object, reference);
}

static bool is_far_store(const SourceExpression *expression, void *self)
{
    Stores *stores = self;
    const SourceExpression *target = stored_field(stores, expression);
    if (!target || expression->kind == SOURCE_INCREMENT)
        return false;
    if (expression->kind == SOURCE_ADDRESS) /* what is stored by the field's address isn't known */
        return true;
    stores->are_there |= without_casts(expression->operands[1])->kind != SOURCE_NUMBER;
    return !operator_is(expression, "=") ||
           !is_in_order(stores, without_casts(target->operands[0]), expression->operands[1]);
}

/* Of the functions that the task calls. */
static bool find(Generator *all, const char *field)
{
    const SourceFunction *entry = all->calls.count ? all->calls.items[0].function : NULL;
    Stores stores = {.field = field, .is_java = strcmp(all->program->language, "java") == 0};
    bool is_far = false;
    for (size_t i = 0; i < all->program->n_functions; i++) {
        const SourceFunction *function = &all->program->functions[i];
        if (entry && function != entry && !calls_reach(all, entry, function))
            continue;
        stores.function = function;
        if (!stores.is_java && source_any_in(function->body, is_step, &stores))
            return true;
        is_far = is_far || source_any_in(function->body, is_far_store, &stores);
    }
    return stores.are_there && !is_far;
}

bool references_are_in_order(Generator *all, const char *field)
{
    for (size_t i = 0; i < all->orders.count; i++)
        if (strcmp(all->orders.items[i].field, field) == 0)
            return all->orders.items[i].is_in_order;
    bool is_in_order = find(all, field);
    *vec_push(&all->orders) = (FieldOrder){field, is_in_order};
    return is_in_order;
}
