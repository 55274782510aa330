/* SPDX-License-Identifier: BSD-3-Clause */
/* firma map --run: runs the unchanged command and the mapped one, in turn. */
#pragma once

#include "cli/cli.h"
#include "verbs/map/command.h"

enum { MAP_RUNS_LIMIT = 1000 };

/* `files` must be written before. The output of all runs goes to `log`. Fills times_s[0] with times
 * of the unchanged command, times_s[1] with those of the mapped one; [repeats] each.
 * ERR_ENVIRONMENT: a run failed or was interrupted, or the log can't be written. */
bool map_runs_measure(Cli *cli, const LaunchFiles *files, const MapCommand *command, uint32_t repeats, const char *log,
                      double *times_s[2], Err *err);
