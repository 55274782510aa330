/* SPDX-License-Identifier: BSD-3-Clause */
/* See scope.h. */
#include "cost/source/scope.h"

#include <math.h>
#include <string.h>

static bool is_among(const SourceVariable *const *list, size_t count, const SourceVariable *variable)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == variable)
            return true;
    return false;
}

/* A global that is never assigned is a parameter of the model. */
static Amount global_value(const Scope *scope, const SourceVariable *variable)
{
    Generator *all = scope->all;
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
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable)
            return scope->values.items[i].value;
    return UNKNOWN_AMOUNT;
}

void variable_set(Scope *scope, const SourceVariable *variable, Amount value)
{
    if (variable->is_global)
        return;
    if (is_among(scope->escaped.items, scope->escaped.count, variable))
        value = UNKNOWN_AMOUNT;
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable) {
            scope->values.items[i].value = value;
            return;
        }
    *vec_push(&scope->values) = (VariableValue){variable, value};
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

void variables_merge(Scope *scope, const Snapshot *otherwise, const Ordering *ordering, const Expr *exact)
{
    for (size_t i = 0; i < scope->values.count; i++) {
        VariableValue *values = &scope->values.items[i];
        Amount other = UNKNOWN_AMOUNT;
        for (size_t j = 0; j < otherwise->count; j++)
            if (otherwise->items[j].variable == values->variable)
                other = otherwise->items[j].value;
        values->value = amount_chosen(scope->space, ordering, exact, values->value, other);
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
