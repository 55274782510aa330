/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a mapping in the formats of launchers: the files that they read, and the options that name
 * these files. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "placement/launching/order.h"
#include "placement/platform/platform.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum LauncherKind { LAUNCHER_OPENMPI, LAUNCHER_MPICH, LAUNCHER_SLURM, N_LAUNCHERS } LauncherKind;

/* How one launcher starts the program with the mapping. */
typedef struct LaunchWay {
    const char *launcher; /* "Open MPI" */
    const char *file;     /* path of the file for the launcher */
    const char *text;     /* the file's contents */
    const char *variable; /* environment variable that names the file; NULL: options name it */
    /* NULL-terminated; they follow the launcher's name. */
    const char *const *options;
    /* Those of Open MPI 5 and later, and the command line with them; NULL: `options` hold for all versions. */
    const char *const *newer_options;
    const char *newer_line;
    /* The pin script must start the program: options can't bind each rank to its processor. */
    bool needs_pin;
    /* Ranks are bound to processors. False: processor numbers aren't known; only nodes are given. */
    bool binds;
    const char *line; /* command line for a shell; ./app stands for the program */
    const char *same; /* one that does the same by the launcher's own policies; NULL: none known */
} LaunchWay;

typedef struct LaunchFiles {
    LaunchWay ways[N_LAUNCHERS];
    LaunchOrder order;    /* for a launch in the default order */
    const char *pin;      /* path of a script that binds its rank and then executes the program */
    const char *pin_text; /* NULL: no launcher needs the script */
} LaunchFiles;

/* Makes the contents of PREFIX.rankfile, PREFIX.hosts, PREFIX.slurm-hosts, PREFIX.pin and of the
 * files of order.h. Writes nothing. ERR_INPUT: no launcher could read a node's name. Results in the arena. */
bool launch_files_make(const uint32_t *processors, uint32_t n_tasks, const Platform *platform, const char *prefix,
                       Arena *arena, LaunchFiles *files, Err *err);

/* The paths of all these files, NULL-terminated. */
const char *const *launch_files_paths(const char *prefix, Arena *arena);

/* Writes all files, or none. */
bool launch_files_write(const LaunchFiles *files, Err *err);

/* The user's command line, with the options after the launcher's name (command[launcher]). If the
 * pin script is needed, it stands before the program (command[program]). is_newer: the launcher is that of
 * Open MPI 5 or later. NULL-terminated. */
char *const *launch_files_command(const LaunchFiles *files, LauncherKind kind, bool is_newer, char *const *command,
                                  int launcher, int program, Arena *arena);
