/* SPDX-License-Identifier: BSD-3-Clause */
/* A mapping in the words of launchers: the files that they read, and the options that name these. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "placement/mapping/mapping.h"
#include "placement/mapping/platform.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum LauncherKind { LAUNCHER_OPENMPI, LAUNCHER_MPICH, LAUNCHER_SLURM, N_LAUNCHERS } LauncherKind;

/* How one launcher is told. */
typedef struct LaunchWay {
    const char *launcher;       /* "Open MPI" */
    const char *file;           /* its path */
    const char *text;           /* what it holds */
    const char *variable;       /* the environment variable that names it, or NULL: options do */
    const char *const *options; /* NULL-terminated, behind the launcher's name */
    bool needs_pin;   /* the program is started by the pin script, as options can't bind each rank where it belongs */
    bool binds;       /* ranks are bound to processors; false: their numbers aren't known, the nodes alone are told */
    const char *line; /* for a shell; ./app stands for the program */
    const char *same; /* the launcher's own policies do it as well: their line; NULL: none does, or none is known */
} LaunchWay;

typedef struct LaunchFiles {
    LaunchWay ways[N_LAUNCHERS];
    const char *pin;      /* path of a script that binds the rank it is started as, and becomes the program */
    const char *pin_text; /* NULL: no way needs it */
} LaunchFiles;

/* Files are called PREFIX.rankfile, PREFIX.hosts, PREFIX.slurm-hosts, PREFIX.pin. Writes nothing. ERR_INPUT: a node's
 * name that no launcher could read. */
bool launch_files_make(const uint32_t *processors, uint32_t n_tasks, const Platform *platform, const char *prefix,
                       Arena *arena, LaunchFiles *files, Err *err);

/* All of these paths; NULL-terminated. */
const char *const *launch_files_paths(const char *prefix, Arena *arena);

/* All files or none. */
bool launch_files_write(const LaunchFiles *files, Err *err);

/* The user's command line with the way's options behind the launcher's name (command[launcher]), and the pin script
 * before the program (command[program]) where it is needed. NULL-terminated. */
char *const *launch_files_command(const LaunchFiles *files, LauncherKind kind, char *const *command, int launcher,
                                  int program, Arena *arena);
