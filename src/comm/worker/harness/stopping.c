/* SPDX-License-Identifier: BSD-3-Clause */
/* See stopping.h. */
#include "comm/worker/harness/stopping.h"

#include "base/arena.h"
#include "base/median.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

bool stopping_has_reached(const double *samples, size_t n, double target)
{
    size_t low, high;
    if (!median_bounds(n, &low, &high))
        return false;
    double *sorted = memory_resize(NULL, n * sizeof *sorted);
    memcpy(sorted, samples, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    double median = gsl_stats_median_from_sorted_data(sorted, 1, n), width = target * median;
    bool reached = median - sorted[low] <= width && sorted[high] - median <= width;
    free(sorted);
    return reached;
}
