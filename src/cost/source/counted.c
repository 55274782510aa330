/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop's body and count to seq: over the index's own values where costs inside depend on it, else over 1 … count, as
 * in figure 2 of the paper. A count that isn't an expression in the task's parameters is a parameter of the model. */
#include "cost/source/generate.h"

/* The count, or a parameter in its place; of one that may be left early, a share. */
static Amount counted(Scope *scope, const SourceStatement *statement, const LoopRange *range)
{
    Generator *all = scope->all;
    const char *place = place_text(all, &statement->place);
    if (!range->count.expr) {
        const char *name = name_of_place(all, "iterations", "", &statement->place);
        const char *message = "iterations of the loop each time it's reached (mean), whose bound isn't an expression "
                              "in the task's parameters";
        finding_add(all, &statement->place, name, message);
        return (Amount){parameter_make(all, name, NULL, arena_printf(all->arena, "%s: %s", place, message)), true};
    }
    if (!range->may_end_early)
        return range->count;
    const char *name = name_of_place(all, "share", "", &statement->place);
    const char *message = "share of its iterations that the loop runs before it's left early (mean, 1: never early)";
    finding_add(all, &statement->place, name, message);
    Amount share = {parameter_make(all, name, NULL, arena_printf(all->arena, "%s: %s", place, message)), false};
    return amount_floor(scope, amount_multiply(scope, share, range->count));
}

typedef struct Span {
    const Expr *from, *to, *step;
} Span;

/* The index's own values. Upwards, for a sum doesn't depend on the order. */
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
    Amount count = counted(scope, statement, range);
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
