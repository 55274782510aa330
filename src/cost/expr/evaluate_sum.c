/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of sums that didn't close. They are added up term by term. If that would take too long,
 * they are added up by blocks of the index: each block counts with the interval of its body. The
 * resulting interval always contains the sum. */
#include "cost/expr/columns.h"

#include <math.h>

/* Sums of many fractions get ever longer denominators. Every SHORTEN_AFTER terms, totals longer
 * than MOST_BITS become intervals. */
enum { SHORTEN_AFTER = 64, MOST_BITS = 128, MOST_BLOCKS = 200000, LEAST_COLUMN = 4 };

/* The index takes the values from + t · step: certainly for t < certain, and maybe for t <
 * possible. */
typedef struct Range {
    Value from, step;
    double certain, possible;
    SumLoop *loop;
} Range;

static bool find_range(Evaluation *evaluation, Range *range)
{
    const Atom *sum = range->loop->first;
    RationalPool *pool = &evaluation->pool;
    Value to;
    if (!evaluation->evaluate(evaluation, sum->arguments[SUM_FROM], &range->from) ||
        !evaluation->evaluate(evaluation, sum->arguments[SUM_STEP], &range->step) ||
        !evaluation->evaluate(evaluation, sum->arguments[SUM_TO], &to))
        return false;
    Value inverse = range->step, steps = value_multiply(pool, value_whole(pool, -1), range->from);
    if (!value_raise(pool, &inverse, -1))
        return err_set(evaluation->err, ERR_INPUT, "a sum over %s with step 0", sum->index->name);
    steps = value_floor(pool, value_multiply(pool, value_add(pool, to, steps), inverse));
    Interval count = value_outward(steps);
    range->certain = fmax(0, count.low + 1);
    range->possible = fmax(0, count.high + 1);
    return true;
}

/* Adds a block to a total. The body's value lies in `value` for each t in [first, last]. */
static Value add_block(RationalPool *pool, const Range *range, double first, double last, Value value, Value total)
{
    double certain = fmax(0, fmin(last, range->certain - 1) - first + 1), maybe = last - first + 1 - certain;
    Interval block = value_outward(value), before = value_outward(total);
    if (range->loop->first->kind == ATOM_SUM) {
        total = value_add(pool, total, value_multiply(pool, value_span(pool, certain, certain), value));
        Value more = value_rounded(fmin(0, maybe * block.low), fmax(0, maybe * block.high));
        return maybe > 0 ? value_add(pool, total, more) : total;
    }
    if (certain == 0)
        return value_span(pool, first > 0 ? before.low : fmin(0, block.low), fmax(before.high, block.high));
    return first > 0 ? value_larger(total, value) : value;
}

/* If all products in the bodies are exact, adds each product to its own total, because bodies share
 * many products. *is_exact: whether they were. */
static bool add_parts(Evaluation *evaluation, SumLoop *loop, bool shortens, bool *is_exact)
{
    *is_exact = loop->parts.count > 0;
    for (size_t i = 0; i < loop->parts.count && *is_exact; i++) {
        SumPart *part = &loop->parts.items[i];
        if (!evaluation->evaluate(evaluation, &(Expr){.n_terms = 1, .terms = &part->term}, &part->value))
            return false;
        *is_exact = part->value.is_exact;
    }
    for (size_t i = 0; i < loop->parts.count && *is_exact; i++) {
        SumPart *part = &loop->parts.items[i];
        Value total = value_add(&evaluation->pool, part->total.value, part->value);
        value_hold(&part->total, shortens ? value_shortened(total, MOST_BITS) : total);
    }
    return true;
}

/* Adds the bodies' values for t in [first, last] to all totals. */
static bool add_bodies(Evaluation *evaluation, const Range *range, double first, double last, bool shortens)
{
    RationalPool *pool = &evaluation->pool;
    SumLoop *loop = range->loop;
    Value at = value_multiply(pool, value_span(pool, first, last), range->step);
    evaluation_set(evaluation, loop->index, value_add(pool, at, range->from));
    bool is_done = false;
    if (first == last && last < range->certain && !add_parts(evaluation, loop, shortens, &is_done))
        return false;
    if (is_done)
        return true;
    for (size_t i = 0; i < loop->sums.count; i++) {
        HeldValue *total = &loop->sums.items[i]->total;
        Value value;
        if (!evaluation->evaluate(evaluation, loop->sums.items[i]->atom->arguments[SUM_BODY], &value))
            return false;
        value = add_block(pool, range, first, last, value, total->value);
        value_hold(total, shortens ? value_shortened(value, MOST_BITS) : value);
    }
    return true;
}

static bool too_many(Evaluation *evaluation, const Range *range)
{
    evaluation->has_too_many = true;
    return err_set(evaluation->err, ERR_INPUT, "the sum over %s has more than %.0f terms",
                   range->loop->first->index->name, evaluation->most_terms);
}

/* Adds the first terms by columns, as far as these are whole numbers of 64 bits. *n_added: how many. */
static bool add_columns(Evaluation *evaluation, const Range *range, double *n_added)
{
    SumLoop *loop = range->loop;
    bool is_fine = true;
    if (!loop->has_columns) {
        loop->columns = columns_new(loop, evaluation->arena);
        loop->has_columns = true;
    }
    *n_added = 0;
    if (!loop->columns || range->certain < LEAST_COLUMN)
        return true;
    if (!columns_begin(loop->columns, evaluation, range->from, range->step, &is_fine))
        return false;
    while (is_fine && *n_added < range->certain) {
        double n = fmin(COLUMN_ROWS, range->certain - *n_added);
        is_fine = (evaluation->approximates || evaluation->points_left >= n) &&
                  columns_add(loop->columns, &evaluation->pool, loop, (uint64_t)*n_added, (size_t)n);
        if (!is_fine)
            break;
        *n_added += n;
        evaluation->points_left -= evaluation->approximates ? 0 : n;
    }
    return true;
}

/* Adds up `most` blocks, or each term by itself if `most` is 0. Blocks grow with the distance from
 * the first index, because typical bodies change most there. */
static bool add_blocks(Evaluation *evaluation, const Range *range, double most)
{
    double ratio = most > 0 ? log(range->possible) / fmax(2, most / 2) : 0;
    double left_before = evaluation->points_left, first = 0;
    if (most == 0 && !add_columns(evaluation, range, &first))
        return false;
    size_t n_added = (size_t)first, n_kept = evaluation->pool.large.count;
    for (double last; first < range->possible; first = last + 1) {
        last = fmin(first + fmax(1, floor((first + 1) * ratio)), range->possible) - 1;
        if (last < first)
            break; /* a double can't count further */
        if (!evaluation->approximates && --evaluation->points_left < 0)
            return too_many(evaluation, range);
        if (!add_bodies(evaluation, range, first, last, ++n_added % SHORTEN_AFTER == 0))
            return false;
        rational_pool_shrink(&evaluation->pool, n_kept);
        double so_far = (left_before - evaluation->points_left) / (double)n_added;
        if ((n_added & (n_added - 1)) == 0 && so_far * range->possible > 10 * evaluation->most_terms)
            return too_many(evaluation, range); /* judging by the terms so far */
    }
    return true;
}

static bool add_up(Evaluation *evaluation, const Range *range)
{
    if (!evaluation->approximates)
        return add_blocks(evaluation, range, 0);
    double points = evaluation->points,
           most = fmin(MOST_BLOCKS, floor(pow(points, 1.0 / range->loop->first->sum_depth)));
    bool in_blocks = range->possible > most;
    evaluation->points = fmax(16, points / fmax(1, fmin(most, range->possible)));
    evaluation->is_approximated = evaluation->is_approximated || in_blocks;
    bool is_added = add_blocks(evaluation, range, in_blocks ? most : 0);
    evaluation->points = points;
    return is_added;
}

/* The value of a sum: its own total, plus the products' totals times their coefficients in the
 * sum. */
static Value add_coefficients(RationalPool *pool, const SumLoop *loop, const AtomValue *sum)
{
    const Expr *body = sum->atom->arguments[SUM_BODY];
    Value total = sum->total.value;
    for (size_t i = 0; i < body->n_terms && loop->parts.count; i++) {
        const Term *term = &body->terms[i];
        const SumPart *part = &loop->parts.items[*map_get(&loop->part_of, (MapKey){1, term->monomial->id})];
        total = value_add(pool, total, value_multiply(pool, value_exact(term->coefficient), part->total.value));
    }
    return total;
}

bool evaluate_sums(Evaluation *evaluation, SumLoop *loop)
{
    Range range = {.loop = loop};
    if (!find_range(evaluation, &range))
        return false;
    for (size_t i = 0; i < loop->sums.count; i++)
        value_hold(&loop->sums.items[i]->total, value_exact(rational_zero));
    for (size_t i = 0; i < loop->parts.count; i++)
        value_hold(&loop->parts.items[i].total, value_exact(rational_zero));
    /* A parameter, or the index of an enclosing sum, may have the same name. */
    HeldValue outer = {0};
    value_hold(&outer, loop->index->held.value);
    bool is_added = range.possible <= evaluation->most_terms || evaluation->approximates ? add_up(evaluation, &range)
                                                                                         : too_many(evaluation, &range);
    evaluation_set(evaluation, loop->index, outer.value);
    value_release(&outer);
    for (size_t i = 0; i < loop->sums.count; i++)
        evaluation_set(evaluation, loop->sums.items[i], add_coefficients(&evaluation->pool, loop, loop->sums.items[i]));
    return is_added;
}
