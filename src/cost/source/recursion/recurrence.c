/* SPDX-License-Identifier: BSD-3-Clause */
/* See recurrence.h. */
#include "cost/source/recursion/recurrence.h"

#include <math.h>

/* Up to there, numbers of calls are compared; they must fit into a double exactly. */
enum { COMPARED = 64, MOST_STEPS = 16 };

/* The x with Σ weight_i base_i^x = 1, which falls with x. */
static long double solve(const double *weights, const long double *bases, size_t n)
{
    long double low = -64, high = 64;
    for (int i = 0; i < 200; i++) {
        long double middle = low + (high - low) / 2, sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += weights[j] * powl(bases[j], middle);
        if (sum > 1)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double recurrence_exponent(const double *weights, const double *ratios, size_t n)
{
    long double bases[MOST_STEPS] = {0};
    for (size_t i = 0; i < n && i < MOST_STEPS; i++)
        bases[i] = ratios[i];
    return (double)solve(weights, bases, n);
}

static bool is_exact(const RecurrenceStep *steps, size_t n, long double root, long double factor)
{
    double numbers[COMPARED] = {1};
    for (int k = 1; k < COMPARED; k++) {
        for (size_t i = 0; i < n; i++)
            if (steps[i].step <= k)
                numbers[k] += steps[i].weight * numbers[k - steps[i].step];
        if (numbers[k] > 1e12)
            return true;
        if (floorl(factor * powl(root, k) + 0.5L) != numbers[k])
            return false;
    }
    return true;
}

/* With 18 decimals, more than a double has: numbers of calls are exact up to 10^15 or so. */
static const Expr *decimal(ExprSpace *space, long double value)
{
    const int64_t unit = 1000000000000000000;
    return value < 9 ? expr_rational(space, llroundl(value * unit), unit) : expr_real(space, (double)value);
}

const Expr *recurrence_number(ExprSpace *space, const RecurrenceStep *steps, size_t n, const Expr *k)
{
    double weights[MOST_STEPS] = {0};
    long double bases[MOST_STEPS] = {0}, slope = 0;
    if (n > MOST_STEPS)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        weights[i] = steps[i].weight;
        bases[i] = expl(-(long double)steps[i].step);
    }
    long double logarithm = solve(weights, bases, n), root = expl(logarithm);
    for (size_t i = 0; i < n; i++)
        slope += (long double)steps[i].step * weights[i] * powl(bases[i], logarithm);
    if (!is_exact(steps, n, root, 1 / slope))
        return NULL;
    const Expr *power = expr_function(space, EXPR_POW, (const Expr *[]){decimal(space, root), k}, 2);
    const Expr *number =
        expr_add(space, expr_multiply(space, decimal(space, 1 / slope), power), expr_rational(space, 1, 2));
    return expr_function(space, EXPR_FLOOR, &number, 1);
}
