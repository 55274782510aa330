/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes by which rank 0 starts the other ranks: a remote shell or another agent, or the
 * worker itself. */
#pragma once

#include "base/process.h"
#include <jansson.h>
#include <stdbool.h>

typedef struct Agents {
    size_t count;
    Process **processes;
    const char **hosts;
} Agents;

/* Starts the process for a peer {"host", "start": [words]}. Its command line is the words, this
 * program's path, and the request packed by comm/word.h. Its stdout goes to stderr. */
bool agents_start(Agents *agents, const json_t *peer, const json_t *request, Arena *arena, Err *err);

/* Returns false, with an error that names the host, if a process has ended already. */
bool agents_are_alive(Agents *agents, Err *err);

/* Waits until all processes have ended; kills those that don't end within 2 s. */
void agents_end(Agents *agents);
