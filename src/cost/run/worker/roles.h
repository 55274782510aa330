/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a run do. */
#pragma once

#include "cost/run/worker/plan.h"
#include <jansson.h>

enum { HOST_ROOM = 64 };

/* Rank 0: sends data, gathers results, writes the times. An error is what a worker said. */
bool master_run(const Plan *plan, const char *library, Arena *arena, Err *err);

/* Writes why a run failed where its results would stand. */
void master_save_error(const Plan *plan, const Err *err);

/* Rank 1 …: runs its tasks. */
bool worker_run(const Plan *plan, uint64_t worker, Arena *arena, Err *err);
