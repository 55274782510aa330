/* SPDX-License-Identifier: BSD-3-Clause */
/* An interval of values, [low, high], with low <= high and both finite. */
#pragma once

typedef struct Interval {
    double low, high;
} Interval;

static inline double interval_middle(Interval value)
{
    return value.low + (value.high - value.low) / 2;
}
