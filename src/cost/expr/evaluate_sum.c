/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of sums that didn't close: term by term, and where that would take too long, block by block of the index, each
 * with the interval of its body. What comes out contains the sum for whatever the body is. */
#include "cost/expr/evaluate.h"

#include <math.h>

/* Of sums of many fractions, each of another denominator: what is kept of them after so many. */
enum { SHORTEN_AFTER = 64, MOST_LIMBS = 2, MOST_BLOCKS = 200000 };

/* The index takes from + t step, t = 0 … certain - 1 surely, and up to possible - 1 maybe. */
typedef struct Range {
    Value from, step;
    double certain, possible;
    bool is_largest;
    const Atom *index;
    const Expr *body;
} Range;

static bool find_range(Evaluation *evaluation, const Atom *sum, Range *range)
{
    Value to, steps;
    if (!evaluate_expr(evaluation, sum->arguments[SUM_FROM], &range->from))
        return false;
    if (!evaluate_expr(evaluation, sum->arguments[SUM_STEP], &range->step)) {
        value_clear(&range->from);
        return false;
    }
    if (!evaluate_expr(evaluation, sum->arguments[SUM_TO], &to)) {
        value_clear(&range->from);
        value_clear(&range->step);
        return false;
    }
    Value minus = value_whole(-1);
    value_multiply(&minus, &range->from);
    steps = to;
    value_add(&steps, &minus);
    value_clear(&minus);
    Value inverse = value_copy(&range->step);
    bool has_step = value_raise(&inverse, -1);
    if (has_step) {
        value_multiply(&steps, &inverse);
        value_floor(&steps);
        Interval count = value_outward(&steps);
        range->certain = fmax(0, count.low + 1);
        range->possible = fmax(0, count.high + 1);
    } else {
        err_set(evaluation->err, ERR_INPUT, "a sum over %s with step 0", sum->index->name);
        value_clear(&range->from);
        value_clear(&range->step);
    }
    value_clear(&inverse);
    value_clear(&steps);
    return has_step;
}

/* The body's value for t in [first, last]. */
static bool value_of_block(Evaluation *evaluation, const Range *range, double first, double last, Value *value)
{
    Known *index = evaluation_known(evaluation, range->index);
    size_t n_filled = evaluation->filled.count;
    Value at = value_span(first, last);
    value_multiply(&at, &range->step);
    value_add(&at, &range->from);
    index->value = at;
    index->is_valid = true;
    *vec_push(&evaluation->filled) = index;
    bool is_evaluated = evaluate_expr(evaluation, range->body, value);
    evaluation_forget(evaluation, n_filled, range->index);
    return is_evaluated;
}

static void add_block(const Range *range, double first, double last, const Value *value, Value *total)
{
    double certain = fmax(0, fmin(last, range->certain - 1) - first + 1), maybe = last - first + 1 - certain;
    if (range->is_largest) {
        Interval block = value_outward(value), before = value_outward(total);
        Value copy = value_copy(value);
        if (first > 0 && certain == 0) {
            copy = value_span(before.low, fmax(before.high, block.high));
        } else if (first == 0 && certain == 0) {
            copy = value_span(fmin(0, block.low), fmax(0, block.high));
        } else if (first > 0) {
            Value both[] = {*total, *value};
            Err unused;
            value_clear(&copy);
            evaluate_function(EXPR_MAX, both, 2, &copy, &unused);
        }
        value_clear(total);
        *total = copy;
        return;
    }
    Value times = value_span(certain, certain);
    value_multiply(&times, value);
    value_add(total, &times);
    value_clear(&times);
    if (maybe > 0) {
        Interval block = value_outward(value);
        Value more = value_rounded(fmin(0, maybe * block.low), fmax(0, maybe * block.high));
        value_add(total, &more);
    }
}

static bool too_many(Evaluation *evaluation, const Range *range)
{
    evaluation->has_too_many = true;
    return err_set(evaluation->err, ERR_INPUT, "the sum over %s has more than %d terms", range->index->name,
                   EXPR_MOST_TERMS);
}

/* Blocks grow with the distance from the beginning: where sums of what people write change most. */
static bool add_up(Evaluation *evaluation, const Range *range, unsigned depth, Value *total)
{
    double points_before = evaluation->points;
    double mine = fmin(MOST_BLOCKS, floor(pow(points_before, 1.0 / depth)));
    double left_before = evaluation->points_left;
    bool in_blocks = evaluation->approximates && range->possible > mine;
    double ratio = 0;
    size_t n_added = 0;
    bool is_added = true;
    if (evaluation->approximates)
        evaluation->points = fmax(16, points_before / fmax(1, fmin(mine, range->possible)));
    if (in_blocks) {
        evaluation->is_approximated = true;
        ratio = log(range->possible) / fmax(2, mine / 2);
    }
    for (double first = 0; first < range->possible && is_added;) {
        double length = in_blocks ? fmax(1, floor((first + 1) * ratio)) : 1;
        double last = fmin(first + length, range->possible) - 1;
        last = fmax(last, first);
        Value value;
        if (!evaluation->approximates && --evaluation->points_left < 0) {
            is_added = too_many(evaluation, range);
            break;
        }
        is_added = value_of_block(evaluation, range, first, last, &value);
        if (is_added) {
            add_block(range, first, last, &value, total);
            value_clear(&value);
            if (++n_added % SHORTEN_AFTER == 0)
                value_shorten(total, MOST_LIMBS);
            double so_far = (left_before - evaluation->points_left) / (double)n_added;
            if ((n_added & (n_added - 1)) == 0 && so_far * range->possible > 10.0 * EXPR_MOST_TERMS)
                is_added = too_many(evaluation, range); /* why find that out by doing it? */
        }
        if (first + length <= first)
            break;
        first = last + 1;
    }
    evaluation->points = points_before;
    return is_added;
}

/* Values that hold a symbol of the index's name, which is another one here. */
typedef VEC(Known) Hidden;

static void hide(Evaluation *evaluation, const Atom *index, Hidden *hidden)
{
    Known *known = evaluation_known(evaluation, index);
    if (!known->is_valid)
        return;
    for (size_t i = 0; i < evaluation->filled.count; i++) {
        Known *filled = evaluation->filled.items[i];
        if (!filled->is_valid || !atom_has(filled->atom, index))
            continue;
        *vec_push(hidden) = *filled;
        filled->is_valid = false;
    }
}

static void unhide(Evaluation *evaluation, Hidden *hidden)
{
    for (size_t i = 0; i < hidden->count; i++) {
        Known *known = evaluation_known(evaluation, hidden->items[i].atom);
        *known = hidden->items[i];
        *vec_push(&evaluation->filled) = known;
    }
    vec_free(hidden);
}

bool evaluate_sum(Evaluation *evaluation, const Atom *sum, Value *value)
{
    Range range = {.is_largest = sum->kind == ATOM_LARGEST, .index = sum->index, .body = sum->arguments[SUM_BODY]};
    if (!find_range(evaluation, sum, &range))
        return false;
    Hidden hidden = {0};
    Value total = value_whole(0);
    hide(evaluation, sum->index, &hidden);
    bool is_added = range.possible <= EXPR_MOST_TERMS || evaluation->approximates
                        ? add_up(evaluation, &range, sum->sum_depth, &total)
                        : too_many(evaluation, &range);
    unhide(evaluation, &hidden);
    value_clear(&range.from);
    value_clear(&range.step);
    if (is_added)
        *value = total;
    else
        value_clear(&total);
    return is_added;
}
