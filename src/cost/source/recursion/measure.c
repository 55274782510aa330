/* SPDX-License-Identifier: BSD-3-Clause */
/* See measure.h. Numbers in place of the measure's parameters show what a measure does: equal
 * expressions are the same pointer. */
#include "cost/source/recursion/measure.h"

#include <string.h>

/* How small a call's argument may be, and the largest cutoff. */
enum { LEAST = -8, LARGEST_CUTOFF = 1100 };

static const Expr *integer(const Recursion *recursion, int64_t value)
{
    return expr_integer(recursion->all->space, value);
}

static const Expr *symbol(const Recursion *recursion, int parameter)
{
    return expr_symbol(recursion->all->space, recursion->names[parameter]);
}

const Expr *measure_value(const Recursion *recursion, const Measure *measure)
{
    ExprSpace *space = recursion->all->space;
    const Expr *value = integer(recursion, measure->constant);
    if (measure->plus >= 0)
        value = expr_add(space, value, symbol(recursion, measure->plus));
    return measure->minus >= 0 ? expr_subtract(space, value, symbol(recursion, measure->minus)) : value;
}

const Expr *measure_substitute(const Recursion *recursion, const Measure *measure, const Expr *expr, const Expr *value,
                               int64_t origin)
{
    ExprSpace *space = recursion->all->space;
    const char *names[2];
    const Expr *with[2], *rest = expr_subtract(space, value, integer(recursion, measure->constant));
    size_t n = 0;
    if (measure->minus >= 0) {
        names[n] = recursion->names[measure->minus];
        with[n++] = measure->plus >= 0 ? integer(recursion, origin) : expr_subtract(space, integer(recursion, 0), rest);
    }
    if (measure->plus >= 0) {
        names[n] = recursion->names[measure->plus];
        with[n++] = measure->minus >= 0 ? expr_add(space, rest, integer(recursion, origin)) : rest;
    }
    return expr_substitute(space, expr, names, with, n);
}

static const Expr *at(const Recursion *recursion, const Measure *measure, const Expr *expr, int64_t m, int64_t origin)
{
    return measure_substitute(recursion, measure, expr, integer(recursion, m), origin);
}

/* ---- What the self-calls get ---- */

static bool next_from(const Recursion *recursion, const Measure *measure, size_t call, int64_t m, int64_t origin,
                      int64_t *next)
{
    const Expr *const *arguments = recursion->calls[call].arguments;
    int64_t plus = 0, minus = 0;
    if (measure->plus >= 0 && (!arguments[measure->plus] ||
                               !expr_is_integer(at(recursion, measure, arguments[measure->plus], m, origin), &plus)))
        return false;
    if (measure->minus >= 0 && (!arguments[measure->minus] ||
                                !expr_is_integer(at(recursion, measure, arguments[measure->minus], m, origin), &minus)))
        return false;
    *next = plus - minus + measure->constant;
    return true;
}

bool measure_next(const Recursion *recursion, const Measure *measure, size_t call, int64_t m, int64_t *next)
{
    static const int64_t origins[] = {7, 1000};
    bool has_origin = measure->plus >= 0 && measure->minus >= 0;
    if (!next_from(recursion, measure, call, m, 0, next))
        return false;
    for (size_t i = 0; has_origin && i < sizeof origins / sizeof *origins; i++) {
        int64_t other;
        if (!next_from(recursion, measure, call, m, origins[i], &other) || other != *next)
            return false;
    }
    return true;
}

/* ---- When they happen ---- */

const Expr *measure_weight(const Recursion *recursion, const Measure *measure, size_t call)
{
    return at(recursion, measure, recursion->calls[call].weight, MEASURE_FAR, 0);
}

/* 1: all self-calls have their full weight at m; 0: none happens; -1: otherwise. */
static int happens(const Recursion *recursion, const Measure *measure, int64_t m)
{
    size_t full = 0, none = 0;
    for (size_t i = 0; i < recursion->n_calls; i++) {
        const Expr *weight = at(recursion, measure, recursion->calls[i].weight, m, 3);
        full += weight == measure_weight(recursion, measure, i);
        none += weight == integer(recursion, 0);
    }
    return full == recursion->n_calls ? 1 : none == recursion->n_calls ? 0 : -1;
}

static bool has_measured_symbol(const Recursion *recursion, const Measure *measure, const Expr *expr)
{
    return (measure->plus >= 0 && expr_has_symbol(expr, recursion->names[measure->plus])) ||
           (measure->minus >= 0 && expr_has_symbol(expr, recursion->names[measure->minus]));
}

/* The smallest measure of a self-call from a call with measure m >= threshold. */
static bool least_next(const Recursion *recursion, const Measure *measure, int64_t *least)
{
    *least = measure->threshold;
    for (size_t i = 0; i < recursion->n_calls; i++)
        for (int64_t m = measure->threshold; m < measure->threshold + MEASURE_TESTED; m++) {
            int64_t next;
            if (!measure_next(recursion, measure, i, m, &next) || next >= m)
                return false;
            *least = next < *least ? next : *least;
        }
    return true;
}

static bool find_threshold(const Recursion *recursion, Measure *measure)
{
    int64_t m = LARGEST_CUTOFF, least;
    for (size_t i = 0; i < recursion->n_calls; i++) {
        const Expr *weight = measure_weight(recursion, measure, i);
        if (weight == integer(recursion, 0) || has_measured_symbol(recursion, measure, weight))
            return false;
    }
    while (m > LEAST && happens(recursion, measure, m) == 1)
        m--;
    measure->threshold = m + 1;
    if (m == LARGEST_CUTOFF || m == LEAST || !least_next(recursion, measure, &least))
        return false;
    for (; m >= least; m--)
        if (happens(recursion, measure, m) != 0)
            return false;
    return true;
}

/* ---- Candidates ---- */

/* The constant in constant - k: from there on k is too large for a self-call. */
static bool find_constant(const Recursion *recursion, Measure *measure)
{
    const char *name = recursion->names[measure->minus];
    for (int64_t k = 0; k < LARGEST_CUTOFF; k++) {
        const Expr *value = integer(recursion, k);
        if (expr_substitute(recursion->all->space, recursion->calls[0].weight, &name, &value, 1) ==
            integer(recursion, 0)) {
            measure->constant = k;
            return k > 0;
        }
    }
    return false;
}

/* In this order: n; constant - k; a - b, with 0, 1 and -1 added. */
static bool candidate_at(const Recursion *recursion, unsigned candidate, Measure *measure, bool *is_last)
{
    static const int64_t constants[] = {0, 1, -1};
    unsigned n = (unsigned)recursion->function->n_parameters;
    unsigned pairs = candidate - 2 * n;
    *is_last = candidate >= 2 * n + 3 * n * n;
    if (*is_last)
        return false;
    if (candidate < n) {
        *measure = (Measure){.plus = (int)candidate, .minus = -1};
        return true;
    }
    if (candidate < 2 * n) {
        *measure = (Measure){.plus = -1, .minus = (int)(candidate - n)};
        return find_constant(recursion, measure);
    }
    *measure = (Measure){(int)(pairs / 3 / n), (int)(pairs / 3 % n), constants[pairs % 3], 0};
    return measure->plus != measure->minus;
}

static bool is_whole(const Recursion *recursion, int parameter)
{
    if (parameter < 0)
        return true;
    CpuType type = recursion->function->parameters[parameter]->type;
    return type == CPU_INT8 || type == CPU_INT16 || type == CPU_INT32 || type == CPU_INT64;
}

bool measure_find(const Recursion *recursion, unsigned *candidate, Measure *measure)
{
    bool is_last = false;
    while (!is_last) {
        bool is_one = candidate_at(recursion, (*candidate)++, measure, &is_last);
        if (is_one && is_whole(recursion, measure->plus) && is_whole(recursion, measure->minus) &&
            find_threshold(recursion, measure))
            return true;
    }
    return false;
}

/* ---- What the model depends on ---- */

/* What names mean in two calls of the function, with the same measure. */
typedef struct Meanings {
    const Recursion *recursion;
    size_t n;
    const char *names[64];
    const Expr *first[64], *second[64];
} Meanings;

static bool mean(Meanings *meanings, const char *name, const Expr *first, const Expr *second)
{
    if (meanings->n == sizeof meanings->names / sizeof *meanings->names)
        return false;
    meanings->names[meanings->n] = name;
    meanings->first[meanings->n] = first;
    meanings->second[meanings->n++] = second;
    return true;
}

static const Expr *means(const Meanings *meanings, const Expr *expr, const Expr *const *values)
{
    return expr_substitute(meanings->recursion->all->space, expr, meanings->names, values, meanings->n);
}

static bool is_same(const Meanings *meanings, const Expr *expr)
{
    return !expr || means(meanings, expr, meanings->first) == means(meanings, expr, meanings->second);
}

static bool node_is_same(const Meanings *meanings, const PamelaNode *node);

static bool loop_is_same(const Meanings *meanings, const PamelaNode *node)
{
    ExprSpace *space = meanings->recursion->all->space;
    Meanings inner = *meanings;
    const Expr *from_first = means(meanings, node->from, meanings->first);
    const Expr *from_second = means(meanings, node->from, meanings->second);
    const Expr *step = expr_symbol(space, arena_printf(meanings->recursion->all->arena, "step_%zu", meanings->n));
    return is_same(meanings, expr_subtract(space, node->to, node->from)) && is_same(meanings, node->step) &&
           mean(&inner, node->name, expr_add(space, from_first, step), expr_add(space, from_second, step)) &&
           node_is_same(&inner, node->children[0]);
}

static bool call_is_same(const Meanings *meanings, const PamelaNode *node)
{
    const PamelaSub *sub = sub_find(meanings->recursion->all, node->name);
    Meanings inner = {.recursion = meanings->recursion};
    for (size_t i = 0; sub && i < node->n_arguments; i++)
        if (!mean(&inner, sub->parameters[i], means(meanings, node->arguments[i], meanings->first),
                  means(meanings, node->arguments[i], meanings->second)))
            return false;
    return sub && is_same(meanings, node->amount) && node_is_same(&inner, sub->body);
}

static bool node_is_same(const Meanings *meanings, const PamelaNode *node)
{
    if (node->kind == PAMELA_SEQ)
        return loop_is_same(meanings, node);
    if (node->kind == PAMELA_CALL)
        return call_is_same(meanings, node);
    if (!is_same(meanings, node->amount))
        return false;
    for (size_t i = 0; i < node->n_children; i++)
        if (!node_is_same(meanings, node->children[i]))
            return false;
    return true;
}

bool measure_decides(const Recursion *recursion, const Measure *measure)
{
    static const int64_t values[] = {0, 1, 2, 5, 10, 37, 1000}, origins[] = {1, 7, 100};
    if (measure->plus < 0 || measure->minus < 0)
        return true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (size_t j = 0; j < sizeof origins / sizeof *origins; j++) {
            Meanings meanings = {.recursion = recursion};
            int64_t rest = measure->threshold + values[i] - measure->constant;
            mean(&meanings, recursion->names[measure->minus], integer(recursion, 0), integer(recursion, origins[j]));
            mean(&meanings, recursion->names[measure->plus], integer(recursion, rest),
                 integer(recursion, rest + origins[j]));
            if (!node_is_same(&meanings, recursion->body))
                return false;
        }
    return true;
}
