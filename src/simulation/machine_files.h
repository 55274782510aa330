/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated machine: a platform file for SimGrid, the host of each process, and SMPI's settings.
 * Private to the folder. */
#pragma once

#include "simulation/simulation.h"

typedef struct MachineFiles {
    const char *platform;        /* the path of SimGrid's platform file */
    const char *const *hosts;    /* [n_processes] */
    const char *reference;       /* a host as fast as the traced machine */
    const char *const *settings; /* "--cfg=…", NULL-terminated */
    uint64_t eager_bytes;        /* from this size on, messages wait for their receivers */
    EagerSource eager_source;
} MachineFiles;

/* A platform that was read from a file of SimGrid is used as it is. Others are written to the directory:
 * the processors that processes run on, with a route between each two. eager_bytes: from this size on, messages
 * wait for their receivers; 0: find out. ERR_INPUT: the platform isn't of this form. Results in the arena. */
bool machine_files_write(const Platform *platform, const uint32_t *processors, uint32_t n_processes,
                         uint64_t eager_bytes, const char *directory, Arena *arena, MachineFiles *files, Err *err);
