/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and ratios of measured times, with 95 % intervals (docs/METHOD.md, section 11, *Comparing*). */
#pragma once

#include "model/comm.h"
#include "model/machine.h"

/* The time of a size. False if its samples give no interval: fewer than six samples have none for the median, and one
 * launch has none for the shortest time. */
bool estimate_of_point(const CommPoint *point, CommStatistic statistic, Estimated *time_s);

Estimated estimate_sum(Estimated a, Estimated b);
Estimated estimate_times(double factor, Estimated a);

/* a / b; both are above 0. */
Estimated estimate_ratio(Estimated a, Estimated b);
