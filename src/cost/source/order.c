/* SPDX-License-Identifier: BSD-3-Clause */
/* See order.h. */
#include "cost/source/order.h"

#include "cost/source/syntax.h"
#include <string.h>

static bool is_same(const SourceExpression *a, const SourceExpression *b)
{
    a = without_casts(a);
    b = without_casts(b);
    bool is_value = a->kind == SOURCE_NUMBER || a->kind == SOURCE_VARIABLE || a->kind == SOURCE_UNARY ||
                    a->kind == SOURCE_BINARY || a->kind == SOURCE_FIELD || a->kind == SOURCE_DEREFERENCE;
    bool is_alike = is_value && a->kind == b->kind && a->variable == b->variable && a->n_operands == b->n_operands &&
                    (a->kind != SOURCE_NUMBER || a->value == b->value) &&
                    (!a->operator|| operator_is(b, a->operator)) &&
                    (a->kind != SOURCE_FIELD || !strcmp(a->name, b->name));
    for (size_t i = 0; is_alike && i < a->n_operands; i++)
        is_alike = is_same(a->operands[i], b->operands[i]);
    return is_alike;
}

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
    return (operator_is(to, "+") && ((is_number(to->operands[1]) && is_same(to->operands[0], from)) ||
                                     (is_number(to->operands[0]) && is_same(to->operands[1], from)))) ||
           (operator_is(to, "-") && to->n_operands == 2 && is_number(to->operands[1]) &&
            is_same(to->operands[0], from));
}

/* Whether the reference leads from the object to a neighbour, or nowhere. */
static bool is_near(const SourceExpression *object, const SourceExpression *reference)
{
    reference = without_casts(reference);
    if (reference->kind == SOURCE_NUMBER)
        return true;
    if (reference->kind == SOURCE_CONDITIONAL)
        return is_near(object, reference->operands[1]) && is_near(object, reference->operands[2]);
    if (object->kind == SOURCE_DEREFERENCE)
        return is_constant_distance(object->operands[0], reference);
    const SourceExpression *target =
        reference->kind == SOURCE_ADDRESS ? without_casts(reference->operands[0]) : reference;
    bool is_element = reference->kind == SOURCE_ADDRESS && target->kind == SOURCE_ELEMENT;
    return object->kind == SOURCE_ELEMENT && (is_element || operator_is(target, "+")) &&
           is_same(object->operands[0], target->operands[0]) &&
           is_constant_distance(object->operands[1], target->operands[1]);
}

typedef struct Stores {
    const char *field;
    bool are_there;
} Stores;

static bool is_far_store(const SourceExpression *expression, void *self)
{
    Stores *stores = self;
    const SourceExpression *target = expression->kind == SOURCE_ASSIGN ? without_casts(expression->operands[0]) : NULL;
    if (!target || target->kind != SOURCE_FIELD || !target->name || strcmp(target->name, stores->field) != 0)
        return false;
    bool leads_nowhere = without_casts(expression->operands[1])->kind == SOURCE_NUMBER;
    stores->are_there |= !leads_nowhere;
    return !operator_is(expression, "=") || !is_near(without_casts(target->operands[0]), expression->operands[1]);
}

/* Of the functions that the task calls. */
static bool find(Generator *all, const char *field)
{
    const SourceFunction *entry = all->calls.count ? all->calls.items[0].function : NULL;
    Stores stores = {field, false};
    for (size_t i = 0; i < all->program->n_functions; i++) {
        const SourceFunction *function = &all->program->functions[i];
        bool is_called = !entry || function == entry || calls_reach(all, entry, function);
        if (is_called && source_any_in(function->body, is_far_store, &stores))
            return false;
    }
    return stores.are_there;
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
