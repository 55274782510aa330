/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which rank 0 measures. All sizes take turns, again and again, so that a disturbance
 * of a second doesn't hit one size alone. This ends when each size has reached its target or the
 * time is up. */
#pragma once

#include "comm/worker/harness/conductor.h"

/* Measures until `request->seconds` after start_ns. Prints samples about once a second, so that
 * they survive a rank's death; and at the end, even after an error. `complete`: all sizes reached
 * their target. */
bool schedule_execute(Conductor *conductor, Worker *worker, Items *items, int64_t start_ns, bool *complete, Err *err);
