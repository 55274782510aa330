/* SPDX-License-Identifier: BSD-3-Clause */
/* The command of firma map --run: where its launcher is, behind which options are put; how many ranks it starts; and
 * whether it leaves it to the mapping where they run. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "placement/mapping/launch_files.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct MapCommand {
    char *const *words; /* NULL-terminated */
    LauncherKind kind;
    int launcher, program; /* which words these are: launcher < program */
    uint32_t n_ranks;      /* 0: it doesn't say */
} MapCommand;

/* ERR_USAGE: it has no launcher that mappings can be told to, it says itself where ranks run (the option is named), it
 * starts several programs. ERR_ENVIRONMENT: launcher and program belong to different MPIs. */
bool map_command_read(char *const *words, Arena *arena, MapCommand *command, Err *err);

/* ERR_USAGE: it starts another number of ranks than there are tasks. */
bool map_command_check_ranks(const MapCommand *command, uint32_t n_tasks, Err *err);

/* A variable of the environment by which the launcher places ranks of the command as it is; NULL: none is set. */
const char *map_command_placing_variable(LauncherKind kind);
