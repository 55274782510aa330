/* SPDX-License-Identifier: BSD-3-Clause */
/* What each measured point says by itself. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* Points of one size, ascending p. noise: relative spread of repeats, NAN if there are none. */
const ScalePoint *metrics_make(const RunPoint *runs, uint32_t n, double sequential_s, double noise, Arena *arena);

/* Pooled relative standard deviation of repeats, by the median of |t / median - 1|, so that some runs that took far
 * longer don't matter; NAN: no point has three. */
double metrics_noise(const Runs *runs, Arena *arena);
