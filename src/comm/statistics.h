/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of one size to what is said of them. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* Fills in count, minimum, median, mean, percentiles, the interval of the median, and whether it is within ±target.
 * n >= 1. The interval is the samples' (order statistics), and as wide as the medians of launches differ, where there
 * were several: what a launch draws (addresses, processors) is drawn anew in the next. */
void statistics_fill(const double *samples_s, const uint32_t *launches, uint64_t n, double target, CommPoint *point);
