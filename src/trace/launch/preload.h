/* SPDX-License-Identifier: BSD-3-Clause */
/* How the recorder gets into the program's processes: LD_PRELOAD, through whatever launcher. launch_find_recorder of
 * launch.h belongs here, too. Private to trace/. */
#pragma once

#include "trace/launch.h"

/* Whether the command line, up to the program, sets LD_PRELOAD itself. */
bool preload_is_set(char *const argv[], int program);

enum { PRELOAD_VARIABLES = 4 };

typedef struct Preload {
    const char *const *words;                       /* the command line, which Open MPI may need other than argv */
    const char *environment[PRELOAD_VARIABLES + 1]; /* what is added for the launcher; NULL ends */
    size_t n_variables;
} Preload;

/* LD_PRELOAD, the variable that names the recording directory, and how Open MPI is told to hand them on. Without a
 * recorder (SMPI: it is part of the program) nothing is preloaded. */
Preload preload_prepare(const char *recorder, const char *recording, const LaunchOptions *options, char *const argv[],
                        int program, Arena *arena);
