/* SPDX-License-Identifier: BSD-3-Clause */
/* A command to which firma gives a mapping: which word is its launcher, where firma adds options; how
 * many ranks it starts; and whether it leaves their placement to the mapping. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "placement/launching/files.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct MapCommand {
    char *const *words; /* NULL-terminated */
    LauncherKind kind;
    int launcher, program; /* which words these are: launcher < program */
    uint32_t n_ranks;      /* 0: the command doesn't say */
    bool is_newer;         /* the launcher is that of Open MPI 5 or later */
} MapCommand;

/* may_choose_hosts: the mapping leaves the choice of hosts to the command.
 * ERR_USAGE: the command has no launcher that firma can give a mapping to, places ranks itself (the
 * error names the option), or starts several programs. ERR_ENVIRONMENT: launcher and program belong
 * to different MPIs. */
bool map_command_read(char *const *words, bool may_choose_hosts, Arena *arena, MapCommand *command, Err *err);

/* The command without the options that choose hosts. */
MapCommand map_command_without_hosts(const MapCommand *command, Arena *arena);

/* ERR_USAGE: the command starts more or fewer ranks than there are tasks. */
bool map_command_check_ranks(const MapCommand *command, uint32_t n_tasks, Err *err);

/* An environment variable that places the ranks of the unchanged command; NULL: none is set. */
const char *map_command_placing_variable(LauncherKind kind);
