/* SPDX-License-Identifier: BSD-3-Clause */
/* The seconds of operations that a process executes one after the other: operations and loops, with
 * the middle of each cost's interval. All values are known, except parameters that the user
 * gives. If a rewriter replaces operations, then it is told of each stretch to which function or loop it belongs. */
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
    bool is_byte = operation == CPU_ALLOCATE && type != CPU_REFERENCE;
    if (!world->options->costs)
        return expr_rational(all->space, is_byte ? 0 : 1, 1000000000);
    const Expr **known = &world->operation_costs[operation][type];
    if (*known)
        return *known;
    Interval cost = cpu_cost(world->options->costs, operation, type, 0);
    if (cost.high < cost.low) {
        if (!all->failed) {
            err_set(all->err, ERR_INPUT, "the machine model lacks the cost of the operation %s", node->name);
            err_hint(all->err, "measure it with `firma machine cpu`, or write it into the machine model");
        }
        all->failed = true;
        return expr_integer(all->space, 0);
    }
    return *known = expr_real(all->space, cost.low + (cost.high - cost.low) / 2);
}

static PamelaModel model_of(const World *world)
{
    const Generator *all = &world->all;
    return (PamelaModel){.space = all->space, .n_subs = all->subs.count, .subs = all->subs.items};
}

static const Expr *sub_cost(World *world, const PamelaSub *sub)
{
    const ProcessesRewriter *rewriter = world->options->rewriter;
    const PamelaModel model = model_of(world);
    for (size_t i = 0; i < world->sub_costs.count; i++)
        if (strcmp(world->sub_costs.items[i].name, sub->name) == 0)
            return world->sub_costs.items[i].cost;
    const Expr *cost = cost_of(world, rewriter ? rewriter->rewrite_sub(rewriter, &model, sub) : sub->body);
    *vec_push(&world->sub_costs) = (SubCost){sub->name, cost};
    return cost;
}

static const Expr *call_cost(World *world, const PamelaNode *node)
{
    const PamelaSub *sub = sub_find(&world->all, node->name);
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

/* Binds the symbols of a cost. */
static ExprBinding *bind(World *world, const Expr *cost, size_t *n)
{
    Generator *all = &world->all;
    const char *const *names;
    double number;
    *n = expr_symbols(all->space, cost, &names);
    ExprBinding *bindings = arena_new_array(all->arena, ExprBinding, *n);
    for (size_t i = 0; i < *n; i++) {
        names_add(&world->asked, names[i], 1);
        if (!parameter_value(world, names[i], &number))
            fail_missing(world, names[i]);
        bindings[i] = (ExprBinding){names[i], {number, number}};
    }
    return bindings;
}

static double evaluate(World *world, const Expr *cost, const ExprBinding *bindings, size_t n)
{
    Generator *all = &world->all;
    Interval value = {0, 0};
    double number;
    if (expr_is_number(cost, &number))
        return number;
    if (!all->failed && !expr_evaluate(cost, bindings, n, &value, NULL, all->err))
        all->failed = true;
    return value.low + (value.high - value.low) / 2;
}

/* The place of a named cost in all amounts. */
static size_t amount_index(World *world, const char *name)
{
    size_t i = 0;
    while (i < world->amounts.count && strcmp(world->amounts.items[i].name, name) != 0)
        i++;
    if (i == world->amounts.count)
        *vec_push(&world->amounts) = (ProcessesAmount){name, 0};
    return i;
}

/* Adds how much a cost contains of each named cost that is counted. It's linear in them. */
static void add_amounts(Run *run, const Expr *cost, ExprBinding *bindings, size_t n, double without)
{
    World *world = run->world;
    const char *counted = world->options->counted;
    for (size_t i = 0; counted && i < n; i++) {
        if (strncmp(bindings[i].name, counted, strlen(counted)) != 0)
            continue;
        size_t index = amount_index(world, bindings[i].name);
        bindings[i].value = (Interval){1, 1};
        while (run->amounts.count <= index)
            *vec_push(&run->amounts) = 0;
        run->amounts.items[index] += evaluate(world, cost, bindings, n) - without;
        bindings[i].value = (Interval){0, 0};
    }
}

void run_flush(Run *run)
{
    World *world = run->world;
    const ProcessesRewriter *rewriter = world->options->rewriter;
    if (!run->block.nodes.count)
        return;
    PamelaNode *node = block_end(&world->all, &run->block);
    const PamelaModel model = model_of(world);
    run->block = (Block){0};
    if (world->all.failed)
        return;
    const Expr *cost = cost_of(world, rewriter ? rewriter->rewrite(rewriter, &model, node, run->unit) : node);
    size_t n;
    ExprBinding *bindings = bind(world, cost, &n);
    double seconds = evaluate(world, cost, bindings, n);
    run->pending_s += seconds;
    add_amounts(run, cost, bindings, n, seconds);
}

/* ---- Where runs of functions, loops and sides begin ---- */

static void mark(Run *run, Scope *scope, PamelaKind kind, const void *origin, int first)
{
    Generator *all = &run->world->all;
    PamelaNode *node = node_new(all, kind), **children = arena_new_array(all->arena, PamelaNode *, 2);
    children[0] = node_new(all, PAMELA_SEQUENCE);
    children[1] = node_new(all, PAMELA_SEQUENCE);
    node->origin = origin;
    node->name = "i";
    node->from = node->to = node->step = expr_integer(all->space, 1);
    node->amount = expr_integer(all->space, first);
    node->children = children;
    node->n_children = kind == PAMELA_IF ? 2 : 1;
    block_append(scope->block, node);
}

const void *unit_begin(Run *run, Scope *scope, const void *unit)
{
    const void *outer = run->unit;
    if (!run->world->options->rewriter)
        return outer;
    run_flush(run);
    run->unit = unit;
    mark(run, scope, PAMELA_SEQ, unit, 1);
    return outer;
}

void unit_end(Run *run, const void *outer)
{
    if (!run->world->options->rewriter)
        return;
    run_flush(run);
    run->unit = outer;
}

static bool is_mark(const PamelaNode *node)
{
    size_t n = 0;
    for (size_t i = 0; i < node->n_children; i++)
        n += node->children[i]->n_children;
    return node->origin && !n;
}

void run_forget(Run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->block.nodes.count; i++)
        if (is_mark(run->block.nodes.items[i]))
            run->block.nodes.items[kept++] = run->block.nodes.items[i];
    run->block.nodes.count = run->block.stretch = kept;
    run->pending_s = 0;
}

void side_begin(Run *run, Scope *scope, const SourceStatement *statement, int side)
{
    if (run->world->options->rewriter)
        mark(run, scope, PAMELA_IF, statement, side == 0);
}
