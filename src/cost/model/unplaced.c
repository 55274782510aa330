/* SPDX-License-Identifier: BSD-3-Clause */
/* T of a model on any number of equal machines, which stays a symbol: see cost_unplaced() in cost.h.
 * Each processor has a machine of its own, so only the master's link and named resources are shared. */
#include "cost/model/cost.h"

#include <string.h>

/* What is added up: NULL: time without contention; "": the master's link; else a resource that `use`
 * names. */
typedef struct Unplaced {
    const PamelaModel *model;
    ExprSpace *space;
    Arena *arena;
    const char *resource;
} Unplaced;

static const Expr *cost(const Unplaced *unplaced, const PamelaNode *node);

static const Expr *zero(const Unplaced *unplaced)
{
    return expr_integer(unplaced->space, 0);
}

static const Expr *parts(const Unplaced *unplaced, const PamelaNode *node)
{
    const Expr *all = zero(unplaced);
    for (size_t i = 0; i < node->n_children; i++) {
        const Expr *part = cost(unplaced, node->children[i]);
        bool is_longest = node->kind == PAMELA_PARALLEL && !unplaced->resource && i;
        all = is_longest ? expr_function(unplaced->space, EXPR_MAX, (const Expr *[]){all, part}, 2)
                         : expr_add(unplaced->space, all, part);
    }
    return all;
}

static const Expr *conditional(const Unplaced *unplaced, const PamelaNode *node)
{
    const Expr *yes = cost(unplaced, node->children[0]);
    const Expr *no = node->n_children > 1 && node->children[1] ? cost(unplaced, node->children[1]) : zero(unplaced);
    return expr_weighted(unplaced->space, node->amount, yes, no, EXPR_WEIGHTED_TERMS);
}

static const Expr *loop(const Unplaced *unplaced, const PamelaNode *node)
{
    const Expr *body = cost(unplaced, node->children[0]);
    const Expr *step = node->step ? node->step : expr_integer(unplaced->space, 1);
    return node->kind == PAMELA_PAR && !unplaced->resource
               ? expr_largest(unplaced->space, node->name, node->from, node->to, body)
               : expr_sum(unplaced->space, node->name, node->from, node->to, step, body);
}

/* A message takes ts + tw*bytes. All messages load the master's link, as if it took part in each. */
static const Expr *message(const Unplaced *unplaced, const PamelaNode *node)
{
    if (unplaced->resource && *unplaced->resource)
        return zero(unplaced);
    return expr_add(unplaced->space, expr_symbol(unplaced->space, "ts"),
                    expr_multiply(unplaced->space, expr_symbol(unplaced->space, "tw"), node->amount));
}

static const Expr *call(const Unplaced *unplaced, const PamelaNode *node)
{
    const PamelaSub *sub = pamela_find(unplaced->model, node->name);
    const Expr *once = expr_substitute(unplaced->space, cost(unplaced, sub->body), sub->parameters, node->arguments,
                                       sub->n_parameters);
    return node->amount ? expr_multiply(unplaced->space, node->amount, once) : once;
}

static const Expr *operation(const Unplaced *unplaced, const PamelaNode *node)
{
    CpuOperation known;
    CpuType type;
    if (unplaced->resource)
        return zero(unplaced);
    const char *name =
        cpu_find(node->name, &known, &type) ? arena_printf(unplaced->arena, "t_%s", node->name) : node->name;
    const Expr *time = expr_symbol(unplaced->space, name);
    return node->amount ? expr_multiply(unplaced->space, node->amount, time) : time;
}

static const Expr *cost(const Unplaced *unplaced, const PamelaNode *node)
{
    switch (node->kind) {
    case PAMELA_SEQUENCE:
    case PAMELA_PARALLEL:
        return parts(unplaced, node);
    case PAMELA_SEQ:
    case PAMELA_PAR:
        return loop(unplaced, node);
    case PAMELA_IF:
        return conditional(unplaced, node);
    case PAMELA_OPERATION:
        return operation(unplaced, node);
    case PAMELA_SEND:
        return message(unplaced, node);
    case PAMELA_USE:
        return !unplaced->resource || strcmp(unplaced->resource, node->name) == 0 ? node->amount : zero(unplaced);
    case PAMELA_DELAY:
        return unplaced->resource ? zero(unplaced) : node->amount;
    case PAMELA_CALL:
        return call(unplaced, node);
    }
    return zero(unplaced);
}

/* The larger of T and the loads of the resources that `use` names below a node. */
static const Expr *with_resources(Unplaced *unplaced, const PamelaNode *root, const PamelaNode *node, const Expr *time)
{
    if (node->kind == PAMELA_USE) {
        unplaced->resource = node->name;
        time = expr_function(unplaced->space, EXPR_MAX, (const Expr *[]){time, cost(unplaced, root)}, 2);
    }
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i])
            time = with_resources(unplaced, root, node->children[i], time);
    return time;
}

const Expr *cost_unplaced(const PamelaModel *model, const PamelaSub *main, Arena *arena)
{
    Unplaced unplaced = {model, model->space, arena, NULL};
    const Expr *time = cost(&unplaced, main->body);
    unplaced.resource = "";
    const Expr *link = cost(&unplaced, main->body);
    time = expr_function(model->space, EXPR_MAX, (const Expr *[]){time, link}, 2);
    for (size_t i = 0; i < model->n_subs; i++)
        time = with_resources(&unplaced, main->body, model->subs[i].body, time);
    return time;
}
