/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sub-models of functions: one for each function, and for recursive ones one for each
 * level. */
#include "cost/source/sub.h"

#include "cost/source/operation.h"
#include "cost/source/statement.h"

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
    err_set(all->err, ERR_INPUT, "%s:%u: %s%s is a recursion of unknown depth", call->file, call->line, chain,
            function->name);
    return err_hint(all->err, "say how deep to follow it, for example --depth 8");
}

/* Whether a finished or active sub-model has this name. */
static bool is_sub_name(const Generator *all, const char *name)
{
    bool is_there = false;
    for (size_t i = 0; i < all->subs.count; i++)
        is_there |= strcmp(all->subs.items[i].name, name) == 0;
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

/* Counts the assignment of parameters, and gives them symbols with their names. */
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
        /* Parameters whose addresses are taken have the argument's value, too, until something may
         * assign them. */
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

/* Makes a sub-model, and returns its index in `made`. */
static size_t make(Generator *all, const SourceFunction *function, unsigned level, const SourcePlace *call)
{
    Block block = {0};
    Scope scope = {.all = all, .space = all->space, .function = function, .block = &block};
    const char **names = arena_new_array(all->arena, const char *, function->n_parameters);
    MadeSub made = {.function = function,
                    .level = level,
                    .name = sub_name(all, function, level),
                    .names = names,
                    .is_used = arena_new_array(all->arena, bool, function->n_parameters)};
    *vec_push(&all->calls) = (ActiveCall){function, *call, made.name};
    begin_scope(&scope, names);
    emit_list(&scope, &function->body, 1);
    made.returned = scope.returned;
    add_sub(all, &made, names, block_end(all, &block));
    all->calls.count--;
    vec_free(&scope.values);
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
                    arena_printf(all->arena, "calls of %s nested deeper than %u aren't counted", function->name,
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
