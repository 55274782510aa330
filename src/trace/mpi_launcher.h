/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the launchers of each MPI on this machine, and builds their command lines. */
#pragma once

#include "base/arena.h"
#include "trace/segment.h"
#include <stddef.h>

typedef struct MpiLauncher {
    MpiFlavour flavour;
    const char *key;     /* "openmpi"; also part of the file names of programs built for this MPI */
    const char *package; /* the Debian package */
    const char *command; /* "mpirun.openmpi"; NULL: PATH has no launcher of this MPI */
    const char *version; /* "mpirun (Open MPI) 4.1.4"; "" without a command */
    const char *const
        /* Options that each launch needs on this machine, ending with NULL: for running as root,
         * and for more processes than cores. */
        *first_options;
} MpiLauncher;

/* Ends with NONE. */
extern const MpiFlavour mpi_launcher_flavours[];

/* Finds an MPI's launcher by asking candidates on PATH for their version. */
MpiLauncher mpi_launcher_find(MpiFlavour flavour, Arena *arena);

/* The command line, ending with NULL, that starts n processes of a program. launcher->command must
 * not be NULL. */
const char *const *mpi_launcher_words(const MpiLauncher *launcher, unsigned n, const char *program, Arena *arena);
