/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops, names, and processors that loops number. */
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

static const char *free_name(const Walk *walk, const char *wished, const PamelaSub *within)
{
    const char *name = wished;
    for (unsigned i = 2; is_taken(walk, name, within); i++)
        name = arena_printf(walk->arena, "%s_%u", wished, i);
    return name;
}

/* The groups' common kind, or NULL. */
static const char *only_kind(const CostPlatform *platform)
{
    for (size_t i = 1; i < platform->n_groups; i++)
        if (strcmp(platform->groups[i].kind, platform->groups[0].kind) != 0)
            return NULL;
    return platform->groups[0].kind;
}

/* The group of a worker, and which is the group's last. */
static const CostGroup *group_of(const CostPlatform *platform, int64_t worker, int64_t *last)
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

static bool check_number(const Walk *walk, const PamelaNode *node, int64_t value)
{
    uint64_t n = cost_workers(walk->platform);
    return (value >= 0 && (uint64_t)value <= n) ||
           refuse(walk, node,
                  arena_printf(walk->arena,
                               "there is no processor %" PRId64 ": 0 is the master, and there are %" PRIu64 " workers",
                               value, n)) ||
           err_hint(walk->err, "choose more workers, or let the loop end at P, which is how many there are");
}

static bool is_selecting(const Walk *walk)
{
    return walk->selector->kind == SELECT_PROCESSOR || walk->selector->kind == SELECT_LINK;
}

static const Expr *step(const Walk *walk, const Expr *a, const Expr *b)
{
    return expr_function(walk->space, EXPR_STEP, (const Expr *[]){expr_subtract(walk->space, a, b)}, 1);
}

/* 1 where low <= number <= high. */
static const Expr *share_of(const Walk *walk, const Expr *number)
{
    const Selector *selector = walk->selector;
    int64_t value;
    if (is_selecting(walk) && expr_is_integer(number, &value) && (value < selector->least || value > selector->most))
        return expr_integer(walk->space, 0);
    return is_selecting(walk) ? expr_multiply(walk->space, step(walk, number, walk->selector->low),
                                              step(walk, walk->selector->high, number))
                              : expr_integer(walk->space, 1);
}

bool walk_place(Walk *walk, const Expr *number, const PamelaNode *node, Place *place)
{
    int64_t value, last;
    *place = (Place){.number = number};
    if (!walk->platform)
        return refuse(walk, node, "a processor is named in a task that runs alone");
    if (expr_is_integer(number, &value)) {
        if (!check_number(walk, node, value))
            return false;
        place->is_master = value == 0;
        place->kind = group_of(walk->platform, value, &last)->kind;
        place->share = share_of(walk, number);
        return true;
    }
    for (size_t i = walk->loops.count; i-- > 0;) {
        const Loop *loop = &walk->loops.items[i];
        if (loop->symbol == number && loop->is_known) {
            place->kind = group_of(walk->platform, loop->least, &last)->kind;
            place->is_master = loop->most == 0;
            place->share =
                is_selecting(walk) ? expr_integer(walk->space, loop->is_inside) : expr_integer(walk->space, 1);
            return true;
        }
    }
    place->kind = only_kind(walk->platform);
    place->share = share_of(walk, number);
    return place->kind ||
           refuse(walk, node, "which processor this is depends on parameters, and they are not of one kind") ||
           err_hint(walk->err, "name processors by numbers, or by the index of a loop whose ends are numbers");
}

static const Expr *combine(const Walk *walk, const PamelaNode *node, const OpenLoop *loop, const Expr *body)
{
    if (loop->from == loop->to)
        return expr_substitute(walk->space, body, &loop->index, &loop->from, 1);
    if (node->kind == PAMELA_PAR && walk->selector->kind == SELECT_TIME)
        return expr_largest(walk->space, loop->index, loop->from, loop->to, body);
    return expr_sum(walk->space, loop->index, loop->from, loop->to, loop->step, body);
}

static const Expr *over(const Walk *walk, const PamelaNode *node, const char *index, const Expr *from, const Expr *to,
                        const Expr *body)
{
    return combine(walk, node,
                   &(OpenLoop){.index = index, .from = from, .to = to, .step = expr_integer(walk->space, 1)}, body);
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

static const Expr *outer(const Walk *walk, const Expr *a, const Expr *b, ExprFunction end)
{
    return expr_function(walk->space, end, (const Expr *[]){a, b}, 2);
}

/* Processors least … most, all of one kind: those of the selector's range count as such, the others as what they share
 * with all. */
static const Expr *piece(Walk *walk, const PamelaNode *node, const char *index, Loop loop, const Scope *scope,
                         const Place *place, const PamelaSub *within)
{
    const Selector *selector = walk->selector;
    const Expr *low = expr_integer(walk->space, loop.least), *high = expr_integer(walk->space, loop.most);
    const Expr *outside = body_of(walk, node, index, &loop, scope, place, within);
    if (!outside)
        return NULL;
    const Expr *all = over(walk, node, index, low, high, outside);
    if (!is_selecting(walk) || selector->most < loop.least || loop.most < selector->least)
        return all;
    loop.is_inside = true;
    const Expr *inside = body_of(walk, node, index, &loop, scope, place, within);
    if (!inside || inside == outside)
        return inside ? all : NULL;
    low = selector->least >= loop.least ? selector->low : outer(walk, low, selector->low, EXPR_MAX);
    high = selector->most <= loop.most ? selector->high : outer(walk, high, selector->high, EXPR_MIN);
    return expr_add(walk->space, all, over(walk, node, index, low, high, expr_subtract(walk->space, inside, outside)));
}

/* The loop's range, cut where the kind of machine changes, and behind the master. */
static const Expr *pieces(Walk *walk, const PamelaNode *node, const char *index, int64_t from, int64_t to,
                          const Scope *scope, const Place *place, const PamelaSub *within)
{
    const Expr *all = NULL;
    const Expr *symbol = expr_symbol(walk->space, index);
    if (!check_number(walk, node, from) || !check_number(walk, node, to))
        return NULL;
    for (int64_t first = from, last; first <= to; first = last + 1) {
        group_of(walk->platform, first, &last);
        last = first == 0 ? 0 : last;
        const Loop loop = {symbol, first, last < to ? last : to, false, true};
        const Expr *cost = piece(walk, node, index, loop, scope, place, within);
        if (!cost)
            return NULL;
        bool is_largest = node->kind == PAMELA_PAR && walk->selector->kind == SELECT_TIME;
        all = !all ? cost : is_largest ? outer(walk, all, cost, EXPR_MAX) : expr_add(walk->space, all, cost);
    }
    return all ? all : expr_integer(walk->space, 0);
}

void walk_loop_open(Walk *walk, const PamelaNode *node, const Scope *scope, const PamelaSub *within, OpenLoop *loop)
{
    loop->from = walk_expr(walk, node->from, scope);
    loop->to = walk_expr(walk, node->to, scope);
    loop->step = node->step ? walk_expr(walk, node->step, scope) : expr_integer(walk->space, 1);
    loop->index = free_name(walk, node->name, within);
    const Expr *symbol = expr_symbol(walk->space, loop->index);
    loop->inner = (Scope){scope, node->name, symbol};
    *vec_push(&walk->loops) = (Loop){.symbol = symbol};
}

void walk_loop_close(Walk *walk)
{
    walk->loops.count--;
}

const Expr *walk_loop(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
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
        return pieces(walk, node, loop.index, first, last, scope, place, within);
    return body ? combine(walk, node, &loop, body) : NULL;
}
