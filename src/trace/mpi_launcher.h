/* SPDX-License-Identifier: BSD-3-Clause */
/* The launchers of the MPIs that firma knows, as they are called on this machine. */
#pragma once

#include "base/arena.h"
#include "trace/segment.h"
#include <stddef.h>

typedef struct MpiLauncher {
    MpiFlavour flavour;
    const char *key;                  /* "openmpi": part of the names of programs that are built for it */
    const char *package;              /* Debian */
    const char *command;              /* "mpirun.openmpi"; NULL: none on PATH that says it is this one's */
    const char *version;              /* "mpirun (Open MPI) 4.1.4"; "" if there's no command */
    const char *const *first_options; /* what any launch by it needs here, NULL ends: root's permission, and to start
                                         more processes than there are cores */
} MpiLauncher;

/* NONE ends. */
extern const MpiFlavour mpi_launcher_flavours[];

/* Asks candidates on PATH for their version. */
MpiLauncher mpi_launcher_find(MpiFlavour flavour, Arena *arena);

/* The command line, NULL-terminated, that starts n processes of a program; the launcher must be there. */
const char *const *mpi_launcher_words(const MpiLauncher *launcher, unsigned n, const char *program, Arena *arena);
