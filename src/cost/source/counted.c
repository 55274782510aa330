/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a seq of a loop's body and count. If costs in the body depend on the index, the seq has the
 * index's own values; otherwise it runs over 1 … count, as in the paper's figure 2. A count that
 * isn't an expression in the task's parameters becomes a parameter of the model. */
#include "cost/source/counting.h"

/* The loop's count; a parameter if it is unknown. For a loop that may end early: count times a
 * share. */
static Amount loop_count(Scope *scope, const SourceStatement *statement, const LoopRange *range)
{
    if (!range->count.expr)
        return (Amount){parameter_of_place(scope->all, "iterations", "", &statement->place, NULL,
                                           "mean iterations each time the loop is reached; its bound isn't an "
                                           "expression in the task's parameters"),
                        true};
    if (!range->may_end_early)
        return range->count;
    Amount share = {
        parameter_of_place(scope->all, "share", "", &statement->place, NULL,
                           "mean share of the iterations that run before the loop is left early (1: never early)"),
        false};
    return amount_floor(scope->space, amount_multiply(scope->space, share, range->count));
}

typedef struct Span {
    const Expr *from, *to, *step;
} Span;

/* The index's own values, in ascending order; a sum doesn't depend on the order. */
static Span span_of(Scope *scope, const LoopRange *range, Amount count)
{
    ExprSpace *space = scope->all->space;
    const Expr *one = expr_integer(space, 1);
    const Induction *primary = range->primary;
    const Expr *less = expr_subtract(space, count.expr, one);
    double amount;
    if (!primary)
        return (Span){expr_integer(space, 0), less, one};
    const Expr *start = primary->start.expr;
    if (amount_is_number(primary->amount, &amount) && amount == 1)
        return (Span){start, expr_add(space, start, less), one};
    if (amount_is_number(primary->amount, &amount) && amount == -1)
        return (Span){expr_subtract(space, start, less), start, one};
    return (Span){start, range->limit.expr, primary->amount.expr};
}

PamelaNode *loop_seq(Scope *scope, const SourceStatement *statement, const LoopRange *range, const char *index,
                     PamelaNode *body)
{
    Generator *all = scope->all;
    PamelaNode *node = node_new(all, PAMELA_SEQ), **children = arena_new_array(all->arena, PamelaNode *, 1);
    Amount count = loop_count(scope, statement, range);
    Span span = {expr_integer(all->space, 1), count.expr, expr_integer(all->space, 1)};
    if (node_has_symbol(body, index))
        span = span_of(scope, range, count);
    children[0] = body;
    node->comment = place_text(all, &statement->place);
    node->name = index;
    node->from = span.from;
    node->to = span.to;
    node->step = span.step;
    node->children = children;
    node->n_children = 1;
    return node;
}
