/* SPDX-License-Identifier: BSD-3-Clause */
/* See stopping.h. The interval from the k-th least to the k-th greatest of n samples holds the median unless fewer than
 * k of them are on one of its sides, each of which happens with the chance P(B < k), B binomial with n and 1/2. */
#include "comm/worker/stopping.h"

#include "base/arena.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tail = 0.025;

bool stopping_bounds(size_t n, size_t *low, size_t *high)
{
    /* Two more than the normal approximation says, so that the search goes downwards alone. */
    double start = ((double)n - 1.96 * sqrt((double)n)) / 2 + 2;
    size_t k = start < 0 ? 0 : (size_t)start;
    while (k > 0 && gsl_cdf_binomial_P((unsigned)k - 1, 0.5, (unsigned)n) > tail)
        k--;
    if (k == 0)
        return false;
    *low = k - 1;
    *high = n - k;
    return true;
}

bool stopping_has_reached(const double *samples, size_t n, double target)
{
    size_t low, high;
    if (!stopping_bounds(n, &low, &high))
        return false;
    double *sorted = memory_resize(NULL, n * sizeof *sorted);
    memcpy(sorted, samples, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    double median = gsl_stats_median_from_sorted_data(sorted, 1, n), width = target * median;
    bool reached = median - sorted[low] <= width && sorted[high] - median <= width;
    free(sorted);
    return reached;
}
