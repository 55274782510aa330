/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics of all samples of one size. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* Sets count, minimum, median, mean, percentiles, the median's interval, and whether this interval
 * is within ±target. n >= 1. The interval comes from order statistics, and is widened to contain
 * each launch's own median: a launch has one draw of addresses and processors, so its samples alone
 * would give too narrow an interval. */
void statistics_fill(const double *samples_s, const uint32_t *launches, uint64_t n, double target, CommPoint *point);
