/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the isoefficiency (isoefficiency.h). E = 1 / (1 + overhead / work), so log(1/E - 1) is the
 * logarithm of overhead over work. If both are powers of n, it is a line over log n. firma
 * interpolates it between sizes, and extrapolates it by the two last ones. If E isn't below 1, the
 * logarithm doesn't exist, and the overhead counts as LEAST_OVERHEAD. */
#include "scaling/isoefficiency.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

static const double LEAST_OVERHEAD = 1e-3;
/* firma extrapolates by at most this factor beyond the measured sizes. */
static const double FAR_SIZES = 4;
enum { SIZES_LEAST = 2, POINTS_FOR_EXPONENT = 3 };

typedef struct Overheads {
    uint32_t n;
    double *log_size, *value, *low, *high; /* ascending size; value, low, high: logarithms of 1/E
                                              - 1 */
} Overheads;

static double log_overhead(double efficiency)
{
    return log(fmax(LEAST_OVERHEAD, 1 / efficiency - 1));
}

static const ScalePoint *point_of(const SizeScaling *size, uint32_t p)
{
    for (uint32_t i = 0; i < size->n_points; i++)
        if (size->points[i].run->p == p)
            return &size->points[i];
    return NULL;
}

/* The overheads of all sizes at p. Sizes for which p is the least p are left out: compared with
 * itself, each point is perfect. */
static Overheads overheads_of(const SizeScaling *sizes, uint32_t n_sizes, uint32_t p, Arena *arena)
{
    Overheads overheads = {0, arena_new_array(arena, double, n_sizes), arena_new_array(arena, double, n_sizes),
                           arena_new_array(arena, double, n_sizes), arena_new_array(arena, double, n_sizes)};
    for (uint32_t i = 0; i < n_sizes; i++) {
        const ScalePoint *point = point_of(&sizes[i], p);
        if (!point || point == &sizes[i].points[0])
            continue;
        uint32_t k = overheads.n++;
        overheads.log_size[k] = log(sizes[i].n);
        overheads.value[k] = log_overhead(point->efficiency);
        overheads.low[k] = log_overhead(point->speedup.high / p);
        overheads.high[k] = log_overhead(point->speedup.low / p);
    }
    return overheads;
}

/* The least log size from which on the overhead stays at or below the limit. NAN: it doesn't,
 * within FAR_SIZES beyond the measured sizes. */
static double crossing(const double *x, const double *y, uint32_t n, double limit)
{
    if (y[n - 1] > limit) { /* extrapolates by the last two */
        double slope = (y[n - 1] - y[n - 2]) / (x[n - 1] - x[n - 2]);
        double at = x[n - 1] + (limit - y[n - 1]) / slope;
        return slope < 0 && at <= x[n - 1] + log(FAR_SIZES) ? at : NAN;
    }
    for (uint32_t i = n - 1; i > 0; i--)
        if (y[i - 1] > limit)
            return x[i - 1] + (x[i] - x[i - 1]) * (limit - y[i - 1]) / (y[i] - y[i - 1]);
    double slope = (y[1] - y[0]) / (x[1] - x[0]);
    double at = x[0] + (limit - y[0]) / slope;
    return slope < 0 ? fmax(at, x[0] - log(FAR_SIZES)) : x[0];
}

static IsoefficiencyPoint find_size(const Overheads *overheads, uint32_t p, double limit)
{
    const double *x = overheads->log_size;
    uint32_t n = overheads->n;
    double at = crossing(x, overheads->value, n, limit);
    return (IsoefficiencyPoint){
        .p = p,
        .n = {exp(at), exp(crossing(x, overheads->low, n, limit)), exp(crossing(x, overheads->high, n, limit))},
        .is_extrapolated = at < x[0] || at > x[n - 1]};
}

/* The exponent e of n ~ p^e, from a line through log n over log p. */
static Estimated exponent_of(const IsoefficiencyPoint *points, uint32_t n, Arena *arena)
{
    const double quantile = 0.975;
    double *x = arena_new_array(arena, double, n), *y = arena_new_array(arena, double, n);
    size_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(points[i].n.value))
            continue;
        x[used] = log(points[i].p);
        y[used++] = log(points[i].n.value);
    }
    if (used < POINTS_FOR_EXPONENT)
        return (Estimated){NAN, NAN, NAN};
    double constant, slope, cov00, cov01, cov11, squares;
    gsl_fit_linear(x, 1, y, 1, used, &constant, &slope, &cov00, &cov01, &cov11, &squares);
    double half = gsl_cdf_tdist_Pinv(quantile, (double)used - 2) * sqrt(cov11);
    return (Estimated){slope, slope - half, slope + half};
}

bool isoefficiency_has(const IsoefficiencyPoint *points, uint32_t n, double p)
{
    for (uint32_t i = 0; i < n; i++)
        if (points[i].p == p)
            return true;
    return false;
}

static int compare_points(const void *left, const void *right)
{
    double a = ((const IsoefficiencyPoint *)left)->p, b = ((const IsoefficiencyPoint *)right)->p;
    return a < b ? -1 : a > b;
}

void isoefficiency_sort(IsoefficiencyPoint *points, uint32_t n)
{
    qsort(points, n, sizeof *points, compare_points);
}

Isoefficiency isoefficiency_make(const SizeScaling *sizes, uint32_t n_sizes, double efficiency, Arena *arena)
{
    Isoefficiency found = {.is_scalable = true, .exponent = {NAN, NAN, NAN}};
    uint32_t all = 0;
    for (uint32_t i = 0; i < n_sizes; i++)
        all += sizes[i].n_points;
    IsoefficiencyPoint *points = arena_new_array(arena, IsoefficiencyPoint, all);
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 1; k < sizes[i].n_points; k++) {
            uint32_t p = sizes[i].points[k].run->p;
            if (isoefficiency_has(points, found.n_points, p))
                continue;
            Overheads overheads = overheads_of(sizes, n_sizes, p, arena);
            if (overheads.n < SIZES_LEAST)
                continue;
            points[found.n_points] = find_size(&overheads, p, log(1 / efficiency - 1));
            found.is_scalable &= !isnan(points[found.n_points++].n.value);
        }
    isoefficiency_sort(points, found.n_points);
    found.points = points;
    found.is_scalable &= found.n_points > 0;
    found.exponent = exponent_of(points, found.n_points, arena);
    return found;
}
