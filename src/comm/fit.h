/* SPDX-License-Identifier: BSD-3-Clause */
/* Times over sizes to lines: robust, piecewise where one line doesn't hold, with intervals; spec 3 §3.3. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

/* Fills in the segments of a path, `linear`, and the errors, from a series of ping-pongs (at least two sizes, else no
 * segments). Break points (eager to rendezvous, fragments) are found, not assumed: as few segments as describe what was
 * measured within its noise. Weights are 1/t². Latencies and costs per byte are never negative: what would need it is
 * flagged instead. */
void fit_path(const CommSeries *series, Arena *arena, MachinePath *path);
