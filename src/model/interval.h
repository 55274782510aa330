/* SPDX-License-Identifier: BSD-3-Clause */
/* An interval of values, [low, high], low <= high, both finite. */
#pragma once

typedef struct Interval {
    double low, high;
} Interval;
