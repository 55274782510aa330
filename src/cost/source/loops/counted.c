/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a seq of a loop's body and count. If costs in the body depend on the index, the seq has the
 * index's own values; otherwise it runs over 1 … count, as in the paper's figure 2. A count that
 * isn't an expression in the task's parameters becomes a parameter of the model. Of a loop that may
 * end early, a share runs: as the probability of each iteration, or as the range of the index. */
#include "cost/source/loops/counting.h"

/* The loop's count; a parameter if it is unknown. */
static Amount loop_count(Scope *scope, const SourceStatement *statement, const LoopRange *range)
{
    if (range->count.expr)
        return range->count;
    count_add(scope->all, &(AnalysisCount){.parameter = name_of_place(scope->all, "iterations", "", &statement->place),
                                           .kind = COUNT_ITERATIONS,
                                           .place = statement->place,
                                           .statement = statement});
    return (Amount){parameter_of_place(scope->all, "iterations", "", &statement->place, value_to_give(scope),
                                       "mean iterations each time the loop is reached; its bound isn't an "
                                       "expression in the task's parameters"),
                    true};
}

/* A mean share of the count, which needn't be whole. */
static const Expr *loop_share(Scope *scope, const SourceStatement *statement, const LoopRange *range)
{
    count_add(scope->all, &(AnalysisCount){.parameter = name_of_place(scope->all, "share", "", &statement->place),
                                           .kind = COUNT_SHARE,
                                           .place = statement->place,
                                           .statement = statement,
                                           .n_bounds = range->n_bounds,
                                           .bounds = arena_copy_array(scope->all->arena, range->bounds, LOOP_BOUNDS,
                                                                      sizeof *range->bounds)});
    return parameter_of_place(scope->all, "share", "", &statement->place, value_to_give(scope),
                              "mean share of the iterations that run before the loop is left early (1: never early)");
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

/* Of iterations that cost the same, a share as the probability of each. */
static PamelaNode *shared(Scope *scope, PamelaNode *body, const Expr *share)
{
    Block block = {0};
    block_if(scope->all, &block, (Condition){.text = "not left early"}, share, body, NULL);
    return block_end(scope->all, &block);
}

PamelaNode *loop_seq(Scope *scope, const SourceStatement *statement, const LoopRange *range, const char *index,
                     PamelaNode *body)
{
    Generator *all = scope->all;
    PamelaNode *node = node_new(all, PAMELA_SEQ), **children = arena_new_array(all->arena, PamelaNode *, 1);
    Amount count = loop_count(scope, statement, range);
    bool has_index = node_has_symbol(body, index);
    if (range->may_end_early && has_index)
        count = amount_multiply(scope->space, (Amount){loop_share(scope, statement, range), false}, count);
    else if (range->may_end_early)
        body = shared(scope, body, loop_share(scope, statement, range));
    Span span = {expr_integer(all->space, 1), count.expr, expr_integer(all->space, 1)};
    if (has_index)
        span = span_of(scope, range, count);
    children[0] = body;
    node->comment = place_text(all, &statement->place);
    node->origin = statement;
    node->name = index;
    node->from = span.from;
    node->to = span.to;
    node->step = span.step;
    node->children = children;
    node->n_children = 1;
    return node;
}
