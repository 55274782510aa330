/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits lines to the times of messages as a function of their size: robust, in segments where one
 * line isn't enough, with intervals (docs/METHOD.md, section 12). */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

/* Fits a statistic of a series of ping-pongs, and sets the path's segments, `linear` and errors. A series of fewer
 * than two sizes gives no segments. The borders of segments (eager to rendezvous, fragments) are
 * found, not given: as few segments as describe the measurement within its noise. Weights are 1/t².
 * Latencies and costs per byte are never negative; if a good fit would need that, `linear` is
 * false. Times never fall with size: what disturbs a measurement makes messages slower, so a smaller message counts
 * with at most the time of a larger one. */
void fit_path(const CommSeries *series, CommStatistic statistic, Arena *arena, MachinePath *path);
