/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in running statements. Functions of the program run in place, so that firma follows what
 * they assign through references. Calls inside loops that are counted as sums stay sub-models. */
#include "cost/source/expression.h"
#include "cost/source/mpi/run.h"
#include "cost/source/operation.h"
#include "cost/source/program/targets.h"
#include "cost/source/values/command_line.h"

static bool is_mpi(const SourceExpression *call)
{
    return call->name && (strncmp(call->name, "MPI_", 4) == 0 || strncmp(call->name, "PMPI_", 5) == 0);
}

/* Calls that neither communicate nor tell a value that matters for messages. */
static bool is_loud_mpi(const SourceExpression *call)
{
    static const char *const quiet[] = {"MPI_Wtime", "MPI_Wtick", "MPI_Abort"};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (strcmp(call->name, quiet[i]) == 0)
            return false;
    return true;
}

static bool is_loud_function(World *world, const SourceFunction *function)
{
    bool is_new;
    uint64_t *known = map_put(&world->is_loud, (MapKey){0, (uint64_t)(uintptr_t)function}, &is_new);
    if (!is_new)
        return *known == 1;
    *known = 2; /* for recursion */
    bool loud = is_loud(world, function->body);
    *map_put(&world->is_loud, (MapKey){0, (uint64_t)(uintptr_t)function}, NULL) = loud ? 1 : 2;
    return loud;
}

/* Whether one of the functions that a call through a pointer may run calls MPI. */
static bool is_loud_pointer(World *world, const SourceExpression *call)
{
    bool is_new, is_loud_target = false;
    const MapKey key = {0, (uint64_t)(uintptr_t)call};
    uint64_t *known = map_put(&world->is_loud, key, &is_new);
    if (!is_new)
        return *known == 1;
    *known = 2;
    Targets targets = targets_find(world->all.program, call, world->all.arena);
    for (size_t i = 0; i < targets.n && !is_loud_target; i++) {
        const SourceFunction *function = source_find(world->all.program, targets.names[i]);
        is_loud_target = function && is_loud_function(world, function);
    }
    *map_put(&world->is_loud, key, NULL) = is_loud_target ? 1 : 2;
    return is_loud_target;
}

static bool is_loud_call(const SourceExpression *expression, void *self)
{
    World *world = self;
    if (expression->kind != SOURCE_CALL)
        return false;
    if (!expression->name)
        return is_loud_pointer(world, expression);
    const SourceFunction *function = source_find(world->all.program, expression->name);
    return is_mpi(expression) ? is_loud_mpi(expression) : function && is_loud_function(world, function);
}

static bool is_loud_expression(World *world, const SourceExpression *expression)
{
    return source_any_in_expression(expression, is_loud_call, world);
}

bool is_loud(World *world, const SourceStatement *statement)
{
    return source_any_in(statement, is_loud_call, world);
}

/* The function's parameters, from the call's arguments. References are followed. */
static void bind_parameters(Scope *scope, const SourceFunction *function, const SourceExpression *call)
{
    Arena *arena = scope->all->arena;
    size_t n = function->n_parameters;
    Amount *values = arena_new_array(arena, Amount, n);
    Place *targets = arena_new_array(arena, Place, n);
    bool *are_followed = arena_new_array(arena, bool, n);
    for (size_t i = 0; i < n && i < call->n_operands; i++) {
        values[i] = amount_of(scope, call->operands[i]);
        are_followed[i] = function->parameters[i]->type == CPU_REFERENCE &&
                          place_pointed_to(scope, call->operands[i], &targets[i]) &&
                          (*targets[i].part || targets[i].variable != function->parameters[i]);
    }
    for (size_t i = 0; i < n; i++) {
        variable_assign(scope, function->parameters[i], values[i]);
        if (call->n_operands > i && call->operands[i]->is_structure)
            place_copy(scope, &(Place){.variable = function->parameters[i], .part = ""}, call->operands[i]);
        else if (are_followed[i])
            place_bind(scope, function->parameters[i], &targets[i]);
        emit_operation(scope, CPU_ASSIGN, function->parameters[i]->type);
    }
}

static Flow run_function(Run *run, Scope *scope, const SourceFunction *function, const SourceExpression *call)
{
    Generator *all = &run->world->all;
    CpuType type = function->returns_value ? function->return_type : CPU_INT32;
    Scope callee = *scope;
    callee.function = function;
    run->running.scope = &callee;
    const void *outer = unit_begin(run, &callee, function);
    emit_operation(&callee, CPU_CALL, type);
    emit_operation(&callee, CPU_RETURN, type);
    bind_parameters(&callee, function, call);
    *vec_push(&all->calls) = (ActiveCall){function, call->place, function->name};
    run->returned = (RunValue){0};
    Flow flow = run_statement(run, &callee, function->body);
    all->calls.count--;
    unit_end(run, outer);
    scope->values = callee.values;
    scope->escaped = callee.escaped;
    run->running.scope = scope;
    return flow == FLOW_END ? FLOW_END : FLOW_ON;
}

/* ---- Calls in expressions ---- */

static bool has_effect(const SourceExpression *expression, void *self)
{
    (void)self;
    return expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT ||
           (expression->kind == SOURCE_CALL && expression->name);
}

/* Runs what is behind a sequence point: `first`, unless what follows can't tell the difference. */
static Flow run_first(Run *run, Scope *scope, const SourceExpression *first, size_t n, SourceExpression *const *rest)
{
    Flow flow = run_calls(run, scope, first);
    bool matters = source_any_in_expression(first, has_effect, NULL);
    for (size_t i = 0; i < n && !matters; i++)
        matters = source_any_in_expression(rest[i], has_effect, NULL);
    if (flow != FLOW_ON || !matters || first->kind == SOURCE_CALL)
        return flow;
    const RunResult result = {
        first, {amount_of(scope, first), place_followed(scope, first), true, probability_of(scope, first)}};
    emit_expression(scope, first);
    *vec_push(&run->results) = result;
    return run->world->all.failed ? FLOW_END : FLOW_ON;
}

/* Whether the right side of && or || is evaluated. */
static bool reaches_right(Run *run, Scope *scope, const SourceExpression *expression)
{
    double truth;
    bool is_and = operator_is(expression, "&&");
    const Expr *left = probability_of(scope, expression->operands[0]);
    if (left && expr_is_number(left, &truth))
        return is_and == (truth > 0);
    if (is_loud_expression(run->world, expression->operands[1]))
        run_fail(run, &expression->place, "it isn't known whether the call of MPI behind `%s` happens",
                 expression->operator);
    return false;
}

static Flow run_choice(Run *run, Scope *scope, const SourceExpression *expression)
{
    double truth;
    Flow flow = run_first(run, scope, expression->operands[0], 2, expression->operands + 1);
    const Expr *exact = probability_of(scope, expression->operands[0]);
    if (flow != FLOW_ON)
        return flow;
    if (exact && expr_is_number(exact, &truth))
        return run_calls(run, scope, expression->operands[truth > 0 ? 1 : 2]);
    if (is_loud_expression(run->world, expression->operands[1]) ||
        is_loud_expression(run->world, expression->operands[2]))
        run_fail(run, &expression->place, "it isn't known which side of `?:` happens, and it calls MPI");
    return FLOW_ON;
}

/* A function without source may assign what its arguments refer to. */
static void forget_arguments(Scope *scope, const SourceExpression *call)
{
    for (size_t i = 0; i < call->n_operands; i++) {
        const SourceExpression *argument = without_casts(call->operands[i]);
        if (argument->type == CPU_REFERENCE && argument->kind != SOURCE_TEXT)
            place_forget(scope, argument);
    }
}

/* The program's function that is called; NULL: none of its own, or not known which. */
static const SourceFunction *called_function(const Run *run, const Scope *scope, const SourceExpression *call)
{
    const SourceProgram *program = run->world->all.program;
    if (call->name)
        return source_find(program, call->name);
    double number;
    bool is_known = call->callee && amount_is_number(amount_of(scope, call->callee), &number);
    return is_known ? function_of_value(program, number) : NULL;
}

static Flow run_call(Run *run, Scope *scope, const SourceExpression *call)
{
    Generator *all = &run->world->all;
    const SourceFunction *function = called_function(run, scope, call);
    RunValue result = {0};
    Flow flow = FLOW_ON;
    if (call->never_returns && !function)
        return FLOW_END;
    if (!call->name && !function && is_loud_pointer(run->world, call)) {
        run_fail(run, &call->place, "it isn't known which function is called here, and some of them call MPI: `%s`",
                 call->text ? call->text : "");
    } else if (call->name && is_mpi(call)) {
        flow = run_mpi_call(run, scope, call);
    } else if (!function) {
        bool is_done;
        if (call_memory(scope, call, &result.value, &is_done)) {
            if (!is_done)
                return FLOW_ON;
        } else if (!call_reads_words(run, scope, call, &result.value)) {
            if (!call->name || !only_reads(call->name))
                forget_arguments(scope, call);
            return FLOW_ON;
        }
    } else if (!calls_reach(all, function, function) ||
               (!active_calls(all, function) && is_loud_function(run->world, function))) {
        flow = run_function(run, scope, function, call);
        result = run->returned;
    } else if (is_loud_function(run->world, function)) {
        run_fail(run, &call->place, "%s calls itself, and calls MPI, which isn't followed", function->name);
    } else {
        forget_arguments(scope, call); /* counted as in a model */
        return FLOW_ON;
    }
    *vec_push(&run->results) = (RunResult){call, result};
    return run->world->all.failed ? FLOW_END : flow;
}

Flow run_calls(Run *run, Scope *scope, const SourceExpression *expression)
{
    bool is_short = operator_is(expression, "&&") || operator_is(expression, "||");
    bool has_points = is_short || expression->kind == SOURCE_COMMA;
    if (expression->kind == SOURCE_CONDITIONAL)
        return run_choice(run, scope, expression);
    for (size_t i = 0; i < expression->n_operands; i++) {
        size_t next = i + 1, n_rest = expression->n_operands - next;
        if (is_short && i == 1 && !reaches_right(run, scope, expression))
            break;
        Flow flow = has_points && n_rest
                        ? run_first(run, scope, expression->operands[i], n_rest, expression->operands + next)
                        : run_calls(run, scope, expression->operands[i]);
        if (flow != FLOW_ON)
            return flow;
    }
    return expression->kind == SOURCE_CALL ? run_call(run, scope, expression) : FLOW_ON;
}
