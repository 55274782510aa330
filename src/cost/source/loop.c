/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops to seq: the condition is evaluated once before the loop and once in each iteration, as in figure 2 of the
 * paper. */
#include "cost/source/control.h"

#include "cost/source/counting.h"
#include "cost/source/expression.h"
#include "cost/source/operation.h"

#include <string.h>

/* A name for the index that means nothing else here. */
static const char *free_index(const Scope *scope, const char *wanted)
{
    Generator *all = scope->all;
    const char *base = name_made_legal(all, wanted), *name = base;
    for (unsigned n = 2;; n++) {
        bool is_taken = false;
        for (size_t i = 0; i < scope->function->n_parameters; i++)
            is_taken |= strcmp(name_made_legal(all, scope->function->parameters[i]->name), name) == 0;
        for (const Loop *loop = scope->loop; loop; loop = loop->outer)
            is_taken |= strcmp(loop->index, name) == 0;
        if (!is_taken)
            return name;
        name = arena_printf(all->arena, "%s_%u", base, n);
    }
}

/* A loop in the making. */
typedef struct Making {
    const SourceStatement *statement;
    LoopParts parts;
    AssignedSet assigned;
    Inductions inductions;
    LoopRange range;
    Loop loop;
    unsigned ends; /* of the body */
} Making;

/* The index takes its own values where a seq can step as it does. */
static const Induction *steppable(const Induction *primary)
{
    double amount;
    if (!primary || !primary->start.is_whole || !primary->amount.is_whole || primary->kind != INDUCTION_ADD)
        return NULL;
    return amount_is_number(primary->amount, &amount) ? primary : NULL;
}

static void find_range(Scope *scope, Making *making)
{
    const Induction *primary = index_variable(&making->parts, &making->inductions);
    const char *name = primary ? primary->variable->name : "i";
    making->loop.index = free_index(scope, name);
    making->range =
        range_find(scope, &making->parts, &making->inductions, primary, &making->assigned, making->loop.index);
    making->range.may_end_early |= making->range.count.expr && (making->ends & (ENDS_BREAK | ENDS_RETURN));
    primary = steppable(primary);
    double amount = 0;
    if (primary)
        amount_is_number(primary->amount, &amount);
    bool is_by_one = amount == 1 || amount == -1;
    bool is_own = primary && making->range.count.expr &&
                  (is_by_one || (amount > 0 && making->range.limit.expr && !making->range.may_end_early));
    making->range.primary = is_own ? primary : NULL;
    if (!is_own && primary && making->range.primary != primary)
        making->loop.index = free_index(scope, "k");
}

static void emit_part(Scope *scope, SourceStatement *statement)
{
    scope->all->emit_list(scope, &statement, 1);
}

static void emit_optional(Scope *scope, const SourceExpression *expression)
{
    if (expression)
        emit_expression(scope, expression);
}

static void emit_condition(Scope *scope, const SourceExpression *condition)
{
    bool was_in_condition = scope->in_loop_condition;
    scope->in_loop_condition = true;
    emit_optional(scope, condition);
    scope->in_loop_condition = was_in_condition;
}

/* The effects of the condition on what is known, without its operations. */
static void pass_condition(Scope *scope, const SourceExpression *condition)
{
    Block unused = {0}, *outer = scope->block;
    scope->block = &unused;
    emit_condition(scope, condition);
    scope->block = outer;
    vec_free(&unused.nodes);
}

/* What each iteration does, by `emit`, as a node. */
static PamelaNode *make_body(Scope *scope, Making *making, void (*emit)(Scope *scope, const Making *making))
{
    Block block = {0}, *outer = scope->block;
    Loop *outer_loop = scope->loop;
    bool was_in_switch = scope->in_switch, was_in_exit = scope->in_exit;
    making->loop.outer = scope->in_exit ? NULL : scope->loop;
    variables_forget(scope, &making->assigned);
    index_set(scope, &making->inductions, making->range.primary, making->loop.index);
    if (!making->parts.tests_last)
        pass_condition(scope, making->parts.condition);
    scope->block = &block;
    scope->loop = &making->loop;
    scope->in_switch = scope->in_exit = false;
    emit(scope, making);
    scope->block = outer;
    scope->loop = outer_loop;
    scope->in_switch = was_in_switch;
    scope->in_exit = was_in_exit;
    return block_end(scope->all, &block);
}

static void emit_iteration(Scope *scope, const Making *making)
{
    emit_part(scope, making->parts.body);
    emit_optional(scope, making->parts.step);
    emit_condition(scope, making->parts.condition);
}

/* What a loop leaves behind: stepped variables where it always runs to its bound. */
static void set_after(Scope *scope, const Making *making)
{
    variables_forget(scope, &making->assigned);
    if (!making->range.count.expr || (making->ends & (ENDS_BREAK | ENDS_RETURN)) || making->range.may_end_early)
        return;
    Amount runs = amount_function(scope->space, EXPR_MAX, making->range.count, amount_number(scope->space, 0), true);
    for (size_t i = 0; i < making->inductions.count; i++) {
        const Induction *induction = &making->inductions.items[i];
        if (!induction->in_condition)
            variable_set(scope, induction->variable, induction_value(scope, induction, runs));
    }
}

/* A body that always jumps out runs once at most. */
static const Expr *limit_to_one(Scope *scope, Making *making)
{
    Generator *all = scope->all;
    Amount one = amount_number(scope->space, 1), runs = making->range.count;
    if (making->ends & (ENDS_NORMALLY | ENDS_CONTINUE))
        return expr_integer(all->space, 1);
    making->range.may_end_early = false;
    if (runs.expr)
        making->range.count = amount_function(scope->space, EXPR_MIN, runs, one, true);
    else if ((making->statement->kind != SOURCE_FOR_EACH && condition_is_true(making->parts.condition)))
        making->range.count = one;
    making->range.primary = NULL;
    if (making->ends != ENDS_RETURN || !making->range.count.expr)
        return expr_integer(all->space, 1);
    Amount enters = amount_function(scope->space, EXPR_STEP, amount_subtract(scope->space, making->range.count, one),
                                    UNKNOWN_AMOUNT, true);
    return expr_subtract(all->space, one.expr, enters.expr);
}

static const Expr *emit_counted(Scope *scope, Making *making)
{
    Generator *all = scope->all;
    double count;
    making->inductions = inductions_find(scope, &making->parts, &making->assigned);
    find_range(scope, making);
    if (!making->parts.tests_last)
        emit_condition(scope, making->parts.condition);
    const Expr *reaches = limit_to_one(scope, making);
    if (amount_is_number(making->range.count, &count) && count <= 0)
        return expr_integer(all->space, 1);
    PamelaNode *body = make_body(scope, making, emit_iteration);
    if (amount_is_number(making->range.count, &count) && count == 1 && !making->range.may_end_early &&
        !node_has_symbol(body, making->loop.index))
        block_if(all, scope->block, "", NULL, expr_integer(all->space, 1), body, NULL);
    else
        block_append(scope->block, loop_seq(scope, making->statement, &making->range, making->loop.index, body));
    set_after(scope, making);
    return expr_multiply(all->space, reaches, emit_exits(scope, &making->loop));
}

/* Of for (x : array): an element is loaded and assigned, the position goes on. */
static void emit_element(Scope *scope, const Making *making)
{
    CpuType type = making->statement->variable->type;
    emit_operation(scope, CPU_ELEMENT, type);
    emit_operation(scope, CPU_ASSIGN, type);
    emit_part(scope, making->parts.body);
    emit_operation(scope, CPU_SUM, CPU_INT32);
    emit_operation(scope, CPU_COMPARE, CPU_INT32);
}

/* for (x : array): its length is the count. */
static const Expr *emit_for_each(Scope *scope, Making *making)
{
    const SourceStatement *statement = making->statement;
    making->range.count = amount_of(scope, statement->expressions[0]);
    making->range.may_end_early = making->range.count.expr && (making->ends & (ENDS_BREAK | ENDS_RETURN));
    making->loop.index = free_index(scope, "i");
    emit_expression(scope, statement->expressions[0]);
    emit_operation(scope, CPU_FIELD, CPU_INT32);
    emit_operation(scope, CPU_COMPARE, CPU_INT32);
    const Expr *reaches = limit_to_one(scope, making);
    PamelaNode *body = make_body(scope, making, emit_element);
    block_append(scope->block, loop_seq(scope, statement, &making->range, making->loop.index, body));
    variables_forget(scope, &making->assigned);
    return expr_multiply(scope->all->space, reaches, emit_exits(scope, &making->loop));
}

const Expr *emit_loop(Scope *scope, const SourceStatement *statement)
{
    Making making = {.statement = statement, .parts = loop_parts(statement)};
    making.ends = ends_of(making.parts.body);
    if (statement->kind == SOURCE_FOR)
        emit_part(scope, statement->children[0]);
    if (making.parts.condition)
        assigned_in_expression(&making.assigned, making.parts.condition);
    if (making.parts.step)
        assigned_in_expression(&making.assigned, making.parts.step);
    assigned_in_statement(&making.assigned, making.parts.body);
    if (statement->kind == SOURCE_FOR_EACH && statement->variable)
        assigned_in_statement(&making.assigned, statement);
    const Expr *reaches =
        statement->kind == SOURCE_FOR_EACH ? emit_for_each(scope, &making) : emit_counted(scope, &making);
    assigned_free(&making.assigned);
    return reaches;
}
