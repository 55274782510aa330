/* SPDX-License-Identifier: BSD-3-Clause */
/* See recursion.h. M is the measure, n0 its threshold, and w the weights of the self-calls:
 *
 *     T(n - c), all alike      seq (k = 0, L - 1) w^k f(n - c k); then w^L f(n - c L)
 *     T(n - 1) + T(n - 2)      N(k) calls of n - k, by a linear recurrence
 *     T(n/b), T(n/b^2)         the same, with n/b^k in place of n - k
 *     T(⌊n/2⌋) + T(⌈n/2⌉)      on level k, n mod 2^k calls of ⌊n/2^k⌋ + 1, all others of ⌊n/2^k⌋
 *     T(n/3) + T(2n/3)         Akra and Bazzi's density of calls over their sizes
 *
 * L is the number of levels whose calls call again. */
#include "cost/source/recursion/recursion.h"

#include "cost/source/recursion/recurrence.h"
#include "cost/source/values/block.h"

#include <math.h>

enum { CALLS_LIMIT = 16, LARGEST_BASE = 16, LARGEST_STEP = 8 };

/* How a self-call changes the measure. */
typedef enum Change { CHANGE_SHIFT, CHANGE_FLOOR, CHANGE_CEIL, CHANGE_SHARE } Change;
typedef struct Branch {
    Change change;
    int64_t by;         /* SHIFT: the step; FLOOR, CEIL: the base */
    double share;       /* SHARE: of the measure, as on far levels */
    const Expr *weight; /* calls of this kind that a call makes */
    double number;      /* the weight, if it is a number; NAN */
} Branch;

typedef struct Closing {
    const Recursion *recursion;
    ExprSpace *space;
    const Measure *measure;
    const char *once, *level_name, *size_name, *levels_name;
    /* Symbols: the level; the measure of the first call, and its number of levels. */
    const Expr *level, *size, *levels;
    size_t n;
    Branch branches[CALLS_LIMIT];
    VEC(PamelaNode *) nodes;
} Closing;

/* ---- Short forms ---- */

static const Expr *integer(const Closing *closing, int64_t value)
{
    return expr_integer(closing->space, value);
}

static const Expr *function(const Closing *closing, ExprFunction name, const Expr *a, const Expr *b)
{
    return expr_function(closing->space, name, (const Expr *[]){a, b}, b ? 2 : 1);
}

static const Expr *add(const Closing *closing, const Expr *a, const Expr *b)
{
    return expr_add(closing->space, a, b);
}

static const Expr *subtract(const Closing *closing, const Expr *a, const Expr *b)
{
    return expr_subtract(closing->space, a, b);
}

static const Expr *multiply(const Closing *closing, const Expr *a, const Expr *b)
{
    return expr_multiply(closing->space, a, b);
}

static const Expr *to_the(const Closing *closing, const Expr *weight, const Expr *exponent)
{
    return weight == integer(closing, 1) ? weight : function(closing, EXPR_POW, weight, exponent);
}

static const Expr *power(const Closing *closing, int64_t base, const Expr *exponent)
{
    return function(closing, EXPR_POW, integer(closing, base), exponent);
}

static const Expr *value_of(const Closing *closing)
{
    return measure_value(closing->recursion, closing->measure);
}

static const char *free_name(const Recursion *recursion, const char *wanted)
{
    const char *name = wanted;
    for (size_t i = 0; i < recursion->function->n_parameters; i++)
        if (strcmp(recursion->names[i], name) == 0)
            return free_name(recursion, arena_printf(recursion->all->arena, "%s_", name));
    return name;
}

/* ---- How self-calls change the measure ---- */

static int64_t divided(int64_t m, int64_t base, bool up)
{
    return up ? (m + base - 1) / base : m / base;
}

static bool next_at(const Closing *closing, size_t call, int64_t i, int64_t *m, int64_t *next)
{
    *m = i < MEASURE_TESTED ? closing->measure->threshold + i : MEASURE_FAR + i;
    return measure_next(closing->recursion, closing->measure, call, *m, next);
}

static bool is_shift(const Closing *closing, size_t call, Branch *branch)
{
    int64_t m, next, first = 0;
    for (int64_t i = 0; i < MEASURE_TESTED + 5; i++) {
        if (!next_at(closing, call, i, &m, &next))
            return false;
        first = i ? first : m - next;
        if (m - next != first)
            return false;
    }
    *branch = (Branch){.change = CHANGE_SHIFT, .by = first};
    return first > 0;
}

static bool is_divided(const Closing *closing, size_t call, int64_t base, bool up, Branch *branch)
{
    int64_t m, next;
    if (closing->measure->threshold < (up ? 2 : 1))
        return false;
    for (int64_t i = 0; i < MEASURE_TESTED + 5; i++)
        if (!next_at(closing, call, i, &m, &next) || next != divided(m, base, up))
            return false;
    *branch = (Branch){.change = up ? CHANGE_CEIL : CHANGE_FLOOR, .by = base};
    return true;
}

static bool is_share(const Closing *closing, size_t call, Branch *branch)
{
    int64_t m, next;
    if (!next_at(closing, call, MEASURE_TESTED, &m, &next) || closing->measure->threshold < 1)
        return false;
    double share = floor((double)next / (double)m * 1000 + 0.5) / 1000;
    for (int64_t base = 2; base <= LARGEST_BASE; base++)
        for (int64_t part = 1; part < base; part++)
            if (fabs((double)next / (double)m - (double)part / (double)base) < 1e-5)
                share = (double)part / (double)base;
    for (int64_t i = 0; i < MEASURE_TESTED + 5; i++)
        if (!next_at(closing, call, i, &m, &next) || fabs((double)next - share * (double)m) > 2)
            return false;
    *branch = (Branch){.change = CHANGE_SHARE, .share = share};
    return share > 0 && share < 1;
}

static bool find_branch(const Closing *closing, size_t call, Branch *branch)
{
    bool is_found = is_shift(closing, call, branch);
    for (int64_t base = 2; base <= LARGEST_BASE && !is_found; base++)
        is_found = is_divided(closing, call, base, false, branch) || is_divided(closing, call, base, true, branch);
    if (!is_found && !is_share(closing, call, branch))
        return false;
    branch->weight = measure_weight(closing->recursion, closing->measure, call);
    if (!expr_is_number(branch->weight, &branch->number))
        branch->number = NAN;
    return true;
}

static const Expr *whole_weight(const Closing *closing)
{
    const Expr *sum = integer(closing, 0);
    for (size_t i = 0; i < closing->n; i++)
        sum = add(closing, sum, closing->branches[i].weight);
    return sum;
}

static bool all_change(const Closing *closing, Change change)
{
    for (size_t i = 0; i < closing->n; i++)
        if (closing->branches[i].change != change)
            return false;
    return true;
}

static bool all_alike(const Closing *closing)
{
    for (size_t i = 1; i < closing->n; i++)
        if (closing->branches[i].change != closing->branches[0].change ||
            closing->branches[i].by != closing->branches[0].by ||
            closing->branches[i].share != closing->branches[0].share)
            return false;
    return true;
}

/* ---- Nodes ---- */

/* The arguments of calls whose measure has this value; of levels of equal steps, also other parameters
 * that change by equal steps. NULL: an argument isn't known. */
static const Expr **arguments_of(const Closing *closing, const Expr *value, const Expr *level)
{
    const Recursion *recursion = closing->recursion;
    size_t n = recursion->function->n_parameters, count = 0;
    const Expr **arguments = arena_new_array(recursion->all->arena, const Expr *, n);
    for (size_t i = 0; i < n; i++) {
        const Expr *symbol = expr_symbol(closing->space, recursion->names[i]), *step = NULL;
        bool is_measured = (int)i == closing->measure->plus || (int)i == closing->measure->minus;
        double number;
        if (!recursion->is_used[i])
            continue;
        for (size_t call = 0; call < recursion->n_calls; call++) {
            const Expr *argument = recursion->calls[call].arguments[i];
            const Expr *by = argument ? subtract(closing, argument, symbol) : NULL;
            if (!by || !expr_is_number(by, &number) || (call && by != step)) {
                step = NULL;
                break;
            }
            step = by;
        }
        if (step && (level || step == integer(closing, 0)))
            arguments[count++] = level ? add(closing, symbol, multiply(closing, step, level)) : symbol;
        else if (is_measured && value)
            arguments[count++] = measure_substitute(recursion, closing->measure, symbol, value, 0);
        else
            return NULL;
    }
    return arguments;
}

static bool add_call(Closing *closing, const Expr *number, const Expr *value, const Expr *level)
{
    PamelaNode *node = node_new(closing->recursion->all, PAMELA_CALL);
    size_t n = 0;
    node->arguments = arguments_of(closing, value, level);
    for (size_t i = 0; i < closing->recursion->function->n_parameters; i++)
        n += closing->recursion->is_used[i];
    node->name = closing->once;
    node->amount = number;
    node->n_arguments = n;
    *vec_push(&closing->nodes) = node;
    return node->arguments;
}

/* Puts the nodes from `first` on into a loop over an index. */
static void close_loop(Closing *closing, size_t first, const char *index, const Expr *from, const Expr *to,
                       const char *comment)
{
    Generator *all = closing->recursion->all;
    Block block = {0};
    PamelaNode *node = node_new(all, PAMELA_SEQ), **children = arena_new_array(all->arena, PamelaNode *, 1);
    for (size_t i = first; i < closing->nodes.count; i++)
        block_append(&block, closing->nodes.items[i]);
    children[0] = block_end(all, &block);
    closing->nodes.count = first;
    node->name = index;
    node->comment = comment;
    node->from = from;
    node->to = to;
    node->step = integer(closing, 1);
    node->children = children;
    node->n_children = 1;
    *vec_push(&closing->nodes) = node;
}

static void close_levels(Closing *closing, size_t first)
{
    close_loop(closing, first, closing->level_name, integer(closing, 0),
               subtract(closing, closing->levels, integer(closing, 1)), "levels of the recursion");
}

/* ---- Levels ---- */

/* The number of levels with n - step k >= n0. */
static const Expr *levels_of_shift(const Closing *closing, int64_t step)
{
    const Expr *steps =
        expr_divide(closing->space, subtract(closing, value_of(closing), integer(closing, closing->measure->threshold)),
                    integer(closing, step));
    const Expr *levels =
        add(closing, step == 1 ? steps : function(closing, EXPR_FLOOR, steps, NULL), integer(closing, 1));
    return function(closing, EXPR_MAX, levels, integer(closing, 0));
}

/* With ⌊n/b^k⌋ >= n0 or ⌈n/b^k⌉ >= n0. The half makes up for the logarithm's rounding. */
static const Expr *levels_of_division(const Closing *closing, int64_t base, bool up)
{
    int64_t threshold = closing->measure->threshold;
    const Expr *half = expr_rational(closing->space, up ? -1 : 1, 2), *least = integer(closing, threshold);
    const Expr *whole = add(closing, function(closing, EXPR_MAX, value_of(closing), least), half);
    const Expr *ratio = expr_divide(closing->space, whole, integer(closing, up ? threshold - 1 : threshold));
    const Expr *logarithm = base == 2 ? function(closing, EXPR_LOG2, ratio, NULL)
                                      : expr_divide(closing->space, function(closing, EXPR_LOG, ratio, NULL),
                                                    function(closing, EXPR_LOG, integer(closing, base), NULL));
    const Expr *levels = add(closing, function(closing, EXPR_FLOOR, logarithm, NULL), integer(closing, 1));
    return multiply(closing, function(closing, EXPR_STEP, subtract(closing, value_of(closing), least), NULL), levels);
}

/* ---- Shapes ---- */

/* All self-calls are alike: w^k calls on level k, from 0 to the first without self-calls. */
static bool close_alike(Closing *closing, const Expr **levels)
{
    const Branch *first = &closing->branches[0];
    const Expr *weight = whole_weight(closing);
    if (!all_alike(closing))
        return false;
    bool is_shift = first->change == CHANGE_SHIFT, up = first->change == CHANGE_CEIL;
    int64_t by = first->change == CHANGE_SHARE ? (int64_t)floor(1 / first->share + 0.5) : first->by;
    if (first->change == CHANGE_SHARE && fabs(1 / first->share - (double)by) > 1e-9)
        return false;
    *levels = is_shift ? levels_of_shift(closing, by) : levels_of_division(closing, by, up);
    for (int last = 0; last < 2; last++) {
        const Expr *level = last ? closing->levels : closing->level;
        const Expr *number = to_the(closing, weight, level);
        const Expr *next = is_shift
                               ? subtract(closing, closing->size, multiply(closing, integer(closing, by), level))
                               : function(closing, up ? EXPR_CEIL : EXPR_FLOOR,
                                          expr_divide(closing->space, closing->size, power(closing, by, level)), NULL);
        if (!add_call(closing, number, next, is_shift ? level : NULL))
            return false;
        if (!last)
            close_levels(closing, 0);
    }
    return true;
}

/* The exponent of a base; 0: it is no power of it. */
static int64_t exponent_of(int64_t number, int64_t base)
{
    int64_t exponent = 0;
    for (; number % base == 0; number /= base)
        exponent++;
    return number == 1 ? exponent : 0;
}

/* The steps of self-calls: c of T(n - c), or c of T(n/b^c). */
static bool find_steps(const Closing *closing, int64_t base, RecurrenceStep *steps)
{
    for (size_t i = 0; i < closing->n; i++) {
        const Branch *branch = &closing->branches[i];
        steps[i] = (RecurrenceStep){base ? exponent_of(branch->by, base) : branch->by, branch->number};
        if (isnan(branch->number) || steps[i].step < 1 || steps[i].step > LARGEST_STEP)
            return false;
    }
    return true;
}

static const Expr *value_after(const Closing *closing, int64_t base, bool up, const Expr *steps)
{
    const Expr *value = closing->size;
    return base ? function(closing, up ? EXPR_CEIL : EXPR_FLOOR,
                           expr_divide(closing->space, value, power(closing, base, steps)), NULL)
                : subtract(closing, value, steps);
}

/* The calls j steps behind the last that calls again: from those that are at most LARGEST_STEP before. */
static const Expr *number_behind(const Closing *closing, const RecurrenceStep *steps, int64_t j)
{
    const Expr *levels = closing->levels;
    const Expr *sum = integer(closing, 0);
    if (j == 0)
        return recurrence_number(closing->space, steps, closing->n, levels);
    for (size_t i = 0; i < closing->n; i++) {
        const Expr *at = add(closing, levels, integer(closing, j - steps[i].step));
        if (steps[i].step > j)
            sum = add(closing, sum,
                      multiply(closing,
                               multiply(closing, expr_real(closing->space, steps[i].weight),
                                        function(closing, EXPR_STEP, at, NULL)),
                               recurrence_number(closing->space, steps, closing->n, at)));
    }
    return sum;
}

static bool close_linear(Closing *closing, const Expr **levels)
{
    RecurrenceStep steps[CALLS_LIMIT];
    bool up = closing->branches[0].change == CHANGE_CEIL;
    int64_t base = all_change(closing, CHANGE_SHIFT) ? 0 : INT64_MAX, largest = 0;
    if (base && !all_change(closing, CHANGE_FLOOR) && !all_change(closing, CHANGE_CEIL))
        return false;
    for (size_t i = 0; base && i < closing->n; i++)
        base = closing->branches[i].by < base ? closing->branches[i].by : base;
    if (!find_steps(closing, base, steps) || !recurrence_number(closing->space, steps, closing->n, closing->level))
        return false;
    for (size_t i = 0; i < closing->n; i++)
        largest = steps[i].step > largest ? steps[i].step : largest;
    *levels = base ? levels_of_division(closing, base, up) : levels_of_shift(closing, 1);
    if (!add_call(closing, recurrence_number(closing->space, steps, closing->n, closing->level),
                  value_after(closing, base, up, closing->level), NULL))
        return false;
    close_levels(closing, 0);
    for (int64_t j = 0; j < largest; j++)
        if (!add_call(closing, number_behind(closing, steps, j),
                      value_after(closing, base, up, add(closing, closing->levels, integer(closing, j))), NULL))
            return false;
    return true;
}

/* Halves that differ by one at most: the sizes of a level, too, differ by one at most. */
static bool close_halves(Closing *closing, const Expr **levels)
{
    const Expr *weights[2] = {integer(closing, 0), integer(closing, 0)};
    int64_t threshold = closing->measure->threshold;
    for (size_t i = 0; i < closing->n; i++) {
        const Branch *branch = &closing->branches[i];
        if (branch->by != 2 || (branch->change != CHANGE_FLOOR && branch->change != CHANGE_CEIL) ||
            isnan(branch->number))
            return false;
        weights[branch->change == CHANGE_CEIL] = add(closing, weights[branch->change == CHANGE_CEIL], branch->weight);
    }
    if (weights[0] != weights[1])
        return false;
    const Expr *value = closing->size, *one = integer(closing, 1);
    *levels = levels_of_division(closing, 2, false);
    for (int last = 0; last < 2; last++) {
        const Expr *level = last ? closing->levels : closing->level, *parts = power(closing, 2, level);
        const Expr *small = function(closing, EXPR_FLOOR, expr_divide(closing->space, value, parts), NULL);
        const Expr *larger = subtract(closing, value, multiply(closing, parts, small));
        const Expr *factor = to_the(closing, weights[0], level);
        if (!add_call(closing, multiply(closing, factor, subtract(closing, parts, larger)), small, NULL) ||
            !add_call(closing, multiply(closing, factor, larger), add(closing, small, one), NULL))
            return false;
        if (!last) {
            close_levels(closing, 0);
            continue;
        }
        /* Calls of size n0 on the last level call again, calls of size n0 - 1 don't. */
        const Expr *again =
            function(closing, EXPR_STEP, subtract(closing, small, integer(closing, threshold - 1)), NULL);
        const Expr *number = multiply(closing, multiply(closing, factor, weights[0]), multiply(closing, larger, again));
        if (!add_call(closing, number, integer(closing, threshold / 2), NULL) ||
            !add_call(closing, number, integer(closing, threshold - threshold / 2), NULL))
            return false;
    }
    return true;
}

/* ---- Akra and Bazzi ---- */

enum { FITTED_SIZES = 5 };

/* The exact number of calls of size >= n0 but the first one. */
static double count_calls(const Closing *closing, int64_t size, Arena *scratch)
{
    double *numbers = arena_new_array(scratch, double, (size_t)size + 1), sum = 0;
    numbers[size] = 1;
    for (int64_t m = size; m >= closing->measure->threshold; m--) {
        sum += m < size ? numbers[m] : 0;
        for (size_t i = 0; numbers[m] > 0 && i < closing->n; i++) {
            int64_t next;
            if (measure_next(closing->recursion, closing->measure, i, m, &next) && next >= 0 && next <= size)
                numbers[next] += numbers[m] * closing->branches[i].number;
        }
    }
    return sum;
}

/* The factor of n^p size^(-p - 1) for which the number of calls is right in the mean. */
static double fit_density(const Closing *closing, double p)
{
    static const int64_t sizes[FITTED_SIZES] = {1024, 1536, 2048, 3072, 4096};
    double ratios = 0;
    for (size_t i = 0; i < FITTED_SIZES; i++) {
        Arena *scratch = arena_new();
        double sum = 0;
        for (int64_t m = closing->measure->threshold; m < sizes[i]; m++)
            sum += pow((double)sizes[i], p) * pow((double)m, -p - 1);
        ratios += count_calls(closing, sizes[i], scratch) / sum / FITTED_SIZES;
        arena_free(scratch);
    }
    return ratios;
}

static bool close_by_density(Closing *closing, const Expr **levels, const SourcePlace *call)
{
    double weights[CALLS_LIMIT], shares[CALLS_LIMIT], sum = 0;
    for (size_t i = 0; i < closing->n; i++) {
        shares[i] = closing->branches[i].share;
        weights[i] = closing->branches[i].number;
        sum += weights[i];
        if (isnan(weights[i]))
            return false;
    }
    Generator *all = closing->recursion->all;
    int64_t threshold = closing->measure->threshold;
    double p = recurrence_exponent(weights, shares, closing->n), rounded = floor(p * 1e6 + 0.5) / 1e6;
    if (sum <= 1)
        return false;
    const char *part_name = free_name(closing->recursion, "part");
    const Expr *size = expr_symbol(closing->space, part_name), *value = closing->size;
    *levels = integer(closing, 0);
    const Expr *exponent = expr_real(closing->space, rounded);
    double fitted = strtod(arena_printf(all->arena, "%.6g", fit_density(closing, rounded)), NULL);
    const Expr *factor =
        multiply(closing, expr_real(closing->space, fitted), function(closing, EXPR_POW, value, exponent));
    const Expr *density = expr_divide(closing->space, factor,
                                      function(closing, EXPR_POW, size, add(closing, exponent, integer(closing, 1))));
    const Expr *calls = function(closing, EXPR_STEP, subtract(closing, value, integer(closing, threshold)), NULL);
    if (!add_call(closing, density, size, NULL) ||
        !add_call(closing, multiply(closing, density, expr_real(closing->space, sum - 1)),
                  integer(closing, threshold - 1), NULL))
        return false;
    close_loop(closing, 0, part_name, integer(closing, threshold), subtract(closing, value, integer(closing, 1)),
               "calls by their sizes");
    finding_add(all, call, NULL,
                arena_printf(all->arena,
                             "the calls of %s are approximated by Akra and Bazzi's theorem: their number grows as the "
                             "size to the power of %.4g",
                             closing->recursion->function->name, p));
    return add_call(closing, integer(closing, 1), value, NULL) &&
           add_call(closing, multiply(closing, calls, expr_real(closing->space, sum)), integer(closing, threshold - 1),
                    NULL);
}

/* ---- All ---- */

/* Whether a call may make several others, and only probabilities that nobody knows tell how many: the number of all calls
 * may grow as a power of it, so it is better counted. */
static bool is_guess(const Closing *closing, const Expr *weight)
{
    const Generator *all = closing->recursion->all;
    VEC(ExprBinding) bindings = {0};
    Interval most = {INFINITY, INFINITY};
    Err err = {0};
    for (size_t i = 0; i < all->findings.count; i++) {
        const AnalysisFinding *finding = &all->findings.items[i];
        if (finding->is_assumed && finding->parameter && expr_has_symbol(weight, finding->parameter))
            *vec_push(&bindings) = (ExprBinding){finding->parameter, {0, 1}};
    }
    bool is_known =
        !bindings.count || (expr_evaluate(weight, bindings.items, bindings.count, &most, NULL, &err) && most.high < 1 + 1e-9);
    vec_free(&bindings);
    return !is_known;
}

static bool find_branches(Closing *closing)
{
    closing->n = closing->recursion->n_calls;
    if (!closing->n || closing->n > CALLS_LIMIT)
        return false;
    for (size_t i = 0; i < closing->n; i++)
        if (!find_branch(closing, i, &closing->branches[i]))
            return false;
    return !is_guess(closing, whole_weight(closing));
}

static bool close_exactly(Closing *closing, const Expr **levels)
{
    bool (*const shapes[])(Closing *, const Expr **) = {close_alike, close_linear, close_halves};
    for (size_t i = 0; i < closing->n; i++)
        if (closing->branches[i].change == CHANGE_SHARE)
            return false;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        closing->nodes.count = 0;
        if (shapes[i](closing, levels))
            return true;
    }
    return false;
}

/* Takes all parts as shares of the size. */
static bool close_about(Closing *closing, const Expr **levels, const SourcePlace *call)
{
    const Recursion *recursion = closing->recursion;
    for (size_t i = 0; i < closing->n; i++) {
        Branch *branch = &closing->branches[i];
        if (branch->change == CHANGE_SHIFT)
            return false;
        if (branch->change != CHANGE_SHARE)
            branch->share = 1 / (double)branch->by;
        branch->change = CHANGE_SHARE;
        branch->by = 0;
    }
    closing->nodes.count = 0;
    if (close_alike(closing, levels)) {
        finding_add(recursion->all, call, NULL,
                    arena_printf(recursion->all->arena,
                                 "the sizes in calls of %s are rounded: each counts as a whole part of the one before",
                                 recursion->function->name));
        return true;
    }
    closing->nodes.count = 0;
    return close_by_density(closing, levels, call);
}

static bool close_by(Closing *closing, bool exactly, const Expr **levels, const SourcePlace *call)
{
    if (!find_branches(closing))
        return false;
    bool is_even = all_alike(closing) && closing->branches[0].change == CHANGE_SHIFT;
    if (!is_even && !measure_decides(closing->recursion, closing->measure))
        return false;
    return exactly ? close_exactly(closing, levels) : close_about(closing, levels, call);
}

/* ---- The model ---- */

/* The sub-model of all calls, in terms of the first one's size and levels, and of the parameters that it
 * needs besides; and a call of it. */
static PamelaNode *calls_of(const Closing *closing, const char *name, PamelaNode *body, const Expr *levels)
{
    const Recursion *recursion = closing->recursion;
    Generator *all = recursion->all;
    size_t n_most = recursion->function->n_parameters + 2, n = 0;
    const char **names = arena_new_array(all->arena, const char *, n_most);
    const Expr **arguments = arena_new_array(all->arena, const Expr *, n_most);
    if (node_has_symbol(body, closing->size_name)) {
        names[n] = closing->size_name;
        arguments[n++] = value_of(closing);
    }
    if (node_has_symbol(body, closing->levels_name)) {
        names[n] = closing->levels_name;
        arguments[n++] = levels;
    }
    for (size_t i = 0; i < recursion->function->n_parameters; i++)
        if (node_has_symbol(body, recursion->names[i])) {
            names[n] = recursion->names[i];
            arguments[n++] = expr_symbol(closing->space, recursion->names[i]);
        }
    *vec_push(&all->subs) =
        (PamelaSub){.name = name,
                    .comment = arena_printf(all->arena, "%s: all calls", place_text(all, &recursion->function->place)),
                    .n_parameters = n,
                    .parameters = names,
                    .body = body};
    PamelaNode *node = node_new(all, PAMELA_CALL);
    node->name = name;
    node->amount = integer(closing, 1);
    node->n_arguments = n;
    node->arguments = arguments;
    return node;
}

static PamelaNode *nodes_of(Closing *closing)
{
    Block block = {0};
    for (size_t i = 0; i < closing->nodes.count; i++)
        block_append(&block, closing->nodes.items[i]);
    return block_end(closing->recursion->all, &block);
}

PamelaNode *recursion_close(const Recursion *recursion, const char *once, const char *calls, const SourcePlace *call)
{
    Generator *all = recursion->all;
    Measure measure;
    Closing closing = {.recursion = recursion,
                       .space = all->space,
                       .measure = &measure,
                       .once = once,
                       .level_name = free_name(recursion, "level"),
                       .size_name = free_name(recursion, "size"),
                       .levels_name = free_name(recursion, "levels")};
    PamelaNode *node = NULL;
    closing.level = expr_symbol(all->space, closing.level_name);
    closing.size = expr_symbol(all->space, closing.size_name);
    closing.levels = expr_symbol(all->space, closing.levels_name);
    for (int round = 0; round < 2 && !node; round++)
        for (unsigned candidate = 0; !node && measure_find(recursion, &candidate, &measure);) {
            const Expr *levels;
            if (close_by(&closing, round == 0, &levels, call))
                node = calls_of(&closing, calls, nodes_of(&closing), levels);
        }
    vec_free(&closing.nodes);
    return node;
}
