/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop's index and count. Each part of the condition, joined by &&, gives a bound. */
#include "cost/source/loops/counting.h"

#include <string.h>

/* The only variable of the condition that is stepped: its own values are the index. */
static bool mentions(const SourceExpression *expression, const SourceVariable *variable)
{
    if (expression->kind == SOURCE_VARIABLE && expression->variable == variable)
        return true;
    for (size_t i = 0; i < expression->n_operands; i++)
        if (mentions(expression->operands[i], variable))
            return true;
    return false;
}

/* The only induction in the condition: its own values are the index. */
const Induction *index_variable(const LoopParts *parts, const Inductions *inductions)
{
    const Induction *found = NULL;
    for (size_t i = 0; parts->condition && !parts->tests_last && i < inductions->count; i++)
        if (mentions(parts->condition, inductions->items[i].variable)) {
            if (found)
                return NULL;
            found = &inductions->items[i];
        }
    return found && !found->in_condition ? found : NULL;
}

/* Sets all inductions to their values in the index's iteration. */
void index_set(Scope *scope, const Inductions *inductions, const Induction *primary, const char *index)
{
    Amount symbol = {expr_symbol(scope->all->space, index), true}, k = symbol;
    if (primary) {
        symbol.is_whole = primary->start.is_whole && primary->amount.is_whole;
        k = primary->kind != INDUCTION_ADD
                ? UNKNOWN_AMOUNT
                : amount_divide(scope->space, amount_subtract(scope->space, symbol, primary->start), primary->amount);
        k.is_whole = true;
    }
    for (size_t i = 0; i < inductions->count; i++) {
        const Induction *induction = &inductions->items[i];
        variable_set(scope, induction->variable, induction == primary ? symbol : induction_value(scope, induction, k));
    }
}

/* Sets inductions to their values when the condition is tested. A do loop tests behind its first
 * run, so the inductions that the condition itself changes are one step behind. */
static void set_for_test(Scope *scope, const LoopParts *parts, const Inductions *inductions, const Induction *primary,
                         const char *index)
{
    index_set(scope, inductions, primary, index);
    Amount k = {expr_symbol(scope->all->space, index), true};
    k = amount_subtract(scope->space, k, amount_number(scope->space, 1));
    for (size_t i = 0; parts->tests_last && i < inductions->count; i++)
        if (inductions->items[i].in_condition)
            variable_set(scope, inductions->items[i].variable, induction_value(scope, &inductions->items[i], k));
}

/* Adds the bound of a further part of the condition. */
static void narrow(const Scope *scope, LoopRange *range, const Bound *bound, const SourceExpression *comparison)
{
    if (bound->is_always)
        return;
    if (bound->count.expr && range->n_bounds++ < LOOP_BOUNDS)
        range->bounds[range->n_bounds - 1] = comparison;
    if (!bound->count.expr) {
        range->may_end_early = true;
    } else if (!range->count.expr) {
        range->count = bound->count;
        range->limit = bound->limit;
    } else {
        range->count = amount_function(scope->space, EXPR_MIN, range->count, bound->count, true);
        range->limit = UNKNOWN_AMOUNT;
    }
}

/* Whether the index may pass by what ends the loop: i != n, or a number that isn't 0. */
static bool is_unequal(const SourceExpression *condition)
{
    return operator_is(condition, "!=") || condition->kind != SOURCE_BINARY;
}

/* unequal: by the parts that the index may pass by. They bound a loop only if no other part does. */
static void narrow_by(const Scope *scope, LoopRange *range, const SourceExpression *condition, bool unequal,
                      const IndexProgress *progress)
{
    const SourceExpression *bare = condition ? without_casts(condition) : NULL;
    if (condition_is_true(bare))
        return;
    if (bare->kind == SOURCE_BINARY && operator_is(bare, "&&")) {
        narrow_by(scope, range, bare->operands[0], unequal, progress);
        narrow_by(scope, range, bare->operands[1], unequal, progress);
        return;
    }
    if (is_unequal(bare) != unequal)
        return;
    Bound bound = bound_of(scope, bare, progress);
    if (bound.may_pass && range->count.expr)
        range->may_end_early = true;
    else
        narrow(scope, range, &bound, bare);
}

static bool holds_at(Scope *scope, const LoopParts *parts, const Induction *primary, double value)
{
    double truth;
    Snapshot before = variables_save(scope);
    variable_set(scope, primary->variable, amount_number(scope->space, value));
    const Expr *exact = probability_of(scope, parts->condition);
    variables_restore(scope, &before);
    return exact && expr_is_number(exact, &truth) && truth > 0;
}

/* While a program runs, steps of fractions add up with rounding: t += 0.1 takes one more to reach 1. */
static void round_steps(Scope *scope, const LoopParts *parts, LoopRange *range)
{
    const double most = 1e8;
    const Induction *primary = range->primary;
    double count, value, step;
    if (!scope->all->running || !primary || primary->kind != INDUCTION_ADD || type_is_whole(primary->variable->type) ||
        !amount_is_number(range->count, &count) || !amount_is_number(primary->start, &value) ||
        !amount_is_number(primary->amount, &step) || count < 1 || count > most)
        return;
    const bool is_float = primary->variable->type == CPU_FLOAT;
    for (double k = 1; k < count; k++)
        value = is_float ? (float)(value + step) : value + step;
    const bool is_last = holds_at(scope, parts, primary, value);
    const bool goes_on = holds_at(scope, parts, primary, is_float ? (float)(value + step) : value + step);
    range->count = amount_number(scope->space, count + (goes_on ? 1 : is_last ? 0 : -1));
}

LoopRange range_find(Scope *scope, const LoopParts *parts, const Inductions *inductions, const Induction *primary,
                     const AssignedSet *assigned, const char *index)
{
    LoopRange range = {.primary = primary};
    Snapshot before = variables_save(scope);
    IndexProgress progress = {index, INDUCTION_ADD, amount_number(scope->space, parts->tests_last ? 1 : 0),
                              amount_number(scope->space, 1), false};
    if (primary)
        progress = (IndexProgress){index, primary->kind, primary->start, primary->amount,
                                   !type_is_whole(primary->variable->type)};
    variables_forget(scope, assigned);
    set_for_test(scope, parts, inductions, primary, index);
    narrow_by(scope, &range, parts->condition, false, &progress);
    narrow_by(scope, &range, parts->condition, true, &progress);
    variables_restore(scope, &before);
    if (parts->tests_last && range.count.expr) { /* the first run comes before any test */
        Amount none = amount_number(scope->space, 0), one = amount_number(scope->space, 1);
        range.count = amount_add(scope->space, one, amount_function(scope->space, EXPR_MAX, range.count, none, true));
    }
    round_steps(scope, parts, &range);
    if (!range.count.expr)
        range.may_end_early = false;
    if (primary && primary->kind != INDUCTION_ADD)
        range.limit = UNKNOWN_AMOUNT;
    return range;
}
