/* SPDX-License-Identifier: BSD-3-Clause */
/* The mappings under which one signature is measured (the thesis's table 6.7): policies of the
 * launcher, rankfiles, and the processors of saved states. For each, the launcher's command line that
 * places the ranks. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

/* ERR_USAGE: no such policy. */
bool policies_check(const char *text, Arena *arena, Err *err);

/* The names of the policies, for help: "block, cyclic …". */
#define POLICIES "block, cyclic, sockets, unbound, or a number of ranks for each node"

typedef struct Mapped {
    const char *name;     /* "block"; a rankfile's name without folder and ending; "0,1" */
    char *const *command; /* with options that place the ranks; NULL: there is no command */
    const char *rankfile; /* that the command needs, and that firma writes; NULL: none */
    const char *rankfile_text;
} Mapped;

typedef struct Mappings {
    uint32_t n;
    const Mapped *items;
} Mappings;

/* A file of one mapping: "times.json" and "block" become "times.block.json". ending: instead of .json; NULL:
 * as the output's. */
const char *mapping_path(const char *output, const char *name, const char *ending, Arena *arena);

/* Mappings of a signature: policies ("block,cyclic") and paths of rankfiles, separated by commas; either may
 * be NULL. ERR_USAGE: the command places ranks itself, or two mappings have the same name. ERR_INPUT: a
 * rankfile can't be read, or is for another number of ranks. */
bool mappings_of_command(const char *policies, const char *rankfiles, char *const *command, uint32_t n_ranks,
                         Arena *arena, Mappings *mappings, Err *err);

/* Mappings of saved states: lists of processors (--bind), ended by NULL. With a command, also how the
 * launcher binds ranks like that; rankfiles are then named after
 * `output`. */
bool mappings_of_binds(const char *const *binds, char *const *command, uint32_t n_ranks, const char *output,
                       Arena *arena, Mappings *mappings, Err *err);
