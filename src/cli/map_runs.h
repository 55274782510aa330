/* SPDX-License-Identifier: BSD-3-Clause */
/* firma map --run: runs the program as its command says and as it was mapped, in turn. */
#ifndef FIRMA_CLI_MAP_RUNS_H
#define FIRMA_CLI_MAP_RUNS_H

#include "cli/cli.h"
#include "mapping/launch_files.h"

enum { MAP_RUNS_LIMIT = 1000 };

/* Which launcher the command has: Slurm's srun by its name, the others by the MPI that the program is linked with. */
bool map_runs_find_launcher(char *const *command, Arena *arena, LauncherKind *kind, Err *err);

/* The files have to be there. Output of all runs goes to `log`. times_s[0] are those of the command as it is, [1] those
 * of the mapping; [repeats] each. ERR_ENVIRONMENT: a run failed, or was interrupted. */
bool map_runs_measure(Cli *cli, const LaunchFiles *files, LauncherKind kind, char *const *command, uint32_t repeats,
                      const char *log, double *times_s[2], Err *err);

#endif
