/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes by which rank 0 starts the other ranks: a remote shell or another agent, or the worker itself. */
#pragma once

#include "base/process.h"
#include <jansson.h>
#include <stdbool.h>

typedef struct Agents {
    size_t count;
    Process **processes;
    const char **hosts;
} Agents;

/* Starts the one of a peer {"host", "start": [words]}: the words, this program's path, and `request`, in a writing that
 * shells on the way leave alone. What it prints goes to stderr. */
bool agents_start(Agents *agents, const json_t *peer, const json_t *request, Arena *arena, Err *err);

/* False if one has ended already, which is an error that names its host. */
bool agents_are_alive(Agents *agents, Err *err);

/* Waits until all have ended, and ends those that don't. */
void agents_end(Agents *agents);
