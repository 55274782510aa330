/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls: functions whose source is there become sub-models with symbolic arguments; mathematics, random numbers and
 * allocation are operations; all others are named costs. A call's call and return are counted by the caller, the
 * assignment of its parameters by the function, as in figure 2 of the paper. */
#include "cost/source/generate.h"
#include "cost/source/known.h"

#include <string.h>

static bool fail_recursion(Generator *all, const SourceFunction *function, const SourcePlace *call)
{
    const char *chain = "";
    bool is_inside = false;
    for (size_t i = 0; i < all->calls.count; i++) {
        is_inside |= all->calls.items[i].function == function;
        if (is_inside)
            chain = arena_printf(all->arena, "%s%s -> ", chain, all->calls.items[i].function->name);
    }
    all->failed = true;
    err_set(all->err, ERR_INPUT, "%s:%u: %s%s is a recursion, whose depth isn't known", call->file, call->line, chain,
            function->name);
    return err_hint(all->err, "say how deep it's to be followed, as --depth 8");
}

static unsigned active_calls(const Generator *all, const SourceFunction *function)
{
    unsigned count = 0;
    for (size_t i = 0; i < all->calls.count; i++)
        count += all->calls.items[i].function == function;
    return count;
}

/* Of one that is made, or is being made. */
static bool is_sub_name(const Generator *all, const char *name)
{
    bool is_there = false;
    for (size_t i = 0; i < all->made.count; i++)
        is_there |= strcmp(all->made.items[i].name, name) == 0;
    for (size_t i = 0; i < all->calls.count; i++)
        is_there |= strcmp(all->calls.items[i].name, name) == 0;
    return is_there;
}

static const char *sub_name(Generator *all, const SourceFunction *function, unsigned level)
{
    const char *name = name_made_legal(all, function->name);
    if (level > 1)
        name = arena_printf(all->arena, "%s_level_%u", name, level);
    const char *first = name;
    for (unsigned n = 2; is_sub_name(all, name); n++)
        name = arena_printf(all->arena, "%s_%u", first, n);
    return name;
}

/* Parameters are symbols of their names, and are assigned. */
static void begin_scope(Scope *scope, const char **names)
{
    const SourceFunction *function = scope->function;
    AssignedSet set = {0};
    assigned_in_statement(&set, function->body);
    for (size_t i = 0; i < set.addressed.count; i++)
        *vec_push(&scope->escaped) = set.addressed.items[i];
    assigned_free(&set);
    for (size_t i = 0; i < function->n_parameters; i++) {
        const SourceVariable *parameter = function->parameters[i];
        names[i] = name_made_legal(scope->all, parameter->name && *parameter->name ? parameter->name : "unnamed");
        for (size_t j = 0; j < i; j++)
            if (strcmp(names[j], names[i]) == 0)
                names[i] = arena_printf(scope->all->arena, "%s_%zu", names[i], i + 1);
        emit_operation(scope, CPU_ASSIGN, parameter->type);
        /* Its address is taken: what's assigned through it isn't seen, but until then it's what was given. */
        Amount value = {expr_symbol(scope->all->space, names[i]), type_is_whole(parameter->type)};
        variable_set(scope, parameter, value);
    }
}

static void add_sub(Generator *all, const MadeSub *made, const char *const *names, PamelaNode *body)
{
    const SourceFunction *function = made->function;
    PamelaSub sub = {.name = made->name, .body = body};
    const char **parameters = arena_new_array(all->arena, const char *, function->n_parameters);
    bool is_entry = all->calls.count == 1;
    for (size_t i = 0; i < function->n_parameters; i++) {
        made->is_used[i] = is_entry || node_has_symbol(body, names[i]);
        if (made->is_used[i])
            parameters[sub.n_parameters++] = names[i];
    }
    sub.parameters = parameters;
    sub.comment = arena_printf(all->arena, "%s: %s", place_text(all, &function->place), function->name);
    *vec_push(&all->subs) = sub;
}

/* Its index among those made. */
static size_t make(Generator *all, const SourceFunction *function, unsigned level, const SourcePlace *call)
{
    Block block = {0};
    Scope scope = {.all = all, .function = function, .block = &block};
    const char **names = arena_new_array(all->arena, const char *, function->n_parameters);
    MadeSub made = {.function = function,
                    .level = level,
                    .name = sub_name(all, function, level),
                    .names = names,
                    .is_used = arena_new_array(all->arena, bool, function->n_parameters)};
    *vec_push(&all->calls) = (ActiveCall){function, *call, made.name};
    begin_scope(&scope, names);
    emit_statement(&scope, function->body);
    made.returned = scope.returned;
    add_sub(all, &made, names, block_end(all, &block));
    all->calls.count--;
    vec_free(&scope.known);
    vec_free(&scope.escaped);
    *vec_push(&all->made) = made;
    return all->made.count - 1;
}

bool sub_make(Generator *all, const SourceFunction *function, const SourcePlace *call, MadeSub *made)
{
    unsigned level = active_calls(all, function) + 1;
    if (all->failed)
        return false;
    if (level > 1 && !all->options->recursion_depth)
        return fail_recursion(all, function, call);
    if (level > 1 && level > all->options->recursion_depth) {
        finding_add(all, call, NULL,
                    arena_printf(all->arena, "calls of %s deeper than %u aren't counted", function->name,
                                 all->options->recursion_depth));
        return false;
    }
    for (size_t i = 0; i < all->made.count; i++)
        if (all->made.items[i].function == function && all->made.items[i].level == level) {
            *made = all->made.items[i];
            return true;
        }
    size_t index = make(all, function, level, call);
    *made = all->made.items[index];
    return !all->failed;
}

/* An argument that isn't an expression in the task's parameters is a parameter of the model. */
static const Expr *argument_of(Scope *scope, const SourceFunction *function, size_t i, Amount value,
                               const SourceExpression *call)
{
    Generator *all = scope->all;
    if (value.expr)
        return value.expr;
    const char *name = name_of_place(all, function->parameters[i]->name, "", &call->place);
    const char *message =
        arena_printf(all->arena, "mean of parameter %s of %s", function->parameters[i]->name, function->name);
    finding_add(all, &call->place, name, message);
    return parameter_make(all, name, NULL, arena_printf(all->arena, "%s: %s", place_text(all, &call->place), message));
}

static void emit_sub(Scope *scope, const SourceFunction *function, const SourceExpression *call, const Amount *values)
{
    Generator *all = scope->all;
    MadeSub made;
    CpuType type = function->returns_value ? function->return_type : CPU_INT32;
    emit_operation(scope, CPU_CALL, type);
    emit_operation(scope, CPU_RETURN, type);
    if (!sub_make(all, function, &call->place, &made))
        return;
    PamelaNode *node = node_new(all, PAMELA_CALL);
    const Expr **arguments = arena_new_array(all->arena, const Expr *, function->n_parameters);
    node->name = made.name;
    node->amount = expr_integer(all->space, 1);
    for (size_t i = 0; i < function->n_parameters; i++)
        if (made.is_used[i])
            arguments[node->n_arguments++] =
                argument_of(scope, function, i, i < call->n_operands ? values[i] : UNKNOWN_AMOUNT, call);
    node->arguments = arguments;
    block_append(scope->block, node);
}

static void emit_unseen(Scope *scope, const SourceExpression *call)
{
    Generator *all = scope->all;
    const char *name = call->name;
    if (strcmp(all->program->language, "c") == 0 && strcmp(name, "free") == 0) {
        finding_add(all, &call->place, NULL, "free is part of the cost of allocation");
        return;
    }
    if (strcmp(name, "__builtin_expect") == 0)
        return;
    const char *parameter = name_made_legal(all, arena_printf(all->arena, "cost_%s", name));
    emit_named_cost(scope, &call->place, parameter,
                    arena_printf(all->arena, "seconds that a call of %s takes, whose source isn't there", name));
}

void emit_call(Scope *scope, const SourceExpression *call)
{
    Generator *all = scope->all;
    Amount *values = arena_new_array(all->arena, Amount, call->n_operands);
    for (size_t i = 0; i < call->n_operands; i++) {
        values[i] = amount_of(scope, call->operands[i]);
        emit_expression(scope, call->operands[i]);
    }
    const SourceFunction *function = call->name ? source_find(all->program, call->name) : NULL;
    const KnownFunction *known = call->name ? known_find(all->program->language, call->name) : NULL;
    if (!call->name) {
        emit_unknown(scope, call);
    } else if (function) {
        emit_sub(scope, function, call, values);
    } else if (known) {
        emit_operation(scope, known->operation, known->operation == CPU_ALLOCATE ? CPU_REFERENCE : call->type);
        if (known->operation == CPU_ALLOCATE && strcmp(known->name, "malloc") != 0)
            finding_add(all, &call->place, NULL, "an allocation counts as one, without clearing or copying");
    } else {
        emit_unseen(scope, call);
    }
}

/* What the function returns, with the arguments in place of its parameters. */
static Amount of_source(const Scope *scope, const SourceFunction *function, const SourceExpression *call)
{
    Generator *all = scope->all;
    MadeSub made;
    if (!function->returns_value || active_calls(all, function) || !sub_make(all, function, &call->place, &made) ||
        !made.returned.expr)
        return UNKNOWN_AMOUNT;
    const char **names = arena_new_array(all->arena, const char *, function->n_parameters);
    const Expr **with = arena_new_array(all->arena, const Expr *, function->n_parameters);
    size_t count = 0;
    for (size_t i = 0; i < function->n_parameters; i++) {
        const char *name = made.names[i];
        Amount value = i < call->n_operands ? amount_of(scope, call->operands[i]) : UNKNOWN_AMOUNT;
        if (!expr_has_symbol(made.returned.expr, name))
            continue;
        if (!value.expr)
            return UNKNOWN_AMOUNT;
        names[count] = name;
        with[count++] = value.expr;
    }
    return (Amount){expr_substitute(all->space, made.returned.expr, names, with, count), made.returned.is_whole};
}

Amount amount_of_call(const Scope *scope, const SourceExpression *call)
{
    const SourceFunction *function = call->name ? source_find(scope->all->program, call->name) : NULL;
    const KnownFunction *known = call->name && !function ? known_find(scope->all->program->language, call->name) : NULL;
    if (function)
        return of_source(scope, function, call);
    if (call->name && strcmp(call->name, "__builtin_expect") == 0 && call->n_operands)
        return amount_of(scope, call->operands[0]);
    if (!known || known->value == KNOWN_HAS_NO_VALUE || !call->n_operands)
        return UNKNOWN_AMOUNT;
    Amount a = amount_of(scope, call->operands[0]), b = UNKNOWN_AMOUNT;
    if (call->n_operands > 1)
        b = amount_of(scope, call->operands[1]);
    bool rounds = known->value == EXPR_FLOOR || known->value == EXPR_CEIL;
    bool keeps = known->value == EXPR_ABS || known->value == EXPR_MAX || known->value == EXPR_MIN;
    return amount_function(scope, (ExprFunction)known->value, a, b,
                           rounds || (keeps && a.is_whole && (b.is_whole || known->value == EXPR_ABS)));
}
