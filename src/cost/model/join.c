/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins models of batches' tasks to one model.
 *
 * A batch may give a named parameter of its model as a formula in its entry's parameters, such as
 * the share of primes in a task's own range. In PAMELA, such a formula has no scope. So the
 * parameter becomes a parameter of the sub-models that need it, and a new entry passes the formula
 * down:
 *
 *     parameter Q_3                          test(x, Q_3) = if (prime, Q_3) …
 *     test(x) = if (prime, Q_3) …     =>     count(a, b, Q_3) = seq (x = a, b) test(x, Q_3)
 *     count(a, b) = seq (x = a, b) test(x)   primes(a, b) = count(a, b, (pi(b) - pi(a))/(b - a)) */
#include "cost/model/application.h"

#include "base/text.h"
#include <string.h>

/* How the names and parameters of a batch's model change. */
typedef struct Import {
    Joined *joined;
    const CostBatch *batch;
    const PamelaModel *model;
    const char **sub_names; /* [n_subs] */
    const char **from;      /* [n_parameters] renamed symbols */
    const Expr **to;        /* their new names */
    size_t n_renamed;
    const CostValue **values; /* [n_parameters] the batch's values; NULL: none */
    bool *is_passed;          /* [n_parameters] passed down from the entry */
    bool *needs;              /* [n_subs * n_parameters] sub-models that need passed parameters */
    Err *err;
} Import;

static bool has_sub(const Joined *joined, const char *name)
{
    for (size_t i = 0; i < joined->subs.count; i++)
        if (strcmp(joined->subs.items[i].name, name) == 0)
            return true;
    return false;
}

static const PamelaParameter *find_parameter(const Joined *joined, const char *name)
{
    for (size_t i = 0; i < joined->parameters.count; i++)
        if (strcmp(joined->parameters.items[i].name, name) == 0)
            return &joined->parameters.items[i];
    return NULL;
}

static const char *parameter_names(const PamelaModel *model, Arena *arena)
{
    Text names = {0};
    for (size_t i = 0; i < model->n_parameters; i++)
        text_add(&names, "%s`%s`", i ? ", " : "", model->parameters[i].name);
    if (!model->n_parameters)
        text_add(&names, "none");
    return text_take(&names, arena);
}

static bool find_values(Import *import)
{
    for (size_t i = 0; i < import->batch->n_values; i++) {
        const CostValue *value = &import->batch->values[i];
        size_t found = 0;
        for (size_t j = 0; j < import->model->n_parameters; j++)
            if (pamela_is_named(&import->model->parameters[j], value->name)) {
                import->values[j] = value;
                found++;
            }
        if (!found)
            return err_set(import->err, ERR_INPUT, "batch `%s`: its model has no parameter `%s`", import->batch->name,
                           value->name) ||
                   err_hint(import->err, "it has: %s", parameter_names(import->model, import->joined->arena));
    }
    return true;
}

/* Whether a value contains a parameter of the entry, or the number of the task. */
static bool holds_parameter(const PamelaSub *entry, const Expr *value)
{
    if (expr_has_symbol(value, "task"))
        return true;
    for (size_t i = 0; i < entry->n_parameters; i++)
        if (expr_has_symbol(value, entry->parameters[i]))
            return true;
    return false;
}

static bool same_value(const Expr *a, const Expr *b)
{
    return a == b || !a;
}

/* The expression in the application's space. NULL stays NULL. */
static const Expr *imported(const Import *import, const Expr *expr)
{
    return expr && import->model->space != import->joined->space ? expr_import(import->joined->space, expr) : expr;
}

static void add_parameter(Import *import, size_t index)
{
    Joined *joined = import->joined;
    const PamelaParameter *parameter = &import->model->parameters[index];
    const Expr *value = import->values[index] ? import->values[index]->value : imported(import, parameter->value);
    const PamelaParameter *other = find_parameter(joined, parameter->name);
    const char *name = parameter->name;
    if (other && same_value(value, other->value))
        return;
    if (other) {
        name = arena_printf(joined->arena, "%s_%s", import->batch->name, name);
        import->from[import->n_renamed] = parameter->name;
        import->to[import->n_renamed++] = expr_symbol(joined->space, name);
    }
    *vec_push(&joined->parameters) =
        (PamelaParameter){.name = name,
                          .value = value,
                          .comment = parameter->comment,
                          .place = parameter->place,
                          .counted = import->values[index] ? import->values[index]->counted : NULL};
}

static void add_parameters(Import *import)
{
    const PamelaSub *entry = &import->model->subs[import->model->n_subs - 1];
    for (size_t i = 0; i < import->model->n_parameters; i++) {
        import->is_passed[i] = import->values[i] && holds_parameter(entry, import->values[i]->value);
        if (!import->is_passed[i])
            add_parameter(import, i);
    }
}

static bool has(const Expr *expr, const char *name)
{
    return expr && expr_has_symbol(expr, name);
}

/* Whether a node, or something that it calls, needs a parameter. Called sub-models may come later
 * in the text, so find_needs() repeats this until nothing changes. */
static bool needs(const Import *import, const PamelaNode *node, size_t parameter)
{
    const char *name = import->model->parameters[parameter].name;
    if (has(node->from, name) || has(node->to, name) || has(node->step, name) || has(node->amount, name) ||
        has(node->processor, name) || (node->kind == PAMELA_OPERATION && strcmp(node->name, name) == 0))
        return true;
    for (size_t i = 0; i < node->n_arguments; i++)
        if (has(node->arguments[i], name))
            return true;
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i] && needs(import, node->children[i], parameter))
            return true;
    const PamelaSub *sub = node->kind == PAMELA_CALL ? pamela_find(import->model, node->name) : NULL;
    return sub && import->needs[(size_t)(sub - import->model->subs) * import->model->n_parameters + parameter];
}

static void find_needs(Import *import)
{
    size_t n = import->model->n_parameters;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < import->model->n_subs; i++)
            for (size_t j = 0; j < n; j++)
                if (import->is_passed[j] && !import->needs[i * n + j] && needs(import, import->model->subs[i].body, j))
                    changed = import->needs[i * n + j] = true;
    }
}

static const Expr *renamed(const Import *import, const Expr *expr)
{
    expr = imported(import, expr);
    return expr && import->n_renamed
               ? expr_substitute(import->joined->space, expr, import->from, import->to, import->n_renamed)
               : expr;
}

static const char *renamed_operation(const Import *import, const char *name)
{
    for (size_t i = 0; i < import->n_renamed; i++)
        if (strcmp(import->from[i], name) == 0)
            return expr_text(import->to[i], import->joined->arena);
    return name;
}

/* The call's own arguments, and the passed parameters that the called sub-model needs. */
static void import_arguments(const Import *import, PamelaNode *node)
{
    Joined *joined = import->joined;
    size_t n = import->model->n_parameters, count = node->n_arguments;
    size_t sub = (size_t)(pamela_find(import->model, node->name) - import->model->subs);
    const Expr **arguments = arena_new_array(joined->arena, const Expr *, count + n);
    for (size_t i = 0; i < count; i++)
        arguments[i] = renamed(import, node->arguments[i]);
    for (size_t i = 0; i < n; i++)
        if (import->needs[sub * n + i])
            arguments[count++] = expr_symbol(joined->space, import->model->parameters[i].name);
    node->name = import->sub_names[sub];
    node->arguments = arguments;
    node->n_arguments = count;
}

static PamelaNode *import_node(const Import *import, const PamelaNode *node)
{
    Arena *arena = import->joined->arena;
    PamelaNode *copy = arena_new_array(arena, PamelaNode, 1);
    PamelaNode **children = arena_new_array(arena, PamelaNode *, node->n_children);
    *copy = *node;
    const Expr **parts[] = {&copy->from, &copy->to, &copy->step, &copy->amount, &copy->processor};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = renamed(import, *parts[i]);
    if (node->kind == PAMELA_OPERATION)
        copy->name = renamed_operation(import, node->name);
    if (node->kind == PAMELA_CALL)
        import_arguments(import, copy);
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i])
            children[i] = import_node(import, node->children[i]);
    copy->children = children;
    return copy;
}

static void push_sub(Import *import, PamelaSub sub)
{
    *vec_push(&import->joined->subs) = sub;
    *vec_push(&import->joined->languages) = import->batch->language;
}

static void import_sub(Import *import, size_t index)
{
    const PamelaSub *sub = &import->model->subs[index];
    size_t n = import->model->n_parameters, count = sub->n_parameters;
    const char **parameters = arena_new_array(import->joined->arena, const char *, count + n);
    for (size_t i = 0; i < count; i++)
        parameters[i] = sub->parameters[i];
    for (size_t i = 0; i < n; i++)
        if (import->needs[index * n + i])
            parameters[count++] = import->model->parameters[i].name;
    PamelaNode *body = import_node(import, sub->body);
    push_sub(import, (PamelaSub){import->sub_names[index], sub->comment, count, parameters, body});
}

static bool needs_task(const Import *import)
{
    size_t n = import->model->n_parameters, index = import->model->n_subs - 1;
    for (size_t i = 0; i < n; i++)
        if (import->needs[index * n + i] && expr_has_symbol(import->values[i]->value, "task"))
            return true;
    return false;
}

/* The entry's parameters, followed by the number of the task. */
static const char *const *with_task(const PamelaSub *entry, Arena *arena)
{
    const char **parameters = arena_new_array(arena, const char *, entry->n_parameters + 1);
    for (size_t i = 0; i < entry->n_parameters; i++)
        parameters[i] = entry->parameters[i];
    parameters[entry->n_parameters] = "task";
    return parameters;
}

/* Adds an entry that passes the formulas to the original entry. */
static JoinedEntry add_entry(Import *import)
{
    Joined *joined = import->joined;
    size_t n = import->model->n_parameters, index = import->model->n_subs - 1;
    const PamelaSub *entry = &import->model->subs[index];
    const Expr **arguments = arena_new_array(joined->arena, const Expr *, entry->n_parameters + n);
    size_t count = 0;
    for (; count < entry->n_parameters; count++)
        arguments[count] = expr_symbol(joined->space, entry->parameters[count]);
    for (size_t i = 0; i < n; i++)
        if (import->needs[index * n + i])
            arguments[count++] = import->values[i]->value;
    if (count == entry->n_parameters)
        return (JoinedEntry){import->sub_names[index], false};
    PamelaNode *call = arena_new_array(joined->arena, PamelaNode, 1);
    *call = (PamelaNode){
        .kind = PAMELA_CALL, .name = import->sub_names[index], .n_arguments = count, .arguments = arguments};
    const char *name = arena_printf(joined->arena, "%s_task", import->batch->name);
    while (has_sub(joined, name))
        name = arena_printf(joined->arena, "%s_", name);
    bool takes_task = needs_task(import);
    push_sub(import, (PamelaSub){.name = name,
                                 .n_parameters = entry->n_parameters + takes_task,
                                 .parameters = with_task(entry, joined->arena),
                                 .body = call});
    return (JoinedEntry){name, takes_task};
}

bool join_batch(Joined *joined, const CostBatch *batch, JoinedEntry *entry, Err *err)
{
    const PamelaModel *model = batch->model;
    Arena *arena = joined->arena;
    size_t n = model->n_parameters, n_subs = model->n_subs;
    Import import = {.joined = joined,
                     .batch = batch,
                     .model = model,
                     .sub_names = arena_new_array(arena, const char *, n_subs),
                     .from = arena_new_array(arena, const char *, n),
                     .to = arena_new_array(arena, const Expr *, n),
                     .values = arena_new_array(arena, const CostValue *, n),
                     .is_passed = arena_new_array(arena, bool, n),
                     .needs = arena_new_array(arena, bool, n *n_subs),
                     .err = err};
    for (size_t i = 0; i < n_subs; i++) {
        const char *name = model->subs[i].name;
        bool is_taken = has_sub(joined, name) || strcmp(name, "main") == 0;
        import.sub_names[i] = is_taken ? arena_printf(arena, "%s_%s", batch->name, name) : name;
    }
    if (!find_values(&import))
        return false;
    add_parameters(&import);
    find_needs(&import);
    for (size_t i = 0; i < n_subs; i++)
        import_sub(&import, i);
    *entry = add_entry(&import);
    return true;
}
