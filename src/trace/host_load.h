/* SPDX-License-Identifier: BSD-3-Clause */
/* How busy this host is: whether a run that begins now would be disturbed. */
#pragma once

#include "base/arena.h"
#include <stdint.h>

typedef struct HostLoad {
    uint32_t n_processors;  /* that this process may use */
    /* Processors that other programs keep busy, in the mean of a moment: more than n_processors if
     * programs wait for a processor. */
    double busy_processors;
} HostLoad;

/* Looks for a tenth of a second. Nothing is busy where /proc/stat doesn't tell. */
HostLoad host_load(void);

/* A sentence if other programs would make a run clearly slower. NULL: they wouldn't. */
const char *host_load_text(const HostLoad *load, Arena *arena);
