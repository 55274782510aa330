/* SPDX-License-Identifier: BSD-3-Clause */
/* See operation.h. */
#include "cost/source/operation.h"

void emit_operation(Scope *scope, CpuOperation operation, CpuType type)
{
    emit_operations(scope, operation, type, expr_integer(scope->space, 1));
}

void emit_operations(Scope *scope, CpuOperation operation, CpuType type, const Expr *count)
{
    block_cost(scope->all, scope->block, cpu_name(operation, type, scope->all->arena), count);
}

void emit_named_cost(Scope *scope, const SourcePlace *place, const char *name, const char *message)
{
    Generator *all = scope->all;
    parameter_make(all, name, value_to_give(scope), place, message);
    finding_add(all, place, name, message);
    block_cost(all, scope->block, name, expr_integer(all->space, 1));
}

void emit_unknown(Scope *scope, const SourceExpression *expression)
{
    Generator *all = scope->all;
    const char *text = expression->name ? expression->name : expression->text ? expression->text : "an expression";
    const char *name = name_of_place(all, "cost_unknown", "", &expression->place);
    const char *message = arena_printf(all->arena, "seconds of `%s`, which isn't understood", text);
    emit_named_cost(scope, &expression->place, name, message);
}
