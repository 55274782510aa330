/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls. Functions with source become sub-models with symbolic arguments. Mathematics, random
 * numbers and allocation are operations. All other functions are named costs. The caller counts
 * call and return; the function counts the assignment of its parameters (the paper's figure 2). */
#include "cost/source/operation.h"

#include "cost/source/communication.h"
#include "cost/source/expression.h"
#include "cost/source/jvm/inlining.h"
#include "cost/source/library.h"
#include "cost/source/program/targets.h"
#include "cost/source/values/decided.h"
#include "cost/source/values/known.h"
#include "cost/source/values/part.h"

#include <string.h>

/* A call whose arguments are found one after the other. */
typedef struct Arguments {
    const SourceExpression *call;
    const MadeSub *made;
    size_t position; /* in the sub-model's parameters */
} Arguments;

/* A parameter of the model, for an argument that isn't an expression in the task's parameters. */
static const Expr *mean_of(Scope *scope, const Arguments *arguments, const char *symbol, const char *what)
{
    Generator *all = scope->all;
    const SourcePlace *place = &arguments->call->place;
    const char *name = name_of_place(all, symbol, "", place);
    bool decides = decided_decides(all, arguments->made->name, arguments->position);
    const char *message = arena_printf(all->arena, "mean of %s of %s%s", what, arguments->made->function->name,
                                       decides ? ", which also decides there" : "");
    finding_add(all, place, name, message);
    return parameter_make(all, name, value_to_give(scope), place, message);
}

static const Expr *argument_of(Scope *scope, const Arguments *arguments, size_t parameter, const Amount *values)
{
    const char *name = arguments->made->function->parameters[parameter]->name;
    if (parameter < arguments->call->n_operands && values[parameter].expr)
        return values[parameter].expr;
    count_add(scope->all, &(AnalysisCount){.parameter = name_of_place(scope->all, name, "", &arguments->call->place),
                                           .kind = COUNT_MEAN,
                                           .place = arguments->call->place,
                                           .expression = arguments->call,
                                           .index = parameter});
    return mean_of(scope, arguments, name, arena_printf(scope->all->arena, "parameter %s", name));
}

static const Expr *part_argument_of(Scope *scope, const Arguments *arguments, const PartParameter *part)
{
    Amount value = scope->all->running ? UNKNOWN_AMOUNT : part_argument(scope, part, arguments->call);
    if (value.expr)
        return value.expr;
    count_add(scope->all,
              &(AnalysisCount){.parameter = name_of_place(scope->all, part->symbol, "", &arguments->call->place),
                               .kind = COUNT_MEAN,
                               .place = arguments->call->place,
                               .expression = arguments->call,
                               .index = (size_t)part->parameter,
                               .is_part = true,
                               .access = part->access});
    return mean_of(scope, arguments, part->symbol, part->symbol);
}

/* A call inside of a call of the same function: the recursion is modelled as a whole (sub.c). */
static void emit_back_call(Scope *scope, const SourceFunction *function, size_t n_values, const Amount *values)
{
    Generator *all = scope->all;
    const Expr **arguments = arena_new_array(all->arena, const Expr *, function->n_parameters);
    PamelaNode *node = node_new(all, PAMELA_SEQUENCE);
    for (size_t i = 0; i < function->n_parameters && i < n_values; i++)
        arguments[i] = values[i].expr;
    *vec_push(&all->back_calls) = (BackCall){function, scope->function == function, node, arguments};
    *vec_push(&scope->block->nodes) = node;
}

static void emit_sub(Scope *scope, const SourceFunction *function, const SourceExpression *call, const Amount *values)
{
    Generator *all = scope->all;
    MadeSub made;
    CpuType type = function->returns_value ? function->return_type : CPU_INT32;
    if (!call_is_inlined(all, function)) {
        emit_operation(scope, CPU_CALL, type);
        emit_operation(scope, CPU_RETURN, type);
    }
    if (call->allocates && all->options->for_context)
        emit_operation(scope, CPU_ALLOCATE, CPU_REFERENCE);
    if (active_calls(all, function)) {
        emit_back_call(scope, function, call->n_operands, values);
        return;
    }
    if (!decided_make(scope, function, call, values, &made))
        return;
    PamelaNode *node = node_new(all, PAMELA_CALL);
    const Expr **arguments = arena_new_array(all->arena, const Expr *, function->n_parameters + made.n_parts);
    node->name = made.name;
    node->amount = expr_integer(all->space, 1);
    Arguments found = {call, &made, 0};
    for (size_t i = 0; i < function->n_parameters; i++)
        if (made.is_used[i])
            arguments[found.position] = argument_of(scope, &found, i, values), found.position++;
    for (size_t i = 0; i < made.n_parts; i++)
        arguments[found.position] = part_argument_of(scope, &found, &made.parts[i]), found.position++;
    node->n_arguments = found.position;
    node->arguments = arguments;
    block_append(scope->block, node);
    if (!all->running)
        part_called(scope, call, &made, values);
}

/* Of what the compiler makes no call. */
static bool is_for_compiler(const char *name)
{
    return strcmp(name, "__builtin_expect") == 0 || strcmp(name, "__builtin_object_size") == 0;
}

static void emit_call_without_source(Scope *scope, const SourceExpression *call, const char *name)
{
    Generator *all = scope->all;
    if (strcmp(all->program->language, "c") == 0 && strcmp(name, "free") == 0) {
        finding_add(all, &call->place, NULL, "free is included in the cost of allocation");
        return;
    }
    if (is_for_compiler(name))
        return;
    if (!all->running)
        part_unseen_call(scope, call);
    const char *parameter = name_made_legal(all, arena_printf(all->arena, "cost_%s", name));
    emit_named_cost(scope, &call->place, parameter,
                    arena_printf(all->arena, "seconds of a call of %s, whose source isn't available", name));
}

/* lround() rounds in its argument's type, and then converts. */
static void emit_known(Scope *scope, const SourceExpression *call, const KnownFunction *known)
{
    bool converts = known->operation == CPU_FLOOR && type_is_whole(call->type) && call->n_operands;
    emit_operation(scope, known->operation,
                   known->operation == CPU_ALLOCATE ? CPU_REFERENCE
                   : converts                       ? call->operands[0]->type
                                                    : call->type);
    emit_allocated_bytes(scope, call);
    if (converts)
        emit_operation(scope, CPU_CAST, call->type);
    if (known->operation == CPU_ALLOCATE && strcmp(known->name, "malloc") != 0)
        finding_add(scope->all, &call->place, NULL, "counts as an allocation, without clearing or copying");
}

static void emit_named(Scope *scope, const SourceExpression *call, const char *name, const Amount *values)
{
    Generator *all = scope->all;
    const SourceFunction *function = source_find(all->program, name);
    const KnownFunction *known = known_find(all->program->language, name);
    if (function) {
        emit_sub(scope, function, call, values);
    } else if (library_emit(scope, call, name, scope->object, values)) {
        if (!all->running)
            part_unseen_call(scope, call);
    } else if (!all->running && communication_emit(scope, call, name, values)) {
        return;
    } else if (known) {
        emit_known(scope, call, known);
    } else {
        emit_call_without_source(scope, call, name);
    }
}

static PamelaNode *target_to_node(Scope *scope, const SourceExpression *call, const char *name, const Amount *values)
{
    Block block = {0}, *outer = scope->block;
    scope->block = &block;
    emit_named(scope, call, name, values);
    scope->block = outer;
    return block_end(scope->all, &block);
}

/* A call that may run one of several functions: each has an equal share. The JVM inlines two at most. */
static void emit_targets(Scope *scope, const SourceExpression *call, const Targets *targets, const Amount *values)
{
    Generator *all = scope->all;
    if (targets->n == 1) {
        emit_named(scope, call, targets->names[0], values);
        return;
    }
    if (is_warm_java(all) && targets->n > 2) {
        emit_operation(scope, CPU_CALL, CPU_INT32);
        emit_operation(scope, CPU_RETURN, CPU_INT32);
    }
    for (size_t i = 0; i < targets->n; i++) {
        const char *name = targets->names[i], *legal = name_made_legal(all, name);
        const Expr *share = parameter_of_place(
            all, "Q", arena_printf(all->arena, "_%s", legal), &call->place,
            expr_rational(all->space, 1, (int64_t)targets->n),
            arena_printf(all->arena, "share of calls of %s: an equal share, 1/%zu", name, targets->n));
        block_if(all, scope->block,
                 (Condition){arena_printf(all->arena, "is %s", legal), place_text(all, &call->place), NULL}, share,
                 target_to_node(scope, call, name, values), NULL);
    }
}

void emit_call(Scope *scope, const SourceExpression *call, const Amount *values)
{
    Generator *all = scope->all;
    if (run_value(scope, call))
        return;
    if (call->never_returns)
        return; /* nothing waits for it */
    Targets targets = targets_find(all->program, call, all->arena);
    if (call->name)
        emit_named(scope, call, call->name, values);
    else if (targets.n)
        emit_targets(scope, call, &targets, values);
    else
        emit_unknown(scope, call);
}
