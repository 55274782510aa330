/* SPDX-License-Identifier: BSD-3-Clause */
/* An interval of values, [low, high], with low <= high and both finite. */
#pragma once

#include <math.h>

typedef struct Interval {
    double low, high;
} Interval;

static inline double interval_middle(Interval value)
{
    return value.low + (value.high - value.low) / 2;
}

/* The least interval that holds both. */
static inline Interval interval_hull(Interval a, Interval b)
{
    return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}
