/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a seq of a loop. The condition is evaluated once before the loop, and once in each
 * iteration (the paper's figure 2). */
#include "cost/source/control.h"

#include "cost/source/chain.h"
#include "cost/source/expression.h"
#include "cost/source/guard.h"
#include "cost/source/jvm/inlining.h"
#include "cost/source/jvm/vectors.h"
#include "cost/source/loops/counting.h"
#include "cost/source/operation.h"
#include "cost/source/program/endless.h"
#include "cost/source/values/part.h"

#include <string.h>

/* A name for the index that isn't used here. */
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

/* A loop while its seq is made. */
typedef struct LoopBuild {
    const SourceStatement *statement;
    LoopParts parts;
    AssignedSet assigned;
    Inductions inductions;
    LoopRange range;
    Loop loop;
    unsigned ends; /* of the body, without guards */
} LoopBuild;

static bool leaves_early(const LoopBuild *build)
{
    return build->ends & (ENDS_BREAK | ENDS_FUNCTION);
}

/* The induction if a seq can step like it, else NULL. */
static const Induction *steppable(const Induction *primary)
{
    double amount;
    if (!primary || !primary->start.is_whole || !primary->amount.is_whole || primary->kind != INDUCTION_ADD)
        return NULL;
    return amount_is_number(primary->amount, &amount) ? primary : NULL;
}

static void find_range(Scope *scope, LoopBuild *build)
{
    const Induction *primary = index_variable(&build->parts, &build->inductions);
    const char *name = primary ? primary->variable->name : "i";
    build->loop.index = free_index(scope, name);
    build->range = range_find(scope, &build->parts, &build->inductions, primary, &build->assigned, build->loop.index);
    build->range.may_end_early |= build->range.count.expr && leaves_early(build);
    primary = steppable(primary);
    double amount = 0;
    if (primary)
        amount_is_number(primary->amount, &amount);
    bool is_by_one = amount == 1 || amount == -1;
    bool is_own = primary && build->range.count.expr &&
                  (is_by_one || (amount > 0 && build->range.limit.expr && !build->range.may_end_early));
    build->range.primary = is_own ? primary : NULL;
    if (!is_own && primary && build->range.primary != primary)
        build->loop.index = free_index(scope, "k");
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

static void emit_loop_condition(Scope *scope, const SourceExpression *condition)
{
    bool was_in_condition = scope->in_loop_condition;
    scope->in_loop_condition = true;
    emit_optional(scope, condition);
    scope->in_loop_condition = was_in_condition;
}

/* Applies the condition's effects on known values, without emitting operations. */
static void apply_condition(Scope *scope, const SourceExpression *condition)
{
    Block unused = {0}, *outer = scope->block;
    scope->block = &unused;
    emit_loop_condition(scope, condition);
    scope->block = outer;
    vec_free(&unused.nodes);
}

/* Makes a node of an iteration, which `emit` emits. */
static PamelaNode *make_body(Scope *scope, LoopBuild *build, void (*emit)(Scope *scope, const LoopBuild *build))
{
    Block block = {0}, *outer = scope->block;
    Loop *outer_loop = scope->loop;
    bool was_in_switch = scope->in_switch, was_in_exit = scope->in_exit;
    build->loop.outer = scope->in_exit ? NULL : scope->loop;
    variables_forget(scope, &build->assigned);
    index_set(scope, &build->inductions, build->range.primary, build->loop.index);
    if (!build->parts.tests_last)
        apply_condition(scope, build->parts.condition);
    scope->block = &block;
    scope->loop = &build->loop;
    scope->in_switch = scope->in_exit = false;
    emit(scope, build);
    scope->block = outer;
    scope->loop = outer_loop;
    scope->in_switch = was_in_switch;
    scope->in_exit = was_in_exit;
    return block_end(scope->all, &block);
}

/* Whether the JVM unrolls the loop, so that its index and its condition cost next to nothing. */
static bool is_unrolled(const Scope *scope, const LoopBuild *build)
{
    return is_warm_java(scope->all) && build->range.primary && build->statement->kind == SOURCE_FOR &&
           !(build->ends & (ENDS_BREAK | ENDS_FUNCTION));
}

static void divide_operations(Scope *scope, int lanes)
{
    for (size_t i = 0; i < scope->block->nodes.count && lanes > 1; i++) {
        PamelaNode *node = scope->block->nodes.items[i];
        if (node->kind == PAMELA_OPERATION)
            node->amount = expr_divide(scope->space, node->amount, expr_integer(scope->space, lanes));
    }
}

static void emit_iteration(Scope *scope, const LoopBuild *build)
{
    emit_part(scope, build->parts.body);
    if (is_unrolled(scope, build)) {
        divide_operations(scope, vector_lanes(scope->all, build->parts.body, build->range.primary->variable));
        return;
    }
    emit_optional(scope, build->parts.step);
    emit_loop_condition(scope, build->parts.condition);
}

/* Sets the variables behind the loop. Inductions are known if the loop always runs to its bound. */
static void set_after(Scope *scope, const LoopBuild *build)
{
    variables_forget(scope, &build->assigned);
    if (!build->range.count.expr || leaves_early(build) || build->range.may_end_early)
        return;
    Amount runs = amount_function(scope->space, EXPR_MAX, build->range.count, amount_number(scope->space, 0), true);
    for (size_t i = 0; i < build->inductions.count; i++) {
        const Induction *induction = &build->inductions.items[i];
        if (!induction->in_condition)
            variable_set(scope, induction->variable, induction_value(scope, induction, runs));
    }
}

/* Limits a body that always jumps out to one run. Returns the probability that the code behind the
 * loop is reached. */
static const Expr *limit_to_one(Scope *scope, LoopBuild *build)
{
    Generator *all = scope->all;
    Amount one = amount_number(scope->space, 1), runs = build->range.count;
    if (build->ends & (ENDS_NORMALLY | ENDS_CONTINUE))
        return expr_integer(all->space, 1);
    build->range.may_end_early = false;
    if (runs.expr)
        build->range.count = amount_function(scope->space, EXPR_MIN, runs, one, true);
    else if ((build->statement->kind != SOURCE_FOR_EACH && condition_is_true(build->parts.condition)))
        build->range.count = one;
    build->range.primary = NULL;
    if ((build->ends & ~(unsigned)ENDS_FUNCTION) || !build->range.count.expr)
        return expr_integer(all->space, 1);
    Amount enters = amount_function(scope->space, EXPR_STEP, amount_subtract(scope->space, build->range.count, one),
                                    UNKNOWN_AMOUNT, true);
    return expr_subtract(all->space, one.expr, enters.expr);
}

static const Expr *emit_counted(Scope *scope, LoopBuild *build)
{
    Generator *all = scope->all;
    double count;
    build->inductions = inductions_find(scope, &build->parts, &build->assigned);
    find_range(scope, build);
    if (!build->parts.tests_last)
        emit_loop_condition(scope, build->parts.condition);
    const Expr *reaches = limit_to_one(scope, build);
    if (amount_is_number(build->range.count, &count) && count <= 0)
        return expr_integer(all->space, 1);
    PamelaNode *body = make_body(scope, build, emit_iteration);
    if (!all->options->for_context && amount_is_number(build->range.count, &count) && count == 1 &&
        !build->range.may_end_early && !node_has_symbol(body, build->loop.index))
        block_if(all, scope->block, (Condition){.text = ""}, expr_integer(all->space, 1), body, NULL);
    else
        block_append(scope->block, loop_seq(scope, build->statement, &build->range, build->loop.index, body));
    set_after(scope, build);
    return expr_multiply(all->space, reaches, emit_exits(scope, &build->loop));
}

/* An iteration of for (x : array): loads and assigns an element, and advances the position. */
static void emit_element(Scope *scope, const LoopBuild *build)
{
    CpuType type = build->statement->variable->type;
    emit_operation(scope, CPU_ELEMENT, type);
    emit_operation(scope, CPU_ASSIGN, type);
    emit_part(scope, build->parts.body);
    emit_operation(scope, CPU_SUM, CPU_INT32);
    emit_operation(scope, CPU_COMPARE, CPU_INT32);
}

/* for (x : array): the count is the array's length. */
static const Expr *emit_for_each(Scope *scope, LoopBuild *build)
{
    const SourceStatement *statement = build->statement;
    build->range.count = amount_of(scope, statement->expressions[0]);
    build->range.may_end_early = build->range.count.expr && leaves_early(build);
    build->loop.index = free_index(scope, "i");
    emit_expression(scope, statement->expressions[0]);
    emit_operation(scope, CPU_FIELD, CPU_INT32);
    emit_operation(scope, CPU_COMPARE, CPU_INT32);
    const Expr *reaches = limit_to_one(scope, build);
    PamelaNode *body = make_body(scope, build, emit_element);
    block_append(scope->block, loop_seq(scope, statement, &build->range, build->loop.index, body));
    variables_forget(scope, &build->assigned);
    return expr_multiply(scope->all->space, reaches, emit_exits(scope, &build->loop));
}

const Expr *emit_loop(Scope *scope, const SourceStatement *statement)
{
    SourceStatement *rewritten;
    if (!scope->all->running && endless_rewrite(statement, scope->all->arena, &rewritten))
        return scope->all->emit_list(scope, &rewritten, 1);
    LoopBuild build = {.statement = statement, .parts = loop_parts(statement)};
    build.loop.statement = statement;
    build.loop.assigned = &build.assigned;
    build.loop.hidden_steps = chain_hidden(scope->all, build.parts.body);
    build.loop.is_endless = statement->kind != SOURCE_FOR_EACH && condition_is_true(build.parts.condition);
    build.ends = ends_without_guards(scope, build.parts.body, build.loop.is_endless);
    if (statement->kind == SOURCE_FOR)
        emit_part(scope, statement->children[0]);
    if (build.parts.condition)
        assigned_in_expression(&build.assigned, build.parts.condition);
    if (build.parts.step)
        assigned_in_expression(&build.assigned, build.parts.step);
    assigned_in_statement(&build.assigned, build.parts.body);
    if (statement->kind == SOURCE_FOR_EACH && statement->variable)
        assigned_in_statement(&build.assigned, statement);
    parts_forget(scope, statement);
    const Expr *reaches =
        statement->kind == SOURCE_FOR_EACH ? emit_for_each(scope, &build) : emit_counted(scope, &build);
    parts_forget(scope, statement);
    assigned_free(&build.assigned);
    return reaches;
}
