/* SPDX-License-Identifier: BSD-3-Clause */
/* See statistics.h. The median's interval comes from order statistics (base/median.h). */
#include "comm/statistics.h"

#include "base/median.h"
#include <assert.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The caller frees the result. */
static double *sorted_copy(const double *samples_s, uint64_t n)
{
    double *sorted = memory_resize(NULL, n * sizeof *sorted);
    memcpy(sorted, samples_s, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    return sorted;
}

/* Extends the interval to contain each launch's median. The samples of a launch are consecutive. */
static void widen_by_launches(const double *samples_s, const uint32_t *launches, uint64_t n, CommPoint *point)
{
    for (uint64_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && launches[to] == launches[from]; to++)
            continue;
        double *sorted = sorted_copy(samples_s + from, to - from);
        double median_s = gsl_stats_median_from_sorted_data(sorted, 1, to - from);
        free(sorted);
        point->low_s = fmin(point->low_s, median_s);
        point->high_s = fmax(point->high_s, median_s);
    }
}

void statistics_fill(const double *samples_s, const uint32_t *launches, uint64_t n, double target, CommPoint *point)
{
    assert(n > 0);
    double *sorted = sorted_copy(samples_s, n);
    size_t low, high;
    bool is_bounded = median_bounds(n, &low, &high);
    point->n_samples = n;
    point->minimum_s = sorted[0];
    point->median_s = gsl_stats_median_from_sorted_data(sorted, 1, n);
    point->mean_s = gsl_stats_mean(sorted, 1, n);
    point->p5_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05);
    point->p95_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95);
    point->p99_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.99);
    /* With too few samples for an interval, the interval holds all of them. */
    point->low_s = is_bounded ? sorted[low] : sorted[0];
    point->high_s = is_bounded ? sorted[high] : sorted[n - 1];
    widen_by_launches(samples_s, launches, n, point);
    double width_s = target * point->median_s;
    point->reached =
        is_bounded && point->median_s - point->low_s <= width_s && point->high_s - point->median_s <= width_s;
    free(sorted);
}
