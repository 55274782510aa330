/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives that have no send in the trace. Private to the folder. */
#pragma once

#include "model/tfg.h"

/* How many messages a task may receive from another; from those that aren't named, all that it does. */
typedef struct ReceiveLimit {
    uint32_t from;
    uint64_t n_messages;
} ReceiveLimit;

/* The task without the receives beyond the limits, which are used up: of the messages from a task the last ones. */
void trim_receives(Task *task, ReceiveLimit *limits, size_t n_limits, Arena *arena);
