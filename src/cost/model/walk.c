/* SPDX-License-Identifier: BSD-3-Clause */
/* See walk.h. Sequential parts add up. Without contention, parallel parts take as long as the
 * longest; on a resource, they add up. An `if` costs Q · one side + (1 - Q) · the other (the paper,
 * sections 2.1 and 4.3). */
#include "cost/model/walk.h"

#include "base/vec.h"
#include "model/cpu.h"
#include <string.h>

static const Expr *number(const Walk *walk, int64_t value)
{
    return expr_integer(walk->space, value);
}

static const Expr *times(const Walk *walk, const Expr *a, const Expr *b)
{
    return expr_multiply(walk->space, a, b);
}

static bool is_time(const Walk *walk)
{
    return walk->selector->kind == SELECT_TIME;
}

/* The part of an operation's cost that the selector counts at this place. */
static const Expr *selected_cost(const Walk *walk, const Expr *cost, const Place *place)
{
    switch (walk->selector->kind) {
    case SELECT_TIME:
    case SELECT_ALL:
        return cost;
    case SELECT_PROCESSOR:
        return times(walk, place->share, cost);
    default:
        return number(walk, 0);
    }
}

static const Expr *times_count(const Walk *walk, const PamelaNode *node, const Scope *scope, const Expr *cost)
{
    return node->amount ? times(walk, walk_expr(walk, node->amount, scope), cost) : cost;
}

static const char *symbol_index(const Walk *walk, const char *kind, const PamelaSub *within)
{
    const char *language = walk->languages ? walk->languages[within - walk->model->subs] : NULL;
    return language ? arena_printf(walk->arena, "%s,%s", kind, language) : kind;
}

static const Expr *operation(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *caller,
                             const PamelaSub *within)
{
    CpuOperation operation;
    CpuType type;
    Place place = *caller;
    const char *name = node->name;
    if (node->processor && !walk_place(walk, walk_expr(walk, node->processor, scope), node, &place))
        return NULL;
    bool is_machines = cpu_find(name, &operation, &type);
    if (is_machines)
        name = arena_printf(walk->arena, "t_%s[%s]", name, symbol_index(walk, place.kind, within));
    const Expr *cost = expr_symbol(walk->space, name);
    /* A named cost may have been passed down. */
    cost = is_machines ? cost : walk_expr(walk, cost, scope);
    return times_count(walk, node, scope, selected_cost(walk, cost, &place));
}

/* The symbol of a link between two kinds, the same in both directions: paths in both directions
 * share it. */
static const Expr *link_symbol(const Walk *walk, const char *what, const Place *a, const Place *b)
{
    const char *first = a->is_master ? "master" : a->kind, *second = b->is_master ? "master" : b->kind;
    bool in_order = a->is_master || (!b->is_master && strcmp(first, second) <= 0);
    return expr_symbol(walk->space, arena_printf(walk->arena, "%s[%s,%s]", what, in_order ? first : second,
                                                 in_order ? second : first));
}

static const Expr *message(Walk *walk, const PamelaNode *node, const Scope *scope)
{
    Place from, to;
    if (!walk_place(walk, walk_expr(walk, node->from, scope), node, &from) ||
        !walk_place(walk, walk_expr(walk, node->to, scope), node, &to))
        return NULL;
    if (walk->platform->without_messages || from.number == to.number)
        return number(walk, 0);
    const Expr *bytes = walk_expr(walk, node->amount, scope);
    const Expr *cost = expr_add(walk->space, link_symbol(walk, "alpha", &from, &to),
                                times(walk, bytes, link_symbol(walk, "beta", &from, &to)));
    if (is_time(walk))
        return cost;
    if (walk->selector->kind != SELECT_LINK)
        return number(walk, 0);
    const Expr *both = times(walk, from.share, to.share);
    return times(walk, cost, expr_subtract(walk->space, expr_add(walk->space, from.share, to.share), both));
}

static const Expr *parts(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
                         const PamelaSub *within)
{
    const Expr *all = number(walk, 0);
    for (size_t i = 0; i < node->n_children; i++) {
        const Expr *part = walk_node(walk, node->children[i], scope, place, within);
        if (!part)
            return NULL;
        all = node->kind == PAMELA_PARALLEL && is_time(walk) && i
                  ? expr_function(walk->space, EXPR_MAX, (const Expr *[]){all, part}, 2)
                  : expr_add(walk->space, all, part);
    }
    return all;
}

static bool has_name_of(const Walk *walk, const Expr *expr, const char *const *beginnings, size_t n)
{
    const char *const *names;
    size_t n_names = expr_symbols(walk->space, expr, &names);
    for (size_t i = 0; i < n_names; i++)
        for (size_t k = 0; k < n; k++)
            if (strncmp(names[i], beginnings[k], strlen(beginnings[k])) == 0)
                return true;
    return false;
}
#define HAS_NAME_OF(walk, expr, ...)                                                                                   \
    has_name_of((walk), (expr), (const char *const[]){__VA_ARGS__},                                                    \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const Expr *surprises(const Walk *walk, const Expr *count, const Place *place, const PamelaSub *within)
{
    const char *name = arena_printf(walk->arena, "t_surprise_int32[%s]", symbol_index(walk, place->kind, within));
    return selected_cost(walk, times(walk, count, expr_symbol(walk->space, name)), place);
}

/* A processor expects what is more frequent. If nothing else tells it the branch's way, it errs with the
 * probability min(q, 1 - q), for which 2q(1 - q) stands here. */
static const Expr *surprises_of_branch(const Walk *walk, const PamelaNode *node, const Expr *q, const Place *place,
                                       const PamelaSub *within)
{
    if (!walk->platform || !walk->platform->with_surprises || !HAS_NAME_OF(walk, node->amount, "Q_"))
        return number(walk, 0);
    const Expr *both = times(walk, q, expr_subtract(walk->space, number(walk, 1), q));
    return surprises(walk, times(walk, number(walk, 2), both), place, within);
}

/* The end of a loop whose number of iterations data tell comes as a surprise. */
static const Expr *surprises_of_loop(const Walk *walk, const PamelaNode *node, const Place *place,
                                     const PamelaSub *within)
{
    bool is_known = !walk->platform || !walk->platform->with_surprises || !node->to ||
                    !HAS_NAME_OF(walk, node->to, "iterations_", "share_");
    return is_known ? number(walk, 0) : surprises(walk, number(walk, 1), place, within);
}

static const Expr *conditional(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
                               const PamelaSub *within)
{
    const Expr *yes = walk_node(walk, node->children[0], scope, place, within);
    const Expr *no = node->n_children > 1 && node->children[1]
                         ? walk_node(walk, node->children[1], scope, place, within)
                         : number(walk, 0);
    if (!yes || !no)
        return NULL;
    const Expr *q = walk_expr(walk, node->amount, scope);
    const Expr *sides = expr_weighted(walk->space, q, yes, no, EXPR_WEIGHTED_TERMS);
    return expr_add(walk->space, sides, surprises_of_branch(walk, node, q, place, within));
}

/* The cost of a sub-model that computes alone, in terms of its own parameters: once for each kind
 * of machine. */
static const Expr *task_cost(Walk *walk, const PamelaSub *sub, const char *kind)
{
    const Selector all = {.kind = is_time(walk) ? SELECT_TIME : SELECT_ALL}, *before = walk->selector;
    for (size_t i = 0; i < walk->tasks.count; i++) {
        const TaskCost *task = &walk->tasks.items[i];
        if (task->sub == sub && task->selector == all.kind && strcmp(task->kind, kind) == 0)
            return task->cost;
    }
    const Place here = {.kind = kind, .share = number(walk, 1)};
    walk->selector = &all;
    const Expr *cost = walk_node(walk, sub->body, NULL, &here, sub);
    walk->selector = before;
    if (cost)
        *vec_push(&walk->tasks) = (TaskCost){sub, kind, all.kind, cost};
    return cost;
}

static const Expr *call(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *caller)
{
    const PamelaSub *sub = pamela_find(walk->model, node->name);
    Place place = *caller;
    if (node->processor && !walk_place(walk, walk_expr(walk, node->processor, scope), node, &place))
        return NULL;
    if (!walk_is_local(walk, sub->body)) {
        const Expr *cost = walk_node(walk, sub->body, walk_arguments(walk, node, sub, scope), &place, sub);
        return cost ? times_count(walk, node, scope, cost) : NULL;
    }
    const Expr *cost = task_cost(walk, sub, place.kind);
    if (!cost)
        return NULL;
    const Expr **arguments = arena_new_array(walk->arena, const Expr *, sub->n_parameters);
    for (size_t i = 0; i < sub->n_parameters; i++)
        arguments[i] = walk_expr(walk, node->arguments[i], scope);
    cost = expr_substitute(walk->space, cost, sub->parameters, arguments, sub->n_parameters);
    return times_count(walk, node, scope, selected_cost(walk, cost, &place));
}

static const Expr *combine(const Walk *walk, const PamelaNode *node, const OpenLoop *loop, const Expr *body)
{
    if (loop->from == loop->to)
        return expr_substitute(walk->space, body, &loop->index, &loop->from, 1);
    if (node->kind == PAMELA_PAR && walk->selector->kind == SELECT_TIME)
        return expr_largest(walk->space, loop->index, loop->from, loop->to, body);
    return expr_sum(walk->space, loop->index, loop->from, loop->to, loop->step, body);
}

static const Expr *cost_over_range(const Walk *walk, const PamelaNode *node, const char *index, const Expr *from,
                                   const Expr *to, const Expr *body)
{
    return combine(walk, node, &(OpenLoop){index, from, to, number(walk, 1), {0}}, body);
}

static const Expr *body_of(Walk *walk, const PamelaNode *node, const char *index, const Loop *loop, const Scope *scope,
                           const Place *place, const PamelaSub *within)
{
    const Scope inner = {scope, node->name, expr_symbol(walk->space, index)};
    *vec_push(&walk->loops) = *loop;
    const Expr *body = walk_node(walk, node->children[0], &inner, place, within);
    walk->loops.count--;
    return body;
}

static const Expr *extreme(const Walk *walk, const Expr *a, const Expr *b, ExprFunction end)
{
    return expr_function(walk->space, end, (const Expr *[]){a, b}, 2);
}

/* The cost of a loop over processors loop.least … loop.most, all of one kind. Processors in the
 * selector's range have their own cost; the others have the cost of parts that run anywhere. */
static const Expr *same_kind_range(Walk *walk, const PamelaNode *node, const char *index, Loop loop, const Scope *scope,
                                   const Place *place, const PamelaSub *within)
{
    const Selector *selector = walk->selector;
    const Expr *low = expr_integer(walk->space, loop.least), *high = expr_integer(walk->space, loop.most);
    const Expr *outside = body_of(walk, node, index, &loop, scope, place, within);
    if (!outside)
        return NULL;
    const Expr *all = cost_over_range(walk, node, index, low, high, outside);
    if (!walk_is_selecting(walk) || selector->most < loop.least || loop.most < selector->least)
        return all;
    loop.is_inside = true;
    const Expr *inside = body_of(walk, node, index, &loop, scope, place, within);
    if (!inside || inside == outside)
        return inside ? all : NULL;
    low = selector->least >= loop.least ? selector->low : extreme(walk, low, selector->low, EXPR_MAX);
    high = selector->most <= loop.most ? selector->high : extreme(walk, high, selector->high, EXPR_MIN);
    return expr_add(walk->space, all,
                    cost_over_range(walk, node, index, low, high, expr_subtract(walk->space, inside, outside)));
}

/* The cost of a loop over processors. The range is cut behind the master, and where the kind of
 * machine changes. */
static const Expr *processor_loop(Walk *walk, const PamelaNode *node, const char *index, int64_t from, int64_t to,
                                  const Scope *scope, const Place *place, const PamelaSub *within)
{
    const Expr *all = NULL;
    const Expr *symbol = expr_symbol(walk->space, index);
    if (!walk_check_number(walk, node, from) || !walk_check_number(walk, node, to))
        return NULL;
    for (int64_t first = from, last; first <= to; first = last + 1) {
        walk_group(walk->platform, first, &last);
        last = first == 0 ? 0 : last;
        const Loop loop = {symbol, first, last < to ? last : to, false, true};
        const Expr *cost = same_kind_range(walk, node, index, loop, scope, place, within);
        if (!cost)
            return NULL;
        bool is_largest = node->kind == PAMELA_PAR && walk->selector->kind == SELECT_TIME;
        all = !all ? cost : is_largest ? extreme(walk, all, cost, EXPR_MAX) : expr_add(walk->space, all, cost);
    }
    return all ? all : expr_integer(walk->space, 0);
}

static const Expr *loop_cost(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
                             const PamelaSub *within)
{
    OpenLoop loop;
    int64_t first, last, by;
    walk_loop_open(walk, node, scope, within, &loop);
    bool numbers_processors = walk->platform && expr_is_integer(loop.from, &first) && expr_is_integer(loop.to, &last) &&
                              expr_is_integer(loop.step, &by) && by == 1 &&
                              walk_names_processor(walk, node->children[0], node->name);
    const Expr *body = NULL;
    if (!numbers_processors)
        body = walk_node(walk, node->children[0], &loop.inner, place, within);
    walk_loop_close(walk);
    if (numbers_processors)
        return processor_loop(walk, node, loop.index, first, last, scope, place, within);
    return body ? expr_add(walk->space, combine(walk, node, &loop, body), surprises_of_loop(walk, node, place, within))
                : NULL;
}

const Expr *walk_node(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
                      const PamelaSub *within)
{
    switch (node->kind) {
    case PAMELA_SEQUENCE:
    case PAMELA_PARALLEL:
        return parts(walk, node, scope, place, within);
    case PAMELA_SEQ:
    case PAMELA_PAR:
        return loop_cost(walk, node, scope, place, within);
    case PAMELA_IF:
        return conditional(walk, node, scope, place, within);
    case PAMELA_OPERATION:
        return operation(walk, node, scope, place, within);
    case PAMELA_SEND:
        return message(walk, node, scope);
    case PAMELA_USE:
        return is_time(walk) || (walk->selector->kind == SELECT_NAMED && strcmp(walk->selector->name, node->name) == 0)
                   ? walk_expr(walk, node->amount, scope)
                   : number(walk, 0);
    case PAMELA_DELAY:
        return is_time(walk) ? walk_expr(walk, node->amount, scope) : number(walk, 0);
    case PAMELA_CALL:
        return call(walk, node, scope, place);
    }
    return NULL;
}
