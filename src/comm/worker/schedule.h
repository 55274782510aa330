/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 0 measures when: all sizes in turn, again and again, so that a disturbance of a second doesn't fall on one
 * of them alone, until each is known well enough or the time is up. */
#pragma once

#include "comm/worker/conductor.h"

/* Ends `request->seconds` after start_ns. Samples are printed now and then, so that they outlive a rank's death, and at
 * the end, also after an error. `complete`: each size has reached its target. */
bool schedule_execute(Conductor *conductor, Worker *worker, Items *items, int64_t start_ns, bool *complete, Err *err);
