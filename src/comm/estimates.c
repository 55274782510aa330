/* SPDX-License-Identifier: BSD-3-Clause */
/* See estimates.h. Intervals are combined by MOVER (Zou and Donner, "Construction of confidence limits about effect
 * measures", 2008): the distances from the values to their limits are added as squares, on logarithms for a ratio. So
 * no distribution is assumed, and intervals may be lopsided. */
#include "comm/estimates.h"

#include <math.h>

bool estimate_of_point(const CommPoint *point, CommStatistic statistic, Estimated *time_s)
{
    bool has_interval =
        statistic == COMM_MINIMUM ? point->n_launches > 1 : point->n_samples >= COMM_SAMPLES_OF_AN_INTERVAL;
    Estimated found = {.value = comm_point_s(point, statistic)};
    comm_point_interval(point, statistic, &found.low, &found.high);
    found.low = fmin(found.low, found.value);
    found.high = fmax(found.high, found.value);
    if (!has_interval || !(found.low > 0))
        return false;
    *time_s = found;
    return true;
}

Estimated estimate_sum(Estimated a, Estimated b)
{
    double value = a.value + b.value;
    return (Estimated){value, value - hypot(a.value - a.low, b.value - b.low),
                       value + hypot(a.high - a.value, b.high - b.value)};
}

Estimated estimate_times(double factor, Estimated a)
{
    return (Estimated){factor * a.value, factor * a.low, factor * a.high};
}

Estimated estimate_ratio(Estimated a, Estimated b)
{
    double value = a.value / b.value;
    return (Estimated){value, value * exp(-hypot(log(a.value / a.low), log(b.high / b.value))),
                       value * exp(hypot(log(a.high / a.value), log(b.value / b.low)))};
}
