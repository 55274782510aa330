/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics of all samples of one size. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* Sets counts, minimum, median, mean, percentiles, intervals, and whether the median's interval
 * is within ±target. n >= 1. The samples of a launch are consecutive. The interval is the wider one of two. One comes from
 * the order statistics of all samples. The other comes from the k launches' own medians, as Student's t for k - 1
 * degrees of freedom: a launch has one draw of addresses and processors, so samples of a single launch alone give too
 * narrow an interval. */
void statistics_fill(const double *samples_s, const uint32_t *launches, uint64_t n, double target, CommPoint *point);

/* Sets `time_s` of each percentile by its `percent`. */
void statistics_percentiles(const double *samples_s, uint64_t n, uint32_t n_percentiles, CommPercentile *percentiles);
