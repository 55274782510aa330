/* SPDX-License-Identifier: BSD-3-Clause */
/* The two roles of a run's ranks. */
#pragma once

#include "cost/run/worker/plan.h"
#include <jansson.h>

enum { HOST_ROOM = 64 };

/* Rank 0: sends data, collects results, and writes the times. Its error is a worker's error. */
bool master_run(const Plan *plan, const char *library, Arena *arena, Err *err);

/* Writes the error of a failed run to the file of results. */
void master_save_error(const Plan *plan, const Err *err);

/* Ranks 1 …: run tasks. */
bool worker_run(const Plan *plan, uint64_t worker, Arena *arena, Err *err);
