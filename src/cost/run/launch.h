/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches master and workers. Private to this folder. */
#pragma once

#include "cost/run/run.h"

/* The command line of a run. ERR_ENVIRONMENT: there is no launcher, or no worker program for its
 * MPI. */
bool launch_command(const RunRequest *request, const char *plan, Arena *arena, const char *const **command, Err *err);

/* Runs the command until the master has written the file `results`. `say` (may be NULL) gets the
 * tasks' output. ERR_ENVIRONMENT: the command ended without writing the file. ERR_NEGATIVE:
 * interrupted. */
bool launch_follow(const char *const *command, const char *const *environment, const char *results,
                   void (*say)(const char *line), Arena *arena, Err *err);
