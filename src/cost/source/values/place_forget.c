/* SPDX-License-Identifier: BSD-3-Clause */
/* See place.h: what isn't known any more. */
#include "cost/source/values/parts.h"

#include "cost/source/values/command_line.h"
#include <string.h>

void place_forget_below(Scope *scope, const Place *place)
{
    size_t length = strlen(place->part);
    int64_t index;
    for (size_t n = place->is_element ? place_count_indexes(place->part) : 0; n; n--)
        place_last_index(arena_strndup(scope->all->arena, place->part, length), &length, &index);
    for (size_t i = 0; i < scope->values.count; i++) {
        VariableValue *entry = &scope->values.items[i];
        bool is_below =
            entry->part && (strncmp(entry->part, place->part, length) == 0 || strcmp(entry->part, OTHER_PARTS) == 0);
        if (entry->variable == place->variable && is_below)
            entry->value = UNKNOWN_AMOUNT;
    }
    const Place rest = {.variable = place->variable, .part = OTHER_PARTS};
    if (place->variable->is_global && place->variable->is_cleared && !place_entry(scope, &rest))
        place_set(scope, &rest, UNKNOWN_AMOUNT);
}

void place_forget_all(Scope *scope, const SourceVariable *variable)
{
    place_forget_below(scope, &(Place){.variable = variable, .part = ""});
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable)
            scope->values.items[i].target = NULL;
    variable_assign(scope, variable, UNKNOWN_AMOUNT);
}

void place_forget_parts(Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    bool is_known = place_pointed_to(scope, reference, &place);
    if (is_known && is_held_otherwise(&place))
        place_forget_all(scope, place.variable);
    else if (is_known)
        place_forget_below(scope, &place);
    else if (reference->n_operands) /* the index isn't known: forget the whole array */
        place_forget_parts(scope, reference->operands[0]);
}

void place_forget(Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    bool is_known = place_pointed_to(scope, reference, &place), is_other = is_known && is_held_otherwise(&place);
    if (is_other)
        place_note_other_type(scope, &place, reference);
    else if (is_known && *place.part && !place.is_element)
        place_set(scope, &place, UNKNOWN_AMOUNT);
    else if (is_known && !*place.part &&
             (reference->kind == SOURCE_ADDRESS || place.variable->type != CPU_REFERENCE)) /* not the reference's own */
        variable_assign(scope, place.variable, UNKNOWN_AMOUNT);
    place_forget_parts(scope, reference);
}

enum { CALLS_FOLLOWED = 8 };

/* A search for what is assigned through references, also in functions that are called. */
typedef struct Writes {
    const Scope *scope;
    unsigned depth; /* of calls that are followed */
} Writes;

static bool writes_here(const SourceExpression *expression, void *self);

/* Whether a function may assign what its arguments refer to; only reading functions are known not to. */
static bool function_writes(const Scope *scope, const char *name, unsigned depth)
{
    const SourceFunction *function = name && depth ? source_find(scope->all->program, name) : NULL;
    if (name && only_reads(name))
        return false;
    return !function || source_any_in(function->body, writes_here, &(Writes){scope, depth - 1});
}

static bool writes_here(const SourceExpression *expression, void *self)
{
    const Writes *search = self;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    return (assigns && without_casts(expression->operands[0])->kind != SOURCE_VARIABLE) ||
           (expression->kind == SOURCE_CALL && function_writes(search->scope, expression->name, search->depth));
}

/* What the called function may assign: all that its arguments refer to. */
static void forget_arguments(Scope *scope, const SourceExpression *call)
{
    if (!function_writes(scope, call->name, CALLS_FOLLOWED))
        return;
    for (size_t i = 0; i < call->n_operands; i++)
        if (is_reference(call->operands[i]))
            place_forget(scope, call->operands[i]);
}

static void forget_in(Scope *scope, const SourceExpression *expression)
{
    Place place;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = expression->n_operands ? without_casts(expression->operands[0]) : NULL;
    if (assigns && target->kind != SOURCE_VARIABLE && target->n_operands) {
        place_forget_parts(scope, target->operands[0]);
        if (target->kind == SOURCE_DEREFERENCE && place_of(scope, target, &place))
            place_set(scope, &place, UNKNOWN_AMOUNT);
    }
    if (expression->kind == SOURCE_ADDRESS && place_of(scope, target, &place))
        place_set(scope, &place, UNKNOWN_AMOUNT);
    if (expression->kind == SOURCE_CALL)
        forget_arguments(scope, expression);
    for (size_t i = 0; i < expression->n_operands; i++)
        forget_in(scope, expression->operands[i]);
}

void places_forget(Scope *scope, const SourceStatement *statement)
{
    if (!statement)
        return;
    for (size_t i = 0; i < statement->n_expressions; i++)
        if (statement->expressions[i])
            forget_in(scope, statement->expressions[i]);
    for (size_t i = 0; i < statement->n_children; i++)
        places_forget(scope, statement->children[i]);
}
