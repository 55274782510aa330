/* SPDX-License-Identifier: BSD-3-Clause */
/* See median.h. The interval from the k-th least to the k-th greatest of n samples holds the median unless fewer than
 * k of them are on one of its sides, each of which happens with the chance P(B < k), B binomial with n and 1/2. */
#include "base/median.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static const double tail = 0.025;

bool median_bounds(size_t n, size_t *low, size_t *high)
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
    assert(*low <= *high && *high < n);
    return true;
}
