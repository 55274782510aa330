/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloads the recorder into the program's processes by LD_PRELOAD, through any launcher.
 * launch_find_recorder() of launch.h is also implemented here. Private to trace/. */
#pragma once

#include "trace/launch.h"

/* True if the command line itself sets LD_PRELOAD before the program. */
bool preload_is_set(char *const argv[], int program);

enum { PRELOAD_VARIABLES = 8 };

typedef struct Preload {
    const char *const *words;                       /* the command line; for Open MPI it may differ from argv */
    const char *environment[PRELOAD_VARIABLES + 1]; /* variables to add to the launcher's environment; ends with NULL */
    size_t n_variables;
} Preload;

/* Sets LD_PRELOAD and the variable that names the recording directory. Also makes Open MPI pass
 * both to the processes. Without a recorder, nothing is preloaded (under SMPI, the recorder is part
 * of the program). */
Preload preload_prepare(const char *recorder, const char *recording, const LaunchOptions *options, char *const argv[],
                        int program, Arena *arena);

/* Makes PVM pass the recorder on to the tasks that it spawns. `machine`: the virtual machine's
 * variables. */
void preload_for_pvm(Preload *preload, const char *const *machine, Arena *arena);
