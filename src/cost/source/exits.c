/* SPDX-License-Identifier: BSD-3-Clause */
/* Exits of a loop, which are taken once whatever the loop's count. They are emitted behind the
 * loop, with a probability. */
#include "cost/source/control.h"

PamelaNode *list_to_node(Scope *scope, SourceStatement *const *list, size_t count, const Expr **reaches)
{
    Block block = {0}, *outer = scope->block;
    scope->block = &block;
    *reaches = scope->all->emit_list(scope, list, count);
    scope->block = outer;
    return block_end(scope->all, &block);
}

PamelaNode *seldom_to_node(Scope *scope, SourceStatement *const *list, size_t count, const Expr **reaches)
{
    bool was_seldom = scope->is_seldom;
    scope->is_seldom = true;
    PamelaNode *node = list_to_node(scope, list, count, reaches);
    scope->is_seldom = was_seldom;
    return node;
}

bool leaves_loop(const Scope *scope, const SourceStatement *branch)
{
    unsigned ends = ends_of(branch);
    if (!scope->loop || scope->in_exit || !branch || (ends & (ENDS_NORMALLY | ENDS_CONTINUE)))
        return false;
    return !(ends & ENDS_BREAK) || !scope->in_switch;
}

Loop *loop_left(const Scope *scope, const SourceStatement *branch)
{
    Loop *loop = scope->loop;
    while (!(ends_of(branch) & ENDS_BREAK) && loop->outer)
        loop = loop->outer;
    return loop;
}

void leave_loop(Scope *scope, const SourceStatement *branch, Condition condition, const Expr *probability,
                bool gives_up)
{
    bool returns = !(ends_of(branch) & ENDS_BREAK);
    Loop *loop = scope->loop;
    Snapshot before = variables_save(scope);
    variables_forget_symbol(scope, loop->index);
    while (returns && loop->outer) {
        loop = loop->outer;
        variables_forget_symbol(scope, loop->index);
    }
    const Expr *reaches;
    SourceStatement *list[] = {(SourceStatement *)branch};
    scope->in_exit = true;
    PamelaNode *node = (gives_up ? seldom_to_node : list_to_node)(scope, list, 1, &reaches);
    scope->in_exit = false;
    variables_restore(scope, &before);
    *vec_push(&loop->exits) = (LoopExit){condition, probability, node, returns};
}

const Expr *emit_exits(Scope *scope, Loop *loop)
{
    Generator *all = scope->all;
    const Expr *reaches = expr_integer(all->space, 1);
    for (size_t i = 0; i < loop->exits.count; i++) {
        const LoopExit *loop_exit = &loop->exits.items[i];
        block_if(all, scope->block, loop_exit->condition, loop_exit->probability, loop_exit->node, NULL);
        if (loop_exit->is_return)
            reaches = expr_multiply_grouped(
                all->space, reaches, expr_subtract(all->space, expr_integer(all->space, 1), loop_exit->probability),
                REACH_TERMS);
    }
    vec_free(&loop->exits);
    return reaches;
}
