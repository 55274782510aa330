/* SPDX-License-Identifier: BSD-3-Clause */
/* See part.h. firma assumes that different variables refer to different structures. */
#include "cost/source/values/part.h"

#include "cost/source/values/decided.h"
#include "cost/source/values/value.h"

#include <string.h>

#define ELEMENTS_LENGTH "[]"

/* ---- Which fields a part of the program assigns ---- */

typedef struct Assignments {
    const SourceProgram *program;
    const char *field;
    VEC(const SourceFunction *) seen;
} Assignments;

static bool assigns_here(const SourceExpression *expression, void *self);

static bool function_assigns(Assignments *search, const SourceFunction *function)
{
    for (size_t i = 0; i < search->seen.count; i++)
        if (search->seen.items[i] == function)
            return false;
    *vec_push(&search->seen) = function;
    return source_any_in(function->body, assigns_here, search);
}

static bool is_field(const SourceExpression *expression, const char *name)
{
    expression = without_casts(expression);
    return expression->kind == SOURCE_FIELD && expression->name && strcmp(expression->name, name) == 0;
}

static bool assigns_here(const SourceExpression *expression, void *self)
{
    Assignments *search = self;
    bool changes =
        expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_ADDRESS;
    if (changes && is_field(expression->operands[0], search->field))
        return true;
    const SourceFunction *called =
        expression->kind == SOURCE_CALL && expression->name ? source_find(search->program, expression->name) : NULL;
    return called && function_assigns(search, called);
}

/* The last field of a part: "rows" of ".shape.rows"; NULL: no field. */
static const char *field_of(const char *part)
{
    const char *dot = part ? strrchr(part, '.') : NULL;
    return dot ? dot + 1 : NULL;
}

static bool assigns(const Scope *scope, const SourceStatement *statement, const SourceExpression *expression,
                    const char *part)
{
    Assignments search = {.program = scope->all->program, .field = field_of(part)};
    bool does = search.field && (source_any_in(statement, assigns_here, &search) ||
                                 source_any_in_expression(expression, assigns_here, &search));
    vec_free(&search.seen);
    return does;
}

/* ---- Values ---- */

static VariableValue *entry_of(const Scope *scope, const Place *place)
{
    for (size_t i = 0; i < scope->values.count; i++) {
        VariableValue *entry = &scope->values.items[i];
        if (entry->variable == place->variable && entry->part && strcmp(entry->part, place->part) == 0)
            return entry;
    }
    return NULL;
}

static void set_part(Scope *scope, const Place *place, Amount value)
{
    VariableValue *entry = entry_of(scope, place);
    if (entry)
        entry->value = value;
    else
        *vec_push(&scope->values) = (VariableValue){.variable = place->variable, .value = value, .part = place->part};
}

static void forget_parts_of(Scope *scope, const SourceVariable *variable)
{
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable && scope->values.items[i].part)
            scope->values.items[i].value = UNKNOWN_AMOUNT;
}

/* The index of a parameter that the function never assigns; -1: it is none. */
static int fixed_parameter(const Scope *scope, const SourceVariable *variable)
{
    AssignedSet set = {0};
    int index = -1;
    for (size_t i = 0; i < scope->function->n_parameters; i++)
        if (scope->function->parameters[i] == variable)
            index = (int)i;
    if (index >= 0)
        assigned_in_statement(&set, scope->function->body);
    if (assigned_count(&set, variable))
        index = -1;
    assigned_free(&set);
    return index;
}

static bool is_taken(const Scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->function->n_parameters; i++)
        if (strcmp(name_made_legal(scope->all, scope->function->parameters[i]->name), name) == 0)
            return true;
    for (const Loop *loop = scope->loop; loop; loop = loop->outer)
        if (strcmp(loop->index, name) == 0)
            return true;
    return false;
}

/* The symbol of a part of a parameter. */
static const char *part_symbol(Scope *scope, int parameter, const char *part, Access access)
{
    Generator *all = scope->all;
    for (size_t i = 0; i < scope->parts.count; i++)
        if (scope->parts.items[i].parameter == parameter && strcmp(scope->parts.items[i].part, part) == 0)
            return scope->parts.items[i].symbol;
    const char *name = scope->function->parameters[parameter]->name;
    const char *suffix = strcmp(part, ELEMENTS_LENGTH) == 0 ? ".length" : part;
    const char *symbol = name_made_legal(all, arena_printf(all->arena, "%s%s", name, suffix));
    while (is_taken(scope, symbol))
        symbol = arena_printf(all->arena, "%s_field", symbol);
    *vec_push(&scope->parts) = (PartParameter){parameter, part, symbol, access};
    return symbol;
}

static Amount get_part(Scope *scope, const Place *place, Access access)
{
    const VariableValue *entry = entry_of(scope, place);
    if (entry)
        return entry->value;
    int parameter = fixed_parameter(scope, place->variable);
    bool is_plain = strcmp(place->part, ELEMENTS_LENGTH) == 0 || (*place->part == '.' && !strchr(place->part, '['));
    if (parameter < 0 || !is_plain || decided_is_unknown(scope, (size_t)parameter, place->part) ||
        assigns(scope, scope->function->body, NULL, place->part) ||
        calls_reach(scope->all, scope->function, scope->function))
        return UNKNOWN_AMOUNT;
    return (Amount){expr_symbol(scope->space, part_symbol(scope, parameter, place->part, access)), true};
}

/* a[i] of an array of arrays stands for the length of all its elements. */
static bool place_of_elements(const SourceExpression *expression, Place *place)
{
    const SourceExpression *array = expression->kind == SOURCE_ELEMENT ? without_casts(expression->operands[0]) : NULL;
    if (!array || array->kind != SOURCE_VARIABLE || expression->type != CPU_REFERENCE)
        return false;
    *place = (Place){.variable = array->variable, .part = ELEMENTS_LENGTH};
    return true;
}

Amount part_value(Scope *scope, const SourceExpression *expression)
{
    Place place;
    bool is_java = strcmp(scope->all->program->language, "java") == 0;
    if (!scope->function)
        return UNKNOWN_AMOUNT;
    if (is_java && place_of_elements(expression, &place))
        return get_part(scope, &place, (Access){0});
    if (expression->kind != SOURCE_FIELD || !type_is_whole(expression->type) || expression->type == CPU_REFERENCE ||
        !place_of(scope, expression, &place) || !*place.part || place.variable->is_global)
        return UNKNOWN_AMOUNT;
    return get_part(scope, &place, access_to(expression, place.variable, scope->all->arena));
}

/* ---- Assignments ---- */

/* Copies the known parts of a structure to another one. */
static void copy_parts(Scope *scope, const Place *from, const Place *to)
{
    size_t length = strlen(from->part);
    Snapshot now = variables_save(scope);
    for (size_t i = 0; i < now.count; i++) {
        const VariableValue *entry = &now.items[i];
        if (entry->variable != from->variable || !entry->part || strncmp(entry->part, from->part, length) != 0)
            continue;
        const char *part = arena_printf(scope->all->arena, "%s%s", to->part, entry->part + length);
        set_part(scope, &(Place){.variable = to->variable, .part = part}, entry->value);
    }
}

/* Parts of what a call returns, with its arguments. */
static void set_returned(Scope *scope, const Place *to)
{
    for (size_t i = 0; i < scope->last_returned.n; i++) {
        const PartEffect *effect = &scope->last_returned.items[i];
        const char *part = arena_printf(scope->all->arena, "%s%s", to->part, effect->part);
        set_part(scope, &(Place){.variable = to->variable, .part = part}, effect->value);
    }
}

static void assign_reference(Scope *scope, const Place *to, const SourceExpression *right)
{
    Place from;
    right = right ? without_casts(right) : NULL;
    if (!*to->part)
        forget_parts_of(scope, to->variable);
    if (!right)
        return;
    if (right->kind == SOURCE_CALL && right == scope->last_call)
        set_returned(scope, to);
    else if (right->kind == SOURCE_NEW && right->n_operands > 1)
        set_part(scope, &(Place){.variable = to->variable, .part = ELEMENTS_LENGTH},
                 amount_of(scope, right->operands[1]));
    else if (place_pointed_to(scope, right, &from))
        copy_parts(scope, &from, to);
}

void part_assign(Scope *scope, const SourceExpression *left, Amount value, const SourceExpression *right)
{
    Place place;
    if (!scope->function || !place_of(scope, left, &place) || place.variable->is_global)
        return;
    if (left->type == CPU_REFERENCE)
        assign_reference(scope, &place, right);
    else if (left->kind == SOURCE_FIELD && *place.part)
        set_part(scope, &place, value);
}

void part_declare(Scope *scope, const SourceVariable *variable, const SourceExpression *initial)
{
    const Place place = {variable, "", false, NULL, NULL};
    if (variable->type == CPU_REFERENCE)
        assign_reference(scope, &place, initial);
}

/* ---- Calls ---- */

Amount part_argument(Scope *scope, const PartParameter *part, const SourceExpression *call)
{
    Place place;
    if ((size_t)part->parameter >= call->n_operands || !scope->function ||
        !place_pointed_to(scope, call->operands[part->parameter], &place) || place.variable->is_global)
        return UNKNOWN_AMOUNT;
    place.part = arena_printf(scope->all->arena, "%s%s", place.part, part->part);
    return get_part(
        scope, &place,
        access_through(call->operands[part->parameter], part->access.text, place.variable, scope->all->arena));
}

/* A value of the function's, in terms of the caller's symbols. */
static Amount in_caller(Scope *scope, const SourceExpression *call, const MadeSub *made, const Amount *values,
                        Amount value)
{
    const SourceFunction *function = made->function;
    size_t n_most = function->n_parameters + made->n_parts, n = 0;
    const char **names = arena_new_array(scope->all->arena, const char *, n_most);
    const Expr **with = arena_new_array(scope->all->arena, const Expr *, n_most);
    for (size_t i = 0; value.expr && i < n_most; i++) {
        bool is_part = i >= function->n_parameters;
        const PartParameter *part = is_part ? &made->parts[i - function->n_parameters] : NULL;
        const char *name = is_part ? part->symbol : made->names[i];
        if (!expr_has_symbol(value.expr, name))
            continue;
        Amount argument = is_part                ? part_argument(scope, part, call)
                          : i < call->n_operands ? values[i]
                                                 : UNKNOWN_AMOUNT;
        if (!argument.expr)
            return UNKNOWN_AMOUNT;
        names[n] = name;
        with[n++] = argument.expr;
    }
    return value.expr ? (Amount){expr_substitute(scope->space, value.expr, names, with, n), value.is_whole}
                      : UNKNOWN_AMOUNT;
}

static PartEffects effects_in_caller(Scope *scope, const SourceExpression *call, const MadeSub *made,
                                     const Amount *values, const PartEffects *effects)
{
    PartEffect *items = arena_new_array(scope->all->arena, PartEffect, effects->n);
    for (size_t i = 0; i < effects->n; i++) {
        items[i] = effects->items[i];
        items[i].value = in_caller(scope, call, made, values, items[i].value);
    }
    return (PartEffects){effects->n, items};
}

/* Collections to which the function may add (Java). */
static void forget_resized(Scope *scope, const SourceExpression *call, const SourceFunction *function)
{
    AssignedSet set = {0};
    if (strcmp(scope->all->program->language, "java") != 0)
        return;
    assigned_in_statement(&set, function->body);
    for (size_t i = 0; i < call->n_operands && i < function->n_parameters; i++) {
        const SourceExpression *argument = without_casts(call->operands[i]);
        if (argument->kind == SOURCE_VARIABLE && argument->type == CPU_REFERENCE &&
            assigned_count(&set, function->parameters[i]))
            variable_set(scope, argument->variable, UNKNOWN_AMOUNT);
    }
    assigned_free(&set);
}

void part_called(Scope *scope, const SourceExpression *call, const MadeSub *made, const Amount *values)
{
    PartEffects left = effects_in_caller(scope, call, made, values, &made->effects);
    scope->last_call = call;
    scope->last_returned = effects_in_caller(scope, call, made, values, &made->returned_parts);
    for (size_t i = 0; i < scope->values.count; i++)
        if (assigns(scope, made->function->body, NULL, scope->values.items[i].part))
            scope->values.items[i].value = UNKNOWN_AMOUNT;
    forget_resized(scope, call, made->function);
    for (size_t i = 0; i < left.n; i++) {
        Place place;
        size_t parameter = (size_t)left.items[i].parameter;
        if (parameter >= call->n_operands || !place_pointed_to(scope, call->operands[parameter], &place) ||
            place.variable->is_global)
            continue;
        place.part = arena_printf(scope->all->arena, "%s%s", place.part, left.items[i].part);
        set_part(scope, &place, left.items[i].value);
    }
}

void part_unseen_call(Scope *scope, const SourceExpression *call)
{
    for (size_t i = 0; i < call->n_operands; i++) {
        const SourceExpression *argument = without_casts(call->operands[i]);
        const SourceExpression *target = argument->kind == SOURCE_ADDRESS ? without_casts(argument->operands[0]) : NULL;
        if (target && target->kind == SOURCE_VARIABLE)
            forget_parts_of(scope, target->variable);
    }
}

/* ---- What a function leaves behind ---- */

static PartEffects effects_of(const Scope *scope, const SourceVariable *variable, const char *before, int parameter)
{
    VEC(PartEffect) found = {0};
    size_t length = strlen(before);
    for (size_t i = 0; i < scope->values.count; i++) {
        const VariableValue *entry = &scope->values.items[i];
        if (entry->variable == variable && entry->part && strncmp(entry->part, before, length) == 0)
            *vec_push(&found) = (PartEffect){parameter, entry->part + length, entry->value};
    }
    PartEffects effects = {found.count, vec_copy(&found, scope->all->arena)};
    vec_free(&found);
    return effects;
}

void part_return(Scope *scope, const SourceExpression *value)
{
    Place place;
    value = without_casts(value);
    scope->returned_parts = (PartEffects){0};
    if (value->type != CPU_REFERENCE || scope->n_part_returns++)
        return;
    if (value->kind == SOURCE_CALL && value == scope->last_call)
        scope->returned_parts = scope->last_returned;
    else if (place_pointed_to(scope, value, &place))
        scope->returned_parts = effects_of(scope, place.variable, place.part, -1);
}

PartEffects part_effects(const Scope *scope)
{
    VEC(PartEffect) found = {0};
    for (size_t i = 0; i < scope->function->n_parameters; i++) {
        PartEffects one = effects_of(scope, scope->function->parameters[i], "", (int)i);
        for (size_t j = 0; j < one.n; j++)
            *vec_push(&found) = one.items[j];
    }
    PartEffects effects = {found.count, vec_copy(&found, scope->all->arena)};
    vec_free(&found);
    return effects;
}

void parts_forget(Scope *scope, const SourceStatement *statement)
{
    AssignedSet set = {0};
    if (scope->all->running)
        return;
    assigned_in_statement(&set, statement);
    for (size_t i = 0; i < set.items.count; i++)
        forget_parts_of(scope, set.items.items[i].variable);
    assigned_free(&set);
    for (size_t i = 0; i < scope->values.count; i++)
        if (assigns(scope, statement, NULL, scope->values.items[i].part))
            scope->values.items[i].value = UNKNOWN_AMOUNT;
}
