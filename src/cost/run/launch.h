/* SPDX-License-Identifier: BSD-3-Clause */
/* Master and workers under a launcher. Private to the folder. */
#pragma once

#include "cost/run/run.h"

/* The command line. ERR_ENVIRONMENT: no launcher is here, or no worker program that was built for its MPI. */
bool launch_command(const RunRequest *request, const char *plan, Arena *arena, const char *const **command, Err *err);

/* Runs the command until the master has written the file `results`. `say` (may be NULL) gets what tasks print.
 * ERR_ENVIRONMENT: the command ended without that file. ERR_NEGATIVE: interrupted. */
bool launch_follow(const char *const *command, const char *results, void (*say)(const char *line), Arena *arena,
                   Err *err);
