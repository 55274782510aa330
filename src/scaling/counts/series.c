/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities over the runs, and their laws (counts.h). */
#include "scaling/counts/rows.h"

#include <math.h>

/* A quantity of less than this share of the run's time may be 0 in one run, and not in the next. */
static const double TIME_LEAST_SHARE = 1e-6;
/* A process's computation has the simplest law if it is this near, root mean square. */
static const double COMPUTATION_TOLERANCE = 0.03;

static CountSeries fit(const double *x, const double *values, uint32_t n, LawFamily family, LawKind only, Arena *arena)
{
    CountSeries series = {.values = values};
    LawPoint *points = arena_new_array(arena, LawPoint, n);
    double largest = 0;
    for (uint32_t i = 0; i < n; i++)
        largest = fmax(largest, values[i]);
    if (largest <= 0)
        return series;
    for (uint32_t i = 0; i < n; i++)
        points[i] = (LawPoint){.p = x[i], .value = fmax(values[i], largest * TIME_LEAST_SHARE), .count = 1};
    series.n_laws = laws_fit(family, only, points, n, arena, &series.laws);
    return series;
}

CountSeries count_series(const double *x, const double *values, uint32_t n, CountScaling scaling, Arena *arena)
{
    LawFamily family = scaling == COUNT_SIZES                                  ? FAMILY_SIZE
                       : scaling != COUNT_STRONG && values[n - 1] >= values[0] ? FAMILY_WEAK
                                                                               : FAMILY_STRONG;
    return fit(x, values, n, family, LAW_COUNT, arena);
}

CountSeries count_computation(const double *x, const double *values, uint32_t n, CountScaling scaling, Arena *arena)
{
    if (scaling == COUNT_SIZES)
        return count_series(x, values, n, scaling, arena);
    bool is_constant = scaling == COUNT_WEAK || (scaling == COUNT_UNKNOWN && values[n - 1] >= values[0]);
    CountSeries series = is_constant ? fit(x, values, n, FAMILY_WEAK, LAW_CONSTANT, arena)
                                     : fit(x, values, n, FAMILY_STRONG, LAW_AMDAHL, arena);
    return !series.n_laws || series.laws[0].error <= COMPUTATION_TOLERANCE ? series
                                                                           : count_series(x, values, n, scaling, arena);
}

Estimated count_series_at(const CountSeries *series, double p)
{
    return series->n_laws ? laws_time_s(series->laws, series->n_laws, p) : (Estimated){0, 0, 0};
}

double count_series_best(const CountSeries *series, double p)
{
    return series->n_laws ? fmax(0, law_value_s(&series->laws[0], p)) : 0;
}
