/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a comparison holds while its index advances. The difference of the comparison's sides
 * is a polynomial in the index, and its zero gives the count. Symbols in coefficients are assumed
 * positive, and a loop is assumed to run towards its bound. */
#include "cost/source/loops/counting.h"

#include <math.h>
#include <string.h>

static const Bound no_bound;

/* The comparison holds while slack >= 0 (or > 0 if strict), with slack = square s² + slope s +
 * constant. */
typedef struct Slack {
    Amount square, slope, constant;
    bool is_strict, is_whole;
} Slack;

static Amount at_index(const Scope *scope, Amount value, const char *index, int64_t at)
{
    const Expr *number = expr_integer(scope->all->space, at);
    return (Amount){expr_substitute(scope->all->space, value.expr, &index, &number, 1), value.is_whole};
}

/* Splits a slack into its coefficients. False if it isn't a polynomial of at most degree 2. */
static bool slack_of(const Scope *scope, Amount slack, const char *index, Slack *parts)
{
    Amount zero = at_index(scope, slack, index, 0), first = at_index(scope, slack, index, 1);
    Amount second = at_index(scope, slack, index, 2), symbol = {expr_symbol(scope->all->space, index), true};
    if (!zero.expr || !first.expr || !second.expr)
        return false;
    Amount curve =
        amount_subtract(scope->space, amount_add(scope->space, second, zero), amount_add(scope->space, first, first));
    parts->square = amount_divide(scope->space, curve, amount_number(scope->space, 2));
    parts->slope = amount_subtract(scope->space, amount_subtract(scope->space, first, zero), parts->square);
    parts->constant = zero;
    parts->is_whole = slack.is_whole;
    Amount again = amount_multiply(
        scope->space, amount_add(scope->space, amount_multiply(scope->space, parts->square, symbol), parts->slope),
        symbol);
    return amount_add(scope->space, again, zero).expr == slack.expr;
}

static Amount negative(const Scope *scope, Amount value)
{
    return amount_subtract(scope->space, amount_number(scope->space, 0), value);
}

static bool is_zero(Amount value)
{
    double number;
    return amount_is_number(value, &number) && number == 0;
}

/* The sign of a number. For other amounts 1, unless the text begins with a minus (-x): then -1. */
static int sign_of(const Scope *scope, Amount value)
{
    double number;
    if (amount_is_number(value, &number))
        return number < 0 ? -1 : number > 0;
    const char *text = expr_text(value.expr, scope->all->arena);
    return text[0] == '-' ? -1 : 1;
}

/* The last whole index s with slope s + constant >= 0 (or > 0): the largest if the index goes up
 * (slope < 0), else the smallest. */
static Amount linear_limit(const Scope *scope, const Slack *slack, bool is_up)
{
    Amount one = amount_number(scope->space, 1), constant = slack->constant;
    Amount by = is_up ? negative(scope, slack->slope) : slack->slope;
    if (slack->is_strict && slack->is_whole)
        constant = amount_subtract(scope->space, constant, one);
    Amount zero = amount_divide(scope->space, is_up ? constant : negative(scope, constant), by);
    if (!slack->is_strict || slack->is_whole)
        return is_up ? amount_floor(scope->space, zero) : amount_ceil(scope->space, zero);
    return is_up ? amount_subtract(scope->space, amount_ceil(scope->space, zero), one)
                 : amount_add(scope->space, amount_floor(scope->space, zero), one);
}

static Amount root_of(const Scope *scope, Amount value)
{
    double number;
    if (!amount_is_number(value, &number) || number < 0)
        value = amount_function(scope->space, EXPR_MAX, value, amount_number(scope->space, 0), value.is_whole);
    return amount_function(scope->space, EXPR_SQRT, value, UNKNOWN_AMOUNT, false);
}

/* The last whole index of a quadratic slack that falls with the index, as in i*i <= n. */
static Amount square_limit(const Scope *scope, const Slack *slack)
{
    Amount constant = slack->constant, by = negative(scope, slack->square);
    if (slack->is_strict && slack->is_whole)
        constant = amount_subtract(scope->space, constant, amount_number(scope->space, 1));
    Amount root;
    if (is_zero(slack->slope)) {
        root = root_of(scope, amount_divide(scope->space, constant, by));
    } else {
        Amount four =
            amount_multiply(scope->space, amount_number(scope->space, 4), amount_multiply(scope->space, by, constant));
        Amount inside = amount_add(scope->space, amount_multiply(scope->space, slack->slope, slack->slope), four);
        root = amount_divide(scope->space, amount_add(scope->space, slack->slope, root_of(scope, inside)),
                             amount_multiply(scope->space, amount_number(scope->space, 2), by));
    }
    return amount_floor(scope->space, root);
}

/* The number of steps from start to limit, both included. */
static Amount steps_to(const Scope *scope, const IndexProgress *progress, Amount limit, bool is_up)
{
    Amount distance = is_up ? amount_subtract(scope->space, limit, progress->start)
                            : amount_subtract(scope->space, progress->start, limit);
    Amount by = is_up ? progress->amount : negative(scope, progress->amount);
    Amount before = amount_divide(scope->space, progress->start, by);
    /* From i*i in steps of i, as in a sieve: n/i - i + 1 steps. */
    if (is_up && before.expr && before.expr == by.expr) {
        Amount all = amount_floor(scope->space, amount_divide(scope->space, limit, by));
        return amount_add(scope->space, amount_subtract(scope->space, all, by), amount_number(scope->space, 1));
    }
    return amount_add(scope->space, amount_floor(scope->space, amount_divide(scope->space, distance, by)),
                      amount_number(scope->space, 1));
}

static Amount slack_at(const Scope *scope, const Slack *slack, Amount index)
{
    Amount rise = amount_add(scope->space, amount_multiply(scope->space, slack->square, index), slack->slope);
    return amount_add(scope->space, amount_multiply(scope->space, rise, index), slack->constant);
}

/* A quadratic slack that falls from the start on. The root is of max(0, …), so if the slack is
 * negative at the start, a step() makes the count 0. */
static Bound squared_bound(const Scope *scope, const Slack *slack, const IndexProgress *progress, bool is_up)
{
    double start = 0;
    bool is_number = amount_is_number(progress->start, &start);
    bool is_whole = progress->start.is_whole && progress->amount.is_whole;
    if (!is_up || !is_whole || sign_of(scope, slack->square) > 0 || start < 0)
        return no_bound;
    Bound bound = {.limit = square_limit(scope, slack)};
    bound.count = steps_to(scope, progress, bound.limit, true);
    if (is_number && start >= 1 && is_zero(slack->slope))
        return bound;
    Amount first = slack_at(scope, slack, progress->start);
    if (slack->is_strict && slack->is_whole)
        first = amount_subtract(scope->space, first, amount_number(scope->space, 1));
    Amount runs = amount_function(scope->space, EXPR_STEP, first, UNKNOWN_AMOUNT, true);
    return (Bound){.count = amount_multiply(scope->space, runs, bound.count)};
}

static Bound added_bound(const Scope *scope, const Slack *slack, const IndexProgress *progress, bool is_up)
{
    if (!is_zero(slack->square))
        return squared_bound(scope, slack, progress, is_up);
    Bound bound = {.limit = linear_limit(scope, slack, is_up)};
    if (progress->start.is_whole && progress->amount.is_whole) {
        bound.count = steps_to(scope, progress, bound.limit, is_up);
        return bound;
    }
    /* A fractional index: the number of steps that fit into the slack at the start. */
    Amount by = negative(scope, amount_multiply(scope->space, slack->slope, progress->amount));
    Amount steps = amount_divide(scope->space, slack_at(scope, slack, progress->start), by);
    bound.limit = UNKNOWN_AMOUNT;
    bound.count = slack->is_strict
                      ? amount_ceil(scope->space, steps)
                      : amount_add(scope->space, amount_floor(scope->space, steps), amount_number(scope->space, 1));
    return bound;
}

static Amount logarithm(const Scope *scope, Amount value, Amount base)
{
    double number;
    if (amount_is_number(base, &number) && number == 2)
        return amount_function(scope->space, EXPR_LOG2, value, UNKNOWN_AMOUNT, false);
    return amount_divide(scope->space, amount_function(scope->space, EXPR_LOG, value, UNKNOWN_AMOUNT, false),
                         amount_function(scope->space, EXPR_LOG, base, UNKNOWN_AMOUNT, false));
}

/* x *= c or x /= c of a floating-point variable: the powers of c in the ratio of limit and start. */
static Bound fraction_bound(const Scope *scope, const Slack *slack, const IndexProgress *progress, bool is_up)
{
    double number;
    Amount by = is_up ? negative(scope, slack->slope) : slack->slope;
    Amount limit = amount_divide(scope->space, is_up ? slack->constant : negative(scope, slack->constant), by);
    Amount from = is_up ? progress->start : limit, to = is_up ? limit : progress->start;
    if (amount_is_number(from, &number) && number <= 0)
        return no_bound;
    Amount last = amount_function(scope->space, EXPR_MAX, to, from, false);
    Amount powers = logarithm(scope, amount_divide(scope->space, last, from), progress->amount);
    if (slack->is_strict)
        return (Bound){.count = amount_ceil(scope->space, powers)};
    Amount runs =
        amount_function(scope->space, EXPR_STEP, amount_subtract(scope->space, to, from), UNKNOWN_AMOUNT, true);
    Amount count = amount_add(scope->space, amount_floor(scope->space, powers), amount_number(scope->space, 1));
    return (Bound){.count = amount_multiply(scope->space, runs, count)};
}

/* i *= c up to the limit, or i /= c down to it: the logarithm of their ratio, or 0 if the loop
 * doesn't run. */
static Bound multiplied_bound(const Scope *scope, const Slack *slack, const IndexProgress *progress, bool is_up)
{
    double number;
    if (!is_zero(slack->square) || is_up != (progress->kind == INDUCTION_MULTIPLY))
        return no_bound;
    if (progress->is_fraction)
        return fraction_bound(scope, slack, progress, is_up);
    Amount limit = linear_limit(scope, slack, is_up);
    Amount from = is_up ? progress->start : limit, to = is_up ? limit : progress->start;
    if (amount_is_number(from, &number) && number <= 0)
        return no_bound;
    Amount last = amount_function(scope->space, EXPR_MAX, to, from, true);
    /* + 1/2: no power lies in between, and rounding can't change the floor. */
    if (from.is_whole && to.is_whole)
        last = amount_add(scope->space, last, (Amount){expr_rational(scope->all->space, 1, 2), false});
    Amount distance = amount_divide(scope->space, last, from);
    Amount steps = amount_floor(scope->space, logarithm(scope, distance, progress->amount));
    Amount runs =
        amount_function(scope->space, EXPR_STEP, amount_subtract(scope->space, to, from), UNKNOWN_AMOUNT, true);
    Amount count = amount_multiply(scope->space, runs, amount_add(scope->space, steps, amount_number(scope->space, 1)));
    return (Bound){.count = count};
}

/* Finds out whether the index goes up while the slack decreases. False if the slack doesn't
 * decrease. */
static bool direction_of(const Scope *scope, const Slack *slack, const IndexProgress *progress, bool *is_up)
{
    Amount distance = is_zero(slack->slope) || !is_zero(slack->square) ? slack->square : slack->slope;
    int sign = sign_of(scope, distance),
        direction = progress->kind == INDUCTION_ADD ? sign_of(scope, progress->amount) : 1;
    if (progress->kind == INDUCTION_DIVIDE)
        direction = -1;
    *is_up = direction > 0;
    return sign * direction < 0;
}

/* Whether the index is known to reach the zero of the slack. */
static bool is_met(const Scope *scope, const Slack *slack, const IndexProgress *progress)
{
    Amount step = amount_multiply(scope->space, slack->slope, progress->amount);
    double distance, by;
    return progress->kind == INDUCTION_ADD && amount_is_number(slack_at(scope, slack, progress->start), &distance) &&
           amount_is_number(step, &by) && by != 0 && distance >= 0 && fmod(distance, by) == 0;
}

static Bound solve(const Scope *scope, Amount difference, bool is_strict, bool is_unequal,
                   const IndexProgress *progress)
{
    Slack slack = {.is_strict = is_strict};
    bool is_up;
    double number;
    if (!difference.expr)
        return no_bound;
    if (amount_is_number(difference, &number)) {
        bool holds = is_unequal ? number != 0 : is_strict ? number > 0 : number >= 0;
        return (Bound){.count = holds ? UNKNOWN_AMOUNT : amount_number(scope->space, 0), .is_always = holds};
    }
    if (!expr_has_symbol(difference.expr, progress->index) || !slack_of(scope, difference, progress->index, &slack))
        return no_bound;
    slack.is_strict = is_strict;
    if (!direction_of(scope, &slack, progress, &is_up)) {
        if (!is_unequal || !is_zero(slack.square))
            return no_bound;
        slack.slope = negative(scope, slack.slope);
        slack.constant = negative(scope, slack.constant);
        bool is_away = amount_is_number(slack_at(scope, &slack, progress->start), &number) && number < 0;
        if (is_away || !direction_of(scope, &slack, progress, &is_up)) /* only an overflow ends such a loop */
            return no_bound;
    }
    Bound bound = progress->kind == INDUCTION_ADD ? added_bound(scope, &slack, progress, is_up)
                                                  : multiplied_bound(scope, &slack, progress, is_up);
    bound.may_pass = is_unequal && !is_met(scope, &slack, progress);
    return bound;
}

Bound bound_of(const Scope *scope, const SourceExpression *comparison, const IndexProgress *progress)
{
    comparison = without_casts(comparison);
    bool compares =
        comparison->kind == SOURCE_BINARY &&
        (comparison->operator[0] == '<' || comparison->operator[0] == '>' || operator_is(comparison, "!=")) &&
        !operator_is(comparison, "<<") && !operator_is(comparison, ">>") && !operator_is(comparison, ">>>");
    if (!compares) { /* while (n) is n != 0 */
        bool is_other =
            comparison->kind == SOURCE_BINARY &&
            (operator_is(comparison, "==") || operator_is(comparison, "||") || operator_is(comparison, "&&"));
        return is_other ? no_bound : solve(scope, amount_of(scope, comparison), true, true, progress);
    }
    Amount left = amount_of(scope, comparison->operands[0]), right = amount_of(scope, comparison->operands[1]);
    bool is_less = comparison->operator[0] == '<';
    return solve(
        scope, is_less ? amount_subtract(scope->space, right, left) : amount_subtract(scope->space, left, right),
        comparison->operator[1] != '=' || comparison->operator[0] == '!', comparison->operator[0] == '!', progress);
}
