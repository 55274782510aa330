/* SPDX-License-Identifier: BSD-3-Clause */
/* An interval of values, [low, high], low <= high, both finite. */
#ifndef FIRMA_MODEL_INTERVAL_H
#define FIRMA_MODEL_INTERVAL_H

typedef struct Interval {
    double low, high;
} Interval;

#endif
