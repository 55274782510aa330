/* SPDX-License-Identifier: BSD-3-Clause */
/* See scope.h. */
#include "cost/source/values/scope.h"

#include "cost/source/values/place.h"

#include <math.h>
#include <string.h>

static bool is_among(const SourceVariable *const *list, size_t count, const SourceVariable *variable)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == variable)
            return true;
    return false;
}

bool is_handle(double number)
{
    return number >= LEAST_HANDLE && number - floor(number) == 0.5;
}

const Expr *value_to_give(const Scope *scope)
{
    return scope->is_seldom ? expr_integer(scope->space, 0) : NULL;
}

VariableValue *variable_entry(const Scope *scope, const SourceVariable *variable)
{
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable && !scope->values.items[i].part)
            return &scope->values.items[i];
    return NULL;
}

/* While a program runs, its globals are among the values of the function that runs. */
static Amount running_global_value(const Scope *scope, const SourceVariable *variable)
{
    const Running *running = scope->all->running;
    const VariableValue *entry = variable_entry(running->scope, variable);
    if (entry)
        return entry->value;
    Amount given =
        isnan(variable->initial) || !variable->initial ? running->given_value(running, variable->name) : UNKNOWN_AMOUNT;
    return given.expr || isnan(variable->initial) ? given : amount_number(scope->space, variable->initial);
}

/* A global that is never assigned is a parameter of the model. */
static Amount global_value(const Scope *scope, const SourceVariable *variable)
{
    Generator *all = scope->all;
    if (all->running)
        return running_global_value(scope, variable);
    if (is_among(all->assigned_globals.items, all->assigned_globals.count, variable))
        return UNKNOWN_AMOUNT;
    const char *name = arena_printf(all->arena, "global_%s", name_made_legal(all, variable->name));
    const char *comment = arena_printf(all->arena, "the global variable %s, which is never assigned", variable->name);
    return (Amount){parameter_make(all, name, NULL, NULL, comment), type_is_whole(variable->type)};
}

Amount variable_value(const Scope *scope, const SourceVariable *variable)
{
    if (variable->is_constant && !isnan(variable->value))
        return amount_number(scope->space, variable->value);
    if (variable->is_global)
        return global_value(scope, variable);
    const VariableValue *entry = variable_entry(scope, variable);
    return entry ? entry->value : UNKNOWN_AMOUNT;
}

/* Sub-models hold values of globals, so they are made anew when a global changes. What a sub-model
 * assigns to a global isn't known from then on. */
static void running_global_set(Scope *scope, const SourceVariable *variable, Amount value)
{
    Generator *all = scope->all;
    Scope *runs = all->running->scope;
    VariableValue *entry = variable_entry(runs, variable);
    if (scope != runs)
        value = UNKNOWN_AMOUNT;
    if (!entry) {
        *vec_push(&runs->values) = (VariableValue){.variable = variable, .value = value};
        all->made.count = 0;
        return;
    }
    if (entry->value.expr != value.expr)
        all->made.count = 0;
    entry->value = value;
    entry->target = NULL;
}

void variable_set(Scope *scope, const SourceVariable *variable, Amount value)
{
    if (is_among(scope->escaped.items, scope->escaped.count, variable))
        value = UNKNOWN_AMOUNT;
    if (variable->is_global) {
        if (scope->all->running)
            running_global_set(scope, variable, value);
        return;
    }
    VariableValue *entry = variable_entry(scope, variable);
    if (!entry) {
        *vec_push(&scope->values) = (VariableValue){.variable = variable, .value = value};
        return;
    }
    entry->value = value;
    entry->target = NULL;
}

void variable_assign(Scope *scope, const SourceVariable *variable, Amount value)
{
    const Running *running = scope->all->running;
    double number;
    if (running && scope == running->scope && !value.expr)
        value = running->given_value(running, variable->name);
    else if (running && !type_is_whole(variable->type) && amount_is_number(value, &number))
        value = amount_number(scope->space, number);
    variable_set(scope, variable, value);
}

Snapshot variables_save(const Scope *scope)
{
    return (Snapshot){vec_copy(&scope->values, scope->all->arena), scope->values.count};
}

void variables_restore(Scope *scope, const Snapshot *snapshot)
{
    scope->values.count = 0;
    for (size_t i = 0; i < snapshot->count; i++)
        *vec_push(&scope->values) = snapshot->items[i];
}

static const VariableValue *find_same(const VariableValue *items, size_t count, const VariableValue *value)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].variable == value->variable &&
            (items[i].part && value->part ? strcmp(items[i].part, value->part) == 0 : items[i].part == value->part))
            return &items[i];
    return NULL;
}

bool same_target(const Place *a, const Place *b)
{
    return a == b || (a && b && a->variable == b->variable && strcmp(a->part, b->part) == 0);
}

bool variable_is_escaped(const Scope *scope, const SourceVariable *variable)
{
    return is_among(scope->escaped.items, scope->escaped.count, variable);
}

/* Nothing is known of a variable to which a reference may point, or not. */
void variable_escape(Scope *scope, const Place *target)
{
    if (!target || is_among(scope->escaped.items, scope->escaped.count, target->variable))
        return;
    *vec_push(&scope->escaped) = target->variable;
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == target->variable)
            scope->values.items[i].value = UNKNOWN_AMOUNT;
    if (target->variable->is_global)
        variable_set(scope, target->variable, UNKNOWN_AMOUNT);
}

void variables_merge(Scope *scope, const Snapshot *otherwise, const Ordering *ordering, const Expr *exact)
{
    double holds;
    if (exact && expr_is_number(exact, &holds)) {
        if (holds <= 0)
            variables_restore(scope, otherwise);
        return;
    }
    size_t n = scope->values.count;
    for (size_t i = 0; i < n; i++) {
        VariableValue *value = &scope->values.items[i];
        const VariableValue *other = find_same(otherwise->items, otherwise->count, value);
        value->value =
            amount_chosen(scope->space, ordering, exact, value->value, other ? other->value : UNKNOWN_AMOUNT);
        const Place *target = value->target;
        if (other && same_target(target, other->target))
            continue;
        value->target = NULL;
        variable_escape(scope, target);
        variable_escape(scope, other ? other->target : NULL);
    }
    for (size_t i = 0; i < otherwise->count; i++)
        if (!find_same(scope->values.items, n, &otherwise->items[i])) {
            *vec_push(&scope->values) =
                (VariableValue){.variable = otherwise->items[i].variable, .part = otherwise->items[i].part};
            variable_escape(scope, otherwise->items[i].target);
        }
}

void variables_forget_symbol(Scope *scope, const char *symbol)
{
    for (size_t i = 0; i < scope->values.count; i++) {
        Amount *value = &scope->values.items[i].value;
        if (value->expr && expr_has_symbol(value->expr, symbol))
            *value = UNKNOWN_AMOUNT;
    }
}

void variables_forget(Scope *scope, const AssignedSet *set)
{
    for (size_t i = 0; i < set->items.count; i++)
        variable_set(scope, set->items.items[i].variable, UNKNOWN_AMOUNT);
}
