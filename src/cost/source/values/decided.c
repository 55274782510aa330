/* SPDX-License-Identifier: BSD-3-Clause */
/* See decided.h. */
#include "cost/source/values/decided.h"

#include "cost/source/values/block.h"
#include "cost/source/values/part.h"

#include <string.h>

/* What a sub-model does with a symbol. */
typedef struct Uses {
    const Generator *all;
    bool decides, counts;
} Uses;

/* Loops around. */
typedef struct Around Around;
struct Around {
    const Around *outer;
    const char *index;
};

static bool has_symbol(const Expr *expr, const char *symbol)
{
    return expr && expr_has_symbol(expr, symbol);
}

static bool has_index(const Expr *expr, const Around *around)
{
    while (around && !expr_has_symbol(expr, around->index))
        around = around->outer;
    return around != NULL;
}

static void find_uses_in_sub(Uses *uses, const char *name, size_t parameter);

/* A condition on an index and the symbol, as i < n, counts: it holds in n iterations. */
static void find_uses(Uses *uses, const PamelaNode *node, const char *symbol, const Around *around)
{
    const Around inner = {around, node->name};
    if (uses->decides && uses->counts)
        return;
    bool is_loop = node->kind == PAMELA_SEQ || node->kind == PAMELA_PAR;
    uses->counts |= has_symbol(node->from, symbol) || has_symbol(node->to, symbol) || has_symbol(node->step, symbol) ||
                    has_symbol(node->processor, symbol);
    if (has_symbol(node->amount, symbol)) {
        bool decides = node->kind == PAMELA_IF && !has_index(node->amount, around);
        uses->decides |= decides;
        uses->counts |= !decides;
    }
    for (size_t i = 0; i < node->n_arguments; i++)
        if (has_symbol(node->arguments[i], symbol)) {
            uses->counts |= has_index(node->arguments[i], around);
            find_uses_in_sub(uses, node->name, i);
        }
    for (size_t i = 0; i < node->n_children; i++)
        find_uses(uses, node->children[i], symbol, is_loop ? &inner : around);
}

static void find_uses_in_sub(Uses *uses, const char *name, size_t parameter)
{
    for (size_t i = 0; i < uses->all->subs.count; i++) {
        const PamelaSub *sub = &uses->all->subs.items[i];
        if (strcmp(sub->name, name) == 0 && parameter < sub->n_parameters)
            find_uses(uses, sub->body, sub->parameters[parameter], NULL);
    }
}

static bool only_decides(const Generator *all, const char *sub, size_t parameter)
{
    Uses uses = {all, false, false};
    find_uses_in_sub(&uses, sub, parameter);
    return uses.decides && !uses.counts;
}

bool decided_decides(const Generator *all, const char *sub, size_t parameter)
{
    Uses uses = {all, false, false};
    find_uses_in_sub(&uses, sub, parameter);
    return uses.decides;
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

bool decided_make(Scope *scope, const SourceFunction *function, const SourceExpression *call, const Amount *values,
                  MadeSub *made)
{
    Generator *all = scope->all;
    const GeneratorMark mark = generator_mark(all);
    const char *unknown = "";
    size_t position = 0;
    if (!all->sub_make(all, function, &call->place, "", made))
        return false;
    for (size_t i = 0; i < function->n_parameters; i++) {
        bool is_known = i < call->n_operands && values[i].expr;
        if (made->is_used[i] && !is_known && only_decides(all, made->name, position))
            unknown = arena_printf(all->arena, "%s%s", unknown, key_of(all, i, ""));
        position += made->is_used[i];
    }
    for (size_t i = 0; i < made->n_parts; i++) {
        const PartParameter *part = &made->parts[i];
        bool is_known = !all->running && part_argument(scope, part, call).expr;
        if (!is_known && only_decides(all, made->name, position + i))
            unknown = arena_printf(all->arena, "%s%s", unknown, key_of(all, (size_t)part->parameter, part->part));
    }
    if (*unknown && all->made.count > mark.made) /* made for this call alone */
        generator_return_to(all, &mark);
    return !*unknown || all->sub_make(all, function, &call->place, unknown, made);
}
