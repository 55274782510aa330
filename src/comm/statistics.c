/* SPDX-License-Identifier: BSD-3-Clause */
/* See statistics.h. The interval within launches comes from order statistics (base/median.h). */
#include "comm/statistics.h"

#include "base/median.h"
#include <assert.h>
#include <gsl/gsl_cdf.h>
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

/* A sum over the launches' own values, for their variance (Welford). */
typedef struct Launches {
    uint32_t n;
    double mean_s, squares;
} Launches;

static void add_launch(Launches *launches, double value_s)
{
    double off_s = value_s - launches->mean_s;
    launches->mean_s += off_s / ++launches->n;
    launches->squares += off_s * off_s * (launches->n - 1) / launches->n;
}

/* Extends an interval by the variance of the launches' own values. */
static void widen(const Launches *launches, double value_s, double least_s, double *low_s, double *high_s)
{
    if (launches->n < 2)
        return;
    double freedom = launches->n - 1;
    double half_s = gsl_cdf_tdist_Pinv(0.975, freedom) * sqrt(launches->squares / freedom / launches->n);
    *low_s = fmin(*low_s, fmax(least_s, value_s - half_s));
    *high_s = fmax(*high_s, value_s + half_s);
}

/* The samples that bound the 95 % interval of a quantile, by the normal approximation of how many samples lie below it.
 * Few samples have no such bounds; then the interval ends at the extremes. */
static void quantile_interval(const double *sorted, uint64_t n, double share, double *low_s, double *high_s)
{
    double middle = share * (double)n, half = gsl_cdf_ugaussian_Pinv(0.975) * sqrt(middle * (1 - share));
    *low_s = sorted[(uint64_t)fmax(0, floor(middle - half) - 1)];
    *high_s = sorted[(uint64_t)fmin((double)n - 1, ceil(middle + half))];
}

static const double P90 = 0.9;

static void compare_launches(const double *samples_s, const uint32_t *launches, uint64_t n, CommPoint *point)
{
    Launches medians = {0}, p90s = {0};
    point->minimum_high_s = point->minimum_s;
    for (uint64_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && launches[to] == launches[from]; to++)
            continue;
        double *sorted = sorted_copy(samples_s + from, to - from);
        point->minimum_high_s = fmax(point->minimum_high_s, sorted[0]);
        add_launch(&medians, gsl_stats_median_from_sorted_data(sorted, 1, to - from));
        add_launch(&p90s, gsl_stats_quantile_from_sorted_data(sorted, 1, to - from, P90));
        free(sorted);
    }
    point->n_launches = medians.n;
    widen(&medians, point->median_s, point->minimum_s, &point->low_s, &point->high_s);
    widen(&p90s, point->p90_s, point->minimum_s, &point->p90_low_s, &point->p90_high_s);
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
    point->p90_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, P90);
    point->p95_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95);
    point->p99_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.99);
    point->maximum_s = sorted[n - 1];
    /* With too few samples for an interval, the interval holds all of them. */
    point->low_s = is_bounded ? sorted[low] : sorted[0];
    point->high_s = is_bounded ? sorted[high] : sorted[n - 1];
    quantile_interval(sorted, n, P90, &point->p90_low_s, &point->p90_high_s);
    compare_launches(samples_s, launches, n, point);
    double width_s = target * point->median_s;
    point->reached =
        is_bounded && point->median_s - point->low_s <= width_s && point->high_s - point->median_s <= width_s;
    free(sorted);
}

/* Whether a sample lies beyond the percentile, on both sides. The extremes are the samples themselves. */
static bool is_known(uint64_t n, double share)
{
    return share <= 0 || share >= 1 || (double)n * fmin(share, 1 - share) >= 1 - 1e-9;
}

void statistics_percentiles(const double *samples_s, uint64_t n, uint32_t n_percentiles, CommPercentile *percentiles)
{
    double *sorted = sorted_copy(samples_s, n);
    for (uint32_t i = 0; i < n_percentiles; i++) {
        double share = percentiles[i].percent / 100.0;
        percentiles[i].time_s = is_known(n, share) ? gsl_stats_quantile_from_sorted_data(sorted, 1, n, share) : NAN;
    }
    free(sorted);
}
