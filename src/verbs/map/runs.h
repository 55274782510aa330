/* SPDX-License-Identifier: BSD-3-Clause */
/* firma map --run: runs the program as its command says and as it was mapped, in turn. */
#pragma once

#include "cli/cli.h"
#include "verbs/map/command.h"

enum { MAP_RUNS_LIMIT = 1000 };

/* The files have to be there. Output of all runs goes to `log`. times_s[0] are those of the command as it is, [1] those
 * of the mapping; [repeats] each. ERR_ENVIRONMENT: a run failed, or was interrupted; the log can't be written. */
bool map_runs_measure(Cli *cli, const LaunchFiles *files, const MapCommand *command, uint32_t repeats, const char *log,
                      double *times_s[2], Err *err);
