/* SPDX-License-Identifier: BSD-3-Clause */
/* What this machine has of each middleware, and the command line that starts a worker under it. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "comm/plan.h"

/* Launchers that were found, and a virtual machine of PVM that was started: to be stopped at the end. */
typedef struct Workers Workers;

/* Looks for nothing yet. */
Workers *workers_new(const CommRequest *request, Arena *arena);

/* The NULL-terminated command line of a launch, with the request for so many seconds. ERR_ENVIRONMENT: the middleware
 * isn't here, with what to install; the same each time. */
bool workers_command(Workers *workers, const CommPlan *plan, const PlannedLaunch *launch, double seconds,
                     const char *const **command, Err *err);

/* Stops what was started. */
void workers_stop(Workers *workers);
