/* SPDX-License-Identifier: BSD-3-Clause */
/* What each measured point says by itself: speedup, efficiency, serial share. Private to the
 * folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* Points of one size, ascending p. noise: relative spread of repeats; NAN: no repeats.
 * sequential_s: T*; 0: not given. */
const ScalePoint *metrics_make(const RunPoint *runs, uint32_t n, double sequential_s, double noise, Arena *arena);

/* Relative standard deviation of repeats over all points, from the median of |t / median - 1|. So a
 * few runs that took much longer don't matter. NAN: no point has three runs. */
double metrics_noise(const Runs *runs, Arena *arena);
