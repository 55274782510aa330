/* SPDX-License-Identifier: BSD-3-Clause */
/* The seconds of operations that a process executes one after the other: operations and loops, with
 * the middle of each cost's interval. All values are known, except parameters that the user
 * gives. */
#include "cost/source/mpi/run.h"

#include "cost/lang/names.h"
#include <math.h>

static const Expr *cost_of(World *world, const PamelaNode *node);

/* Costs of functions without source count as nothing unless the user gives them: output, clocks. */
static const Expr *operation_cost(World *world, const PamelaNode *node)
{
    Generator *all = &world->all;
    CpuOperation operation;
    CpuType type;
    if (!cpu_find(node->name, &operation, &type))
        return expr_symbol(all->space, node->name);
    bool is_byte = operation == CPU_ALLOCATE && type == CPU_INT8;
    if (!world->options->costs)
        return expr_rational(all->space, is_byte ? 0 : 1, 1000000000);
    Interval cost = cpu_cost(world->options->costs, operation, type, 0);
    if (cost.high < cost.low) {
        if (!all->failed) {
            err_set(all->err, ERR_INPUT, "the machine model lacks the cost of the operation %s", node->name);
            err_hint(all->err, "measure it with `firma machine cpu`, or write it into the machine model");
        }
        all->failed = true;
        return expr_integer(all->space, 0);
    }
    return expr_real(all->space, cost.low + (cost.high - cost.low) / 2);
}

static const PamelaSub *find_sub(const Generator *all, const char *name)
{
    for (size_t i = 0; i < all->subs.count; i++)
        if (strcmp(all->subs.items[i].name, name) == 0)
            return &all->subs.items[i];
    return NULL;
}

static const Expr *sub_cost(World *world, const PamelaSub *sub)
{
    for (size_t i = 0; i < world->sub_costs.count; i++)
        if (strcmp(world->sub_costs.items[i].name, sub->name) == 0)
            return world->sub_costs.items[i].cost;
    const Expr *cost = cost_of(world, sub->body);
    *vec_push(&world->sub_costs) = (SubCost){sub->name, cost};
    return cost;
}

static const Expr *call_cost(World *world, const PamelaNode *node)
{
    const PamelaSub *sub = find_sub(&world->all, node->name);
    if (!sub)
        return expr_integer(world->all.space, 0);
    return expr_substitute(world->all.space, sub_cost(world, sub), sub->parameters, node->arguments, node->n_arguments);
}

static const Expr *sequence_cost(World *world, const PamelaNode *node)
{
    const Expr *sum = expr_integer(world->all.space, 0);
    for (size_t i = 0; i < node->n_children; i++)
        sum = expr_add(world->all.space, sum, cost_of(world, node->children[i]));
    return sum;
}

static const Expr *if_cost(World *world, const PamelaNode *node)
{
    const Expr *yes = cost_of(world, node->children[0]), *no = cost_of(world, node->children[1]);
    return expr_weighted(world->all.space, node->amount, yes, no, EXPR_WEIGHTED_TERMS);
}

static const Expr *cost_of(World *world, const PamelaNode *node)
{
    ExprSpace *space = world->all.space;
    switch (node->kind) {
    case PAMELA_SEQUENCE:
        return sequence_cost(world, node);
    case PAMELA_SEQ:
        return expr_sum(space, node->name, node->from, node->to, node->step ? node->step : expr_integer(space, 1),
                        cost_of(world, node->children[0]));
    case PAMELA_IF:
        return if_cost(world, node);
    case PAMELA_OPERATION:
        return expr_multiply(space, node->amount, operation_cost(world, node));
    case PAMELA_CALL:
        return expr_multiply(space, node->amount, call_cost(world, node));
    default: /* sources have no other nodes */
        return expr_integer(space, 0);
    }
}

static const PamelaParameter *find_parameter(const Generator *all, const char *name)
{
    for (size_t i = 0; i < all->parameters.count; i++)
        if (pamela_is_named(&all->parameters.items[i], name))
            return &all->parameters.items[i];
    return NULL;
}

static bool parameter_value(World *world, const char *name, double *value)
{
    const PamelaParameter *parameter = find_parameter(&world->all, name);
    if (given_find(world, name, value) || (parameter && parameter->place && given_find(world, parameter->place, value)))
        return true;
    if (parameter && parameter->value && expr_is_number(parameter->value, value))
        return true;
    *value = strncmp(name, "share_", 6) == 0 ? 1 : 0;
    return *value > 0 || strncmp(name, "cost_", 5) == 0 || strncmp(name, "length_", 7) == 0;
}

static void fail_missing(World *world, const char *name)
{
    Generator *all = &world->all;
    const PamelaParameter *parameter = find_parameter(all, name);
    const char *note = parameter ? pamela_note(parameter, all->arena) : NULL;
    if (!all->failed) {
        err_set(all->err, ERR_INPUT, "this parameter has no value: %s%s%s%s", name, note ? " (" : "", note ? note : "",
                note ? ")" : "");
        err_hint(all->err, "give it with --set %s=VALUE", name);
    }
    all->failed = true;
}

static double evaluate(World *world, const Expr *cost)
{
    Generator *all = &world->all;
    const char *const *names;
    double number;
    if (expr_is_number(cost, &number))
        return number;
    size_t n = expr_symbols(all->space, cost, &names);
    ExprBinding *bindings = arena_new_array(all->arena, ExprBinding, n);
    for (size_t i = 0; i < n; i++) {
        names_add(&world->asked, names[i], 1);
        if (!parameter_value(world, names[i], &number))
            fail_missing(world, names[i]);
        bindings[i] = (ExprBinding){names[i], {number, number}};
    }
    Interval value = {0, 0};
    if (!all->failed && !expr_evaluate(cost, bindings, n, &value, NULL, all->err))
        all->failed = true;
    return value.low + (value.high - value.low) / 2;
}

void run_flush(Run *run)
{
    World *world = run->world;
    if (!run->block.nodes.count)
        return;
    const PamelaNode *node = block_end(&world->all, &run->block);
    run->block = (Block){0};
    if (!world->all.failed)
        run->pending_s += evaluate(world, cost_of(world, node));
}
