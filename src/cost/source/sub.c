/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sub-models of functions: one for each function. A recursive function has one of a single call,
 * f_once, and one of all calls that a call leads to: in closed form (recursion.h), or a number of
 * calls. */
#include "cost/source/sub.h"

#include "cost/source/operation.h"
#include "cost/source/recursion/recursion.h"
#include "cost/source/statement.h"
#include "cost/source/values/decided.h"
#include "cost/source/values/part.h"

#include <string.h>

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

static const char *free_name(const Generator *all, const char *wanted)
{
    const char *name = wanted;
    for (unsigned n = 2; is_sub_name(all, name); n++)
        name = arena_printf(all->arena, "%s_%u", wanted, n);
    return name;
}

/* ---- The model of a single call ---- */

/* A function's body as a model, in terms of its parameters' symbols. */
typedef struct Body {
    const char **names; /* [n_parameters] */
    bool *is_used;      /* [n_parameters] the model depends on them */
    PamelaNode *node;
    Amount returned;
    size_t n_parts;
    const PartParameter *parts;
    PartEffects effects, returned_parts;
} Body;

/* Counts the assignment of parameters, and gives them symbols with their names. is_unknown: of these
 * parameters, the value isn't known; NULL: none. */
static void begin_scope(Scope *scope, const char **names, const bool *is_unknown)
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
        bool has_value = !(is_unknown && is_unknown[i]) && !decided_is_unknown(scope, i, "");
        variable_set(scope, parameter, has_value ? value : UNKNOWN_AMOUNT);
    }
}

/* Parts of parameters on which the model, or what the function leaves behind, depends. */
static void keep_parts(Generator *all, const Scope *scope, Body *body)
{
    bool is_entry = all->calls.count == 1;
    body->effects = part_effects(scope);
    body->returned_parts = scope->returned_parts;
    body->parts = vec_copy(&scope->parts, all->arena);
    body->n_parts = is_entry ? 0 : scope->parts.count;
    for (size_t i = 0; is_entry && i < scope->parts.count; i++) {
        const PartParameter *part = &scope->parts.items[i];
        parameter_make(all, part->symbol, NULL, &scope->function->place,
                       arena_printf(all->arena, "%s%s of %s", scope->function->parameters[part->parameter]->name,
                                    strcmp(part->part, "[]") == 0 ? "[0].length" : part->part, scope->function->name));
    }
}

static Body make_body(Generator *all, const SourceFunction *function, const bool *is_unknown, const char *unknown)
{
    Block block = {0};
    Scope scope = {.all = all, .space = all->space, .function = function, .block = &block, .unknown = unknown};
    Body body = {.names = arena_new_array(all->arena, const char *, function->n_parameters),
                 .is_used = arena_new_array(all->arena, bool, function->n_parameters)};
    begin_scope(&scope, body.names, is_unknown);
    emit_list(&scope, &function->body, 1);
    body.returned = scope.returned;
    body.node = block_end(all, &block);
    for (size_t i = 0; i < function->n_parameters; i++)
        body.is_used[i] = node_has_symbol(body.node, body.names[i]);
    keep_parts(all, &scope, &body);
    vec_free(&scope.values);
    vec_free(&scope.escaped);
    vec_free(&scope.parts);
    return body;
}

/* Adds a sub-model with the parameters on which its body depends; the entry has all. */
static void add_sub(Generator *all, const SourceFunction *function, const char *name, const Body *body)
{
    PamelaSub sub = {.name = name, .body = body->node};
    const char **parameters = arena_new_array(all->arena, const char *, function->n_parameters + body->n_parts);
    for (size_t i = 0; i < function->n_parameters; i++)
        if (body->is_used[i])
            parameters[sub.n_parameters++] = body->names[i];
    for (size_t i = 0; i < body->n_parts; i++)
        parameters[sub.n_parameters++] = body->parts[i].symbol;
    sub.parameters = parameters;
    sub.comment = arena_printf(all->arena, "%s: %s", place_text(all, &function->place), function->name);
    *vec_push(&all->subs) = sub;
}

/* ---- Recursion ---- */

static const Expr *count_of(const Generator *all, const PamelaNode *loop)
{
    return expr_sum(all->space, loop->name, loop->from, loop->to, loop->step, expr_integer(all->space, 1));
}

/* Sets the weights of back calls below a node, which is reached with this weight. */
static void weigh(const Generator *all, const PamelaNode *node, const Expr *weight, SelfCall *calls, size_t n)
{
    ExprSpace *space = all->space;
    const Expr *nothing = expr_integer(space, 0);
    for (size_t i = 0; i < n; i++)
        if (calls[i].node == node)
            calls[i].weight = weight;
    if (node->kind == PAMELA_SEQ)
        weight = expr_multiply(space, weight, count_of(all, node));
    for (size_t i = 0; i < node->n_children; i++) {
        const Expr *share = weight;
        if (node->kind == PAMELA_IF)
            share = expr_weighted(space, node->amount, i ? nothing : weight, i ? weight : nothing, EXPR_WEIGHTED_TERMS);
        weigh(all, node->children[i], share, calls, n);
    }
}

/* Removes the marks of back calls. */
static void clean(PamelaNode *node, const SelfCall *calls, size_t n)
{
    PamelaNode **children = (PamelaNode **)node->children;
    size_t kept = 0;
    for (size_t i = 0; i < node->n_children; i++) {
        bool is_mark = false;
        for (size_t j = 0; j < n; j++)
            is_mark |= calls[j].node == children[i];
        if (!is_mark)
            children[kept++] = children[i];
    }
    node->n_children = kept;
    for (size_t i = 0; i < kept; i++)
        clean(children[i], calls, n);
}

/* The function's back calls since the mark. *are_direct: all are in its own body, and happen as often as
 * the same expression says in all iterations of a loop. */
static SelfCall *self_calls(Generator *all, const SourceFunction *function, const GeneratorMark *mark, PamelaNode *node,
                            size_t *n, bool *are_direct)
{
    size_t count = all->back_calls.count - mark->back_calls;
    SelfCall *calls = arena_new_array(all->arena, SelfCall, count);
    *n = 0;
    *are_direct = true;
    for (size_t i = mark->back_calls; i < all->back_calls.count; i++) {
        const BackCall *back = &all->back_calls.items[i];
        if (back->function != function)
            continue;
        calls[(*n)++] = (SelfCall){back->node, back->arguments, NULL};
        *are_direct = *are_direct && back->is_direct;
    }
    weigh(all, node, expr_integer(all->space, 1), calls, *n);
    for (size_t i = 0; i < *n; i++)
        *are_direct = *are_direct && calls[i].weight;
    clean(node, calls, *n);
    for (size_t i = mark->subs; i < all->subs.count; i++)
        clean(all->subs.items[i].body, calls, *n);
    return calls;
}

/* The part of a function's call that is inside of a recursion of other functions stays for them. */
static void drop_back_calls(Generator *all, const SourceFunction *function, const GeneratorMark *mark)
{
    size_t kept = mark->back_calls;
    for (size_t i = mark->back_calls; i < all->back_calls.count; i++)
        if (all->back_calls.items[i].function != function)
            all->back_calls.items[kept++] = all->back_calls.items[i];
    all->back_calls.count = kept;
}

/* Parameters that aren't the same in all calls of a recursion. */
static bool *changed_parameters(const Generator *all, const SourceFunction *function, const Body *body,
                                const SelfCall *calls, size_t n, bool are_direct)
{
    bool *is_changed = arena_new_array(all->arena, bool, function->n_parameters);
    for (size_t i = 0; i < function->n_parameters; i++) {
        is_changed[i] = !are_direct;
        for (size_t j = 0; j < n; j++)
            is_changed[i] |= calls[j].arguments[i] != expr_symbol(all->space, body->names[i]);
    }
    return is_changed;
}

/* Replaces the paper's rule in a finding. */
static const char *fitted_message(Generator *all, const char *message)
{
    const char *rule = strstr(message, ": 1/2");
    return arena_printf(all->arena, "%.*s: as the number of calls needs it", (int)(rule ? rule - message : 0), message);
}

/* C calls make C - 1 calls. If only probabilities decide whether a call makes further ones, they have the
 * value, the same for all, that agrees with this. */
static void fit_probabilities(Generator *all, const Expr *calls, const SelfCall *self, size_t n)
{
    ExprSpace *space = all->space;
    const Expr *weight = expr_integer(space, 0), *one = expr_integer(space, 1), *half = expr_rational(space, 1, 2);
    const char *const *names;
    for (size_t i = 0; i < n; i++)
        weight = self[i].weight ? expr_add(space, weight, self[i].weight) : weight;
    size_t n_names = expr_symbols(space, weight, &names);
    const Expr **with = arena_new_array(all->arena, const Expr *, n_names);
    const Expr *values[3] = {expr_integer(space, 0), half, one};
    for (size_t i = 0; i < n_names; i++)
        if (strncmp(names[i], "Q_", 2) != 0)
            return;
    for (int i = 0; i < 3; i++) {
        for (size_t j = 0; j < n_names; j++)
            with[j] = values[i];
        values[i] = expr_substitute(space, weight, names, with, n_names);
    }
    const Expr *slope = expr_subtract(space, values[2], values[0]);
    bool is_affine =
        expr_subtract(space, expr_multiply(space, expr_integer(space, 2), values[1]), values[0]) == values[2];
    if (!n_names || !is_affine || slope == expr_integer(space, 0))
        return;
    const Expr *mean = expr_subtract(space, one, expr_divide(space, one, calls));
    const Expr *fitted = expr_divide(space, expr_subtract(space, mean, values[0]), slope);
    for (size_t i = 0; i < all->parameters.count; i++)
        for (size_t j = 0; j < n_names; j++)
            if (strcmp(all->parameters.items[i].name, names[j]) == 0 && all->parameters.items[i].value == half)
                all->parameters.items[i].value = fitted;
    for (size_t i = 0; i < all->findings.count; i++)
        for (size_t j = 0; j < n_names; j++)
            if (all->findings.items[i].parameter && strcmp(all->findings.items[i].parameter, names[j]) == 0)
                all->findings.items[i].message = fitted_message(all, all->findings.items[i].message);
}

/* The number of calls on the levels that --depth allows. */
static const Expr *levels_of(Generator *all, const SourceFunction *function, const SelfCall *calls, size_t n)
{
    ExprSpace *space = all->space;
    unsigned depth = all->options->recursion_depth;
    const Expr *weight = expr_integer(space, 0), *level = expr_symbol(space, "level"), *one = expr_integer(space, 1);
    for (size_t i = 0; i < n; i++)
        weight = calls[i].weight ? expr_add(space, weight, calls[i].weight) : weight;
    const Expr *number = weight == one ? one : expr_function(space, EXPR_POW, (const Expr *[]){weight, level}, 2);
    finding_add(all, &function->place, NULL,
                arena_printf(all->arena, "calls of %s nested deeper than %u aren't counted", function->name, depth));
    all->findings.items[all->findings.count - 1].leaves_out = true;
    return expr_sum(space, "level", expr_integer(space, 0), expr_integer(space, depth - 1), one, number);
}

/* The sub-model of all calls of a recursion: `number` times that of one call. */
static Body many_calls(Generator *all, const SourceFunction *function, const Body *one, const char *once,
                       const Expr *number)
{
    Block block = {0};
    Body body = *one;
    PamelaNode *node = node_new(all, PAMELA_CALL);
    const Expr **arguments = arena_new_array(all->arena, const Expr *, function->n_parameters);
    node->name = once;
    node->amount = number;
    for (size_t i = 0; i < function->n_parameters; i++)
        if (one->is_used[i])
            arguments[node->n_arguments++] = expr_symbol(all->space, one->names[i]);
    node->arguments = arguments;
    block_append(&block, node);
    body.node = block_end(all, &block);
    return body;
}

/* Without a closed form: the number of calls of the levels that --depth allows, or a parameter. */
static Body make_uncounted(Generator *all, const SourceFunction *function, const char *once, const bool *is_changed)
{
    GeneratorMark mark = generator_mark(all);
    size_t n;
    bool are_direct;
    const Expr *number = NULL;
    if (!all->options->recursion_depth)
        count_add(all, &(AnalysisCount){.parameter = name_of_place(all, "calls", "", &function->place),
                                        .kind = COUNT_CALLS,
                                        .place = function->place,
                                        .function = function});
    if (!all->options->recursion_depth)
        number = parameter_of_place(
            all, "calls", "", &function->place, NULL,
            arena_printf(all->arena,
                         "mean number of calls of %s, with its own calls, each time it is called from elsewhere",
                         function->name));
    Body one = make_body(all, function, is_changed, "");
    const SelfCall *calls = self_calls(all, function, &mark, one.node, &n, &are_direct);
    if (number)
        fit_probabilities(all, number, calls, n);
    else
        number = levels_of(all, function, calls, n);
    drop_back_calls(all, function, &mark);
    add_sub(all, function, once, &one);
    return many_calls(all, function, &one, once, number);
}

/* The sub-model of one call, and one of all calls of the recursion. */
static Body make_recursive(Generator *all, const SourceFunction *function, const char *name, const SourcePlace *call)
{
    GeneratorMark mark = generator_mark(all);
    Body one = make_body(all, function, NULL, ""), whole = one;
    size_t n;
    bool are_direct;
    const char *once = free_name(all, arena_printf(all->arena, "%s_once", name));
    const char *many = free_name(all, arena_printf(all->arena, "%s_calls", name));
    const SelfCall *calls = self_calls(all, function, &mark, one.node, &n, &are_direct);
    const Recursion recursion = {all, function, one.names, one.is_used, one.node, n, calls};
    if (!n || all->failed)
        return one;
    PamelaNode *closed = are_direct ? recursion_close(&recursion, once, many, call) : NULL;
    if (!closed) {
        const bool *is_changed = changed_parameters(all, function, &one, calls, n, are_direct);
        generator_return_to(all, &mark);
        return make_uncounted(all, function, once, is_changed);
    }
    drop_back_calls(all, function, &mark);
    add_sub(all, function, once, &one);
    Block block = {0};
    block_append(&block, closed);
    whole.node = block_end(all, &block);
    for (size_t i = 0; i < function->n_parameters; i++)
        whole.is_used[i] = node_has_symbol(whole.node, one.names[i]);
    return whole;
}

/* ---- All functions ---- */

/* The active functions that this one calls back. */
static const char *inside_of(Generator *all, const SourceFunction *function)
{
    const char *inside = "";
    for (size_t i = 0; i < all->calls.count; i++)
        if (calls_reach(all, function, all->calls.items[i].function))
            inside = arena_printf(all->arena, "%s %s", inside, all->calls.items[i].function->name);
    return inside;
}

/* Makes a sub-model, and returns its index in `made`. */
static size_t make(Generator *all, const SourceFunction *function, const SourcePlace *call, const char *inside,
                   const char *unknown)
{
    bool is_recursive = calls_reach(all, function, function), is_entry = !all->calls.count;
    MadeSub made = {.function = function,
                    .inside = inside,
                    .unknown = unknown,
                    .name = free_name(all, name_made_legal(all, function->name))};
    *vec_push(&all->calls) = (ActiveCall){function, *call, made.name};
    Body body = is_recursive ? make_recursive(all, function, made.name, call) : make_body(all, function, NULL, unknown);
    for (size_t i = 0; i < function->n_parameters; i++)
        body.is_used[i] |= is_entry;
    add_sub(all, function, made.name, &body);
    all->calls.count--;
    made.names = body.names;
    made.is_used = body.is_used;
    made.n_parts = body.n_parts;
    made.parts = body.parts;
    made.effects = body.effects;
    made.returned_parts = body.returned_parts;
    made.returned = is_recursive ? UNKNOWN_AMOUNT : body.returned;
    *vec_push(&all->made) = made;
    return all->made.count - 1;
}

bool sub_make(Generator *all, const SourceFunction *function, const SourcePlace *call, const char *unknown,
              MadeSub *made)
{
    if (all->failed)
        return false;
    if (calls_reach(all, function, function)) /* its arguments are followed from call to call */
        unknown = "";
    const char *inside = inside_of(all, function);
    for (size_t i = 0; i < all->made.count; i++)
        if (all->made.items[i].function == function && strcmp(all->made.items[i].inside, inside) == 0 &&
            strcmp(all->made.items[i].unknown, unknown) == 0) {
            *made = all->made.items[i];
            return true;
        }
    size_t index = make(all, function, call, inside, unknown);
    *made = all->made.items[index];
    return !all->failed;
}
