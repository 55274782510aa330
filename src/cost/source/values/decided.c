/* SPDX-License-Identifier: BSD-3-Clause */
/* See decided.h. */
#include "cost/source/values/decided.h"

#include "cost/source/values/block.h"
#include "cost/source/values/part.h"

#include <string.h>

/* Parameters of a sub-model that are taken together. */
typedef struct Symbols {
    size_t n;
    const char **names;
} Symbols;

/* A sub-model with such parameters, called in a loop whose range they tell or not. Each is looked at once. */
typedef struct Look {
    const PamelaSub *sub;
    Symbols symbols;
    bool grows, only_squares;
} Look;
typedef VEC(Look) Looks;

/* What a sub-model does with symbols. squares: costs grow faster than in proportion to them. only_squares: nothing else is
 * asked. */
typedef struct Uses {
    const Generator *all;
    Looks *looks;
    bool only_squares;
    bool decides, counts, squares;
} Uses;

/* Loops around. */
typedef struct Around Around;
struct Around {
    const Around *outer;
    const char *index; /* "": of loops around the call of the sub-model, which it doesn't see */
    bool grows;        /* the symbols tell the range */
};

static bool has_symbol(const Expr *expr, const Symbols *symbols)
{
    for (size_t i = 0; expr && i < symbols->n; i++)
        if (expr_has_symbol(expr, symbols->names[i]))
            return true;
    return false;
}

static bool has_index(const Expr *expr, const Around *around)
{
    while (around && !expr_has_symbol(expr, around->index))
        around = around->outer;
    return around != NULL;
}

static bool in_growing_loop(const Around *around)
{
    while (around && !around->grows)
        around = around->outer;
    return around != NULL;
}

/* How an expression grows with all symbols: as if they were one. */
static int64_t own_degree(const Uses *uses, const Expr *expr, const Symbols *symbols)
{
    ExprSpace *space = uses->all->space;
    if (!has_symbol(expr, symbols))
        return 0;
    const Expr **with = arena_new_array(uses->all->arena, const Expr *, symbols->n);
    for (size_t i = 0; i < symbols->n; i++)
        with[i] = expr_symbol(space, symbols->names[0]);
    return expr_degree(symbols->n > 1 ? expr_substitute(space, expr, symbols->names, with, symbols->n) : expr,
                       symbols->names[0]);
}

/* Also by the indexes of loops. */
static int64_t degree_of(const Uses *uses, const Expr *expr, const Symbols *symbols, const Around *around)
{
    int64_t degree = own_degree(uses, expr, symbols);
    for (; expr && around; around = around->outer)
        degree += around->grows && *around->index ? expr_degree(expr, around->index) : 0;
    return degree;
}

static void find_uses(Uses *uses, const PamelaNode *node, const Symbols *symbols, const Around *around);

static bool is_same_look(const Look *a, const Look *b)
{
    bool is_same =
        a->sub == b->sub && a->symbols.n == b->symbols.n && a->grows == b->grows && a->only_squares == b->only_squares;
    for (size_t i = 0; is_same && i < a->symbols.n; i++)
        is_same = a->symbols.names[i] == b->symbols.names[i];
    return is_same;
}

/* False: it has been added before. */
static bool add_look(const Uses *uses, Look look)
{
    for (size_t i = 0; i < uses->looks->count; i++)
        if (is_same_look(&uses->looks->items[i], &look))
            return false;
    *vec_push(uses->looks) = look;
    return true;
}

/* Of the called sub-model, with the parameters for arguments that have the symbols; or that have only an index. */
static Uses uses_inside(const Uses *uses, const PamelaNode *call, const Symbols *symbols, const Around *around,
                        bool by_index)
{
    const PamelaSub *sub = call->kind == PAMELA_CALL ? sub_find(uses->all, call->name) : NULL;
    Symbols inside = {0, arena_new_array(uses->all->arena, const char *, call->n_arguments + 1)};
    Around outside = {NULL, "", in_growing_loop(around)};
    Uses found = {uses->all, uses->looks, uses->only_squares || by_index, false, false, false};
    for (size_t i = 0; sub && i < call->n_arguments && i < sub->n_parameters; i++) {
        const int64_t degree = degree_of(uses, call->arguments[i], symbols, around);
        if (by_index ? has_symbol(call->arguments[i], symbols) || !degree : !has_symbol(call->arguments[i], symbols))
            continue;
        outside.grows |= degree > 1;
        found.counts |= has_index(call->arguments[i], around);
        inside.names[inside.n++] = sub->parameters[i];
    }
    if (inside.n && add_look(uses, (Look){sub, inside, outside.grows, found.only_squares}))
        find_uses(&found, sub->body, &inside, &outside);
    return found;
}

static void find_uses_in_call(Uses *uses, const PamelaNode *call, const Symbols *symbols, const Around *around)
{
    const Uses own = uses_inside(uses, call, symbols, around, false);
    uses->decides |= own.decides;
    uses->counts |= own.counts;
    uses->squares |= own.squares || (in_growing_loop(around) && uses_inside(uses, call, symbols, around, true).squares);
}

/* A condition on an index and a symbol, as i < n, counts: it holds in n iterations. */
static void find_uses(Uses *uses, const PamelaNode *node, const Symbols *symbols, const Around *around)
{
    if (uses->decides && uses->counts && uses->squares)
        return;
    bool is_loop = node->kind == PAMELA_SEQ || node->kind == PAMELA_PAR;
    const Expr *amount = node->kind == PAMELA_IF ? NULL : node->amount;
    const int64_t range =
        is_loop ? degree_of(uses, node->from, symbols, around) + degree_of(uses, node->to, symbols, around) : 0;
    const Around inner = {around, node->name, range > 0};
    uses->squares |= (range || degree_of(uses, amount, symbols, around)) && in_growing_loop(around);
    uses->squares |=
        (is_loop && (own_degree(uses, node->from, symbols) > 1 || own_degree(uses, node->to, symbols) > 1)) ||
        own_degree(uses, amount, symbols) > 1;
    uses->counts |= has_symbol(node->from, symbols) || has_symbol(node->to, symbols) ||
                    has_symbol(node->step, symbols) || has_symbol(node->processor, symbols);
    if (has_symbol(node->amount, symbols)) {
        bool decides = node->kind == PAMELA_IF && !has_index(node->amount, around);
        uses->decides |= decides;
        uses->counts |= !decides;
    }
    if (node->n_arguments)
        find_uses_in_call(uses, node, symbols, around);
    for (size_t i = 0; i < node->n_children; i++)
        find_uses(uses, node->children[i], symbols, is_loop ? &inner : around);
}

/* positions: of the sub-model's parameters. */
static Uses uses_of(const Generator *all, const char *name, const size_t *positions, size_t n)
{
    const PamelaSub *sub = sub_find(all, name);
    Symbols symbols = {0, arena_new_array(all->arena, const char *, n + 1)};
    Looks looks = {0};
    Uses uses = {all, &looks, false, false, false, false};
    for (size_t i = 0; sub && i < n; i++)
        if (positions[i] < sub->n_parameters)
            symbols.names[symbols.n++] = sub->parameters[positions[i]];
    if (symbols.n)
        find_uses(&uses, sub->body, &symbols, NULL);
    vec_free(&looks);
    return uses;
}

bool decided_decides(const Generator *all, const char *sub, size_t parameter)
{
    return uses_of(all, sub, &parameter, 1).decides;
}

static const char *key_of(Generator *all, size_t parameter, const char *part)
{
    return arena_printf(all->arena, " %zu%s ", parameter, part);
}

bool decided_is_unknown(const Scope *scope, size_t parameter, const char *part)
{
    return scope->unknown && strstr(scope->unknown, key_of(scope->all, parameter, part));
}

static void mark_called(const Generator *all, const PamelaNode *node, bool *is_called)
{
    for (size_t i = 0; node->kind == PAMELA_CALL && i < all->subs.count; i++)
        if (!is_called[i] && strcmp(all->subs.items[i].name, node->name) == 0) {
            is_called[i] = true;
            mark_called(all, all->subs.items[i].body, is_called);
        }
    for (size_t i = 0; i < node->n_children; i++)
        mark_called(all, node->children[i], is_called);
}

static bool has_unknown(const Generator *all)
{
    for (size_t i = 0; i < all->made.count; i++)
        if (*all->made.items[i].unknown)
            return true;
    return false;
}

void decided_drop_uncalled(Generator *all)
{
    size_t n = all->subs.count, kept = 0;
    if (!n || !has_unknown(all))
        return;
    bool *is_called = arena_new_array(all->arena, bool, n);
    is_called[n - 1] = true;
    mark_called(all, all->subs.items[n - 1].body, is_called);
    for (size_t i = 0; i < n; i++)
        if (is_called[i])
            all->subs.items[kept++] = all->subs.items[i];
    all->subs.count = kept;
}

/* The parameters that a call doesn't tell. */
typedef struct Untold {
    size_t n;
    size_t *positions;
    const char **keys;
} Untold;

static void add_untold(Untold *untold, size_t position, const char *key)
{
    untold->positions[untold->n] = position;
    untold->keys[untold->n++] = key;
}

static Untold untold_by(Scope *scope, const SourceExpression *call, const Amount *values, const MadeSub *made)
{
    Generator *all = scope->all;
    const size_t n_parameters = made->function->n_parameters, n = n_parameters + made->n_parts;
    Untold untold = {0, arena_new_array(all->arena, size_t, n + 1), arena_new_array(all->arena, const char *, n + 1)};
    size_t position = 0;
    for (size_t i = 0; i < n_parameters; i++) {
        bool is_known = i < call->n_operands && values[i].expr;
        if (made->is_used[i] && !is_known)
            add_untold(&untold, position, key_of(all, i, ""));
        position += made->is_used[i];
    }
    for (size_t i = 0; i < made->n_parts; i++) {
        const PartParameter *part = &made->parts[i];
        if (all->running || !part_argument(scope, part, call).expr)
            add_untold(&untold, position + i, key_of(all, (size_t)part->parameter, part->part));
    }
    return untold;
}

/* Those for which means won't do. */
static const char *without_means(const Generator *all, const MadeSub *made, const Untold *untold)
{
    const bool squares = uses_of(all, made->name, untold->positions, untold->n).squares;
    const char *unknown = "";
    for (size_t i = 0; i < untold->n; i++) {
        const Uses uses = uses_of(all, made->name, &untold->positions[i], 1);
        if (uses.counts ? squares : uses.decides)
            unknown = arena_printf(all->arena, "%s%s", unknown, untold->keys[i]);
    }
    return unknown;
}

bool decided_make(Scope *scope, const SourceFunction *function, const SourceExpression *call, const Amount *values,
                  MadeSub *made)
{
    Generator *all = scope->all;
    const GeneratorMark mark = generator_mark(all);
    if (!all->sub_make(all, function, &call->place, "", made))
        return false;
    const Untold untold = untold_by(scope, call, values, made);
    const char *unknown = untold.n ? without_means(all, made, &untold) : "";
    if (*unknown && all->made.count > mark.made) /* made for this call alone */
        generator_return_to(all, &mark);
    return !*unknown || all->sub_make(all, function, &call->place, unknown, made);
}
