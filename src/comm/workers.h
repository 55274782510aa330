/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what this machine has of each middleware, and builds the command lines that start
 * workers. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "comm/plan.h"

/* The launchers that were found, and the PVM virtual machine that was started. */
typedef struct Workers Workers;

/* Searches for nothing yet; workers_command() does. */
Workers *workers_new(const CommRequest *request, Arena *arena);

/* The NULL-terminated command line of a launch that measures for this many seconds.
 * ERR_ENVIRONMENT: the middleware is missing; the hint says what to install. A repeated call fails
 * in the same way. */
bool workers_command(Workers *workers, const CommPlan *plan, const PlannedLaunch *launch, double seconds,
                     const char *const **command, Err *err);

/* Stops the PVM virtual machine if firma started it. */
void workers_stop(Workers *workers);
