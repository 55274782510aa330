/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of names at a node of a model, and places of operations relative to the selector. See
 * walk.h. */
#include "cost/model/walk.h"

#include "base/vec.h"
#include <inttypes.h>
#include <string.h>

static const Expr *lookup(const Scope *scope, const char *name)
{
    for (; scope; scope = scope->outer)
        if (strcmp(scope->name, name) == 0)
            return scope->value;
    return NULL;
}

const Expr *walk_expr(const Walk *walk, const Expr *expr, const Scope *scope)
{
    const char *const *names;
    size_t n = expr_symbols(walk->space, expr, &names), found = 0;
    const char **from = arena_new_array(walk->arena, const char *, n);
    const Expr **to = arena_new_array(walk->arena, const Expr *, n);
    for (size_t i = 0; i < n; i++) {
        const Expr *value = lookup(scope, names[i]);
        if (!value && walk->platform && strcmp(names[i], "P") == 0)
            value = expr_integer(walk->space, (int64_t)cost_workers(walk->platform));
        if (value) {
            from[found] = names[i];
            to[found++] = value;
        }
    }
    return found ? expr_substitute(walk->space, expr, from, to, found) : expr;
}

const Scope *walk_arguments(const Walk *walk, const PamelaNode *node, const PamelaSub *sub, const Scope *scope)
{
    const Scope *inner = NULL;
    for (size_t i = 0; i < sub->n_parameters; i++) {
        Scope *argument = arena_new_array(walk->arena, Scope, 1);
        *argument = (Scope){inner, sub->parameters[i], walk_expr(walk, node->arguments[i], scope)};
        inner = argument;
    }
    return inner;
}

static bool is_taken(const Walk *walk, const char *name, const PamelaSub *within)
{
    for (size_t i = 0; i < walk->model->n_parameters; i++)
        if (strcmp(walk->model->parameters[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < within->n_parameters; i++)
        if (strcmp(within->parameters[i], name) == 0)
            return true;
    for (size_t i = 0; i < walk->loops.count; i++)
        if (expr_has_symbol(walk->loops.items[i].symbol, name))
            return true;
    return false;
}

const char *walk_free_name(const Walk *walk, const char *wanted, const PamelaSub *within)
{
    const char *name = wanted;
    for (unsigned i = 2; is_taken(walk, name, within); i++)
        name = arena_printf(walk->arena, "%s_%u", wanted, i);
    return name;
}

uint64_t cost_workers(const CostPlatform *platform)
{
    uint64_t n = 0;
    for (size_t i = 0; i < platform->n_groups; i++)
        n += (uint64_t)platform->groups[i].n_machines * platform->groups[i].workers_each;
    return n;
}

/* The kind of all groups, or NULL if they differ. */
static const char *only_kind(const CostPlatform *platform)
{
    for (size_t i = 1; i < platform->n_groups; i++)
        if (strcmp(platform->groups[i].kind, platform->groups[0].kind) != 0)
            return NULL;
    return platform->groups[0].kind;
}

const CostGroup *walk_group(const CostPlatform *platform, int64_t worker, int64_t *last)
{
    *last = 0;
    for (size_t i = 0; i < platform->n_groups; i++) {
        *last += (int64_t)platform->groups[i].n_machines * platform->groups[i].workers_each;
        if (worker <= *last)
            return &platform->groups[i];
    }
    return NULL;
}

static bool refuse(const Walk *walk, const PamelaNode *node, const char *text)
{
    return err_set(walk->err, ERR_INPUT, "%u:%u: %s", node->line, node->column, text);
}

bool walk_check_number(const Walk *walk, const PamelaNode *node, int64_t value)
{
    uint64_t n = cost_workers(walk->platform);
    return (value >= 0 && (uint64_t)value <= n) ||
           refuse(walk, node,
                  arena_printf(walk->arena,
                               "there is no processor %" PRId64 ": 0 is the master, and the workers are 1 to %" PRIu64,
                               value, n)) ||
           err_hint(walk->err, "choose more workers, or let the loop end at P, the number of workers");
}

static const Expr *step(const Walk *walk, const Expr *a, const Expr *b)
{
    return expr_function(walk->space, EXPR_STEP, (const Expr *[]){expr_subtract(walk->space, a, b)}, 1);
}

/* 1 if selector->low <= number <= selector->high, else 0. */
static const Expr *share_of(const Walk *walk, const Expr *number)
{
    const Selector *selector = walk->selector;
    int64_t value;
    if (walk_is_selecting(walk) && expr_is_integer(number, &value) &&
        (value < selector->least || value > selector->most))
        return expr_integer(walk->space, 0);
    return walk_is_selecting(walk) ? expr_multiply(walk->space, step(walk, number, walk->selector->low),
                                                   step(walk, walk->selector->high, number))
                                   : expr_integer(walk->space, 1);
}

bool walk_place(Walk *walk, const Expr *number, const PamelaNode *node, Place *place)
{
    int64_t value, last;
    *place = (Place){.number = number};
    if (!walk->platform)
        return refuse(walk, node, "a task that runs on one processor names a processor");
    if (expr_is_integer(number, &value)) {
        if (!walk_check_number(walk, node, value))
            return false;
        place->is_master = value == 0;
        place->kind = walk_group(walk->platform, value, &last)->kind;
        place->share = share_of(walk, number);
        return true;
    }
    for (size_t i = walk->loops.count; i-- > 0;) {
        const Loop *loop = &walk->loops.items[i];
        if (loop->symbol == number && loop->is_known) {
            place->kind = walk_group(walk->platform, loop->least, &last)->kind;
            place->is_master = loop->most == 0;
            place->share =
                walk_is_selecting(walk) ? expr_integer(walk->space, loop->is_inside) : expr_integer(walk->space, 1);
            return true;
        }
    }
    place->kind = only_kind(walk->platform);
    place->share = share_of(walk, number);
    return place->kind ||
           refuse(walk, node, "the processor depends on parameters, and the machines are of several kinds") ||
           err_hint(walk->err, "name processors by number, or by the index of a loop between two numbers");
}

void walk_loop_open(Walk *walk, const PamelaNode *node, const Scope *scope, const PamelaSub *within, OpenLoop *loop)
{
    loop->from = walk_expr(walk, node->from, scope);
    loop->to = walk_expr(walk, node->to, scope);
    loop->step = node->step ? walk_expr(walk, node->step, scope) : expr_integer(walk->space, 1);
    loop->index = walk_free_name(walk, node->name, within);
    const Expr *symbol = expr_symbol(walk->space, loop->index);
    loop->inner = (Scope){scope, node->name, symbol};
    *vec_push(&walk->loops) = (Loop){.symbol = symbol};
}

void walk_loop_close(Walk *walk)
{
    walk->loops.count--;
}
