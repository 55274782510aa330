/* SPDX-License-Identifier: BSD-3-Clause */
/* See median.h. The interval reaches from the k-th least to the k-th greatest of n samples. It
 * misses the median if fewer than k samples lie below the median, or fewer than k above. Each of
 * the two happens with probability P(B < k), where B is binomial with n and 1/2. */
#include "base/median.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static const double tail = 0.025;

bool median_bounds(size_t n, size_t *low, size_t *high)
{
    /* Two more than the normal approximation gives, so that the search only has to go down. */
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
