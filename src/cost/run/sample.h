/* SPDX-License-Identifier: BSD-3-Clause */
/* What calibration needs of statistics: which tasks stand for all, and what a few runs say of the next one. */
#pragma once

#include "base/arena.h"
#include "model/interval.h"
#include <stddef.h>
#include <stdint.h>

/* n of the tasks 1 … n_tasks, evenly spread, ascending. n <= n_tasks. */
const uint64_t *sample_tasks(uint64_t n_tasks, uint64_t n, Arena *arena);

/* Where the next of such ratios (> 0) will be, 95 % of the times, if their logarithms are normal: by Student's t. From
 * one ratio alone nothing follows: it is both ends. */
Interval sample_interval(const double *ratios, size_t n);
