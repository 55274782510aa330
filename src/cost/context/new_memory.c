/* SPDX-License-Identifier: BSD-3-Clause */
/* What new memory costs, by kernels that ran where memory was used before, and in processes of their own. */
#include "cost/context/kernels.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Smaller blocks' pages are lost in the noise of runs. Fewer prices than these tell nothing of their spread. */
enum { LEAST_NEW_BYTES = 1 << 20, LEAST_PRICES = 5 };
#define LEAST_SHARE 0.5

typedef VEC(double) Prices;

/* Sorted. least_share: of a run's time that new memory must take at this price; 0: any. */
static void find_prices(const ContextRun *runs, size_t n, double price_s, double least_share, Prices *prices)
{
    prices->count = 0;
    for (size_t i = 0; i < n; i++)
        if (runs[i].new_s > 0 && runs[i].bytes >= LEAST_NEW_BYTES &&
            runs[i].bytes * price_s >= least_share * runs[i].time_s)
            *vec_push(prices) = fmax(0, (runs[i].new_s - runs[i].time_s) / runs[i].bytes);
    if (prices->count)
        gsl_sort(prices->items, 1, prices->count);
}

/* Of runs in which new memory takes little, the price is mostly noise. Which these are, the median of all tells. */
Interval kernels_new_byte_s(const ContextRun *runs, size_t n)
{
    const double outside = (1 - CONTEXT_SHARE) / 2;
    Prices prices = {0};
    Interval found = {0, 0};
    find_prices(runs, n, 0, 0, &prices);
    if (prices.count)
        find_prices(runs, n, gsl_stats_median_from_sorted_data(prices.items, 1, prices.count), LEAST_SHARE, &prices);
    if (prices.count)
        found = (Interval){gsl_stats_quantile_from_sorted_data(prices.items, 1, prices.count, outside),
                           gsl_stats_quantile_from_sorted_data(prices.items, 1, prices.count, 1 - outside)};
    if (prices.count < LEAST_PRICES)
        found.low = 0;
    vec_free(&prices);
    return found;
}
