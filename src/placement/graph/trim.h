/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves out receives that have no send in the trace. Private to the folder. */
#pragma once

#include "model/tfg.h"

/* How many messages a task may receive from another. Tasks without a limit may receive all. */
typedef struct ReceiveLimit {
    uint32_t from;
    uint64_t n_messages;
} ReceiveLimit;

/* Removes the last receives of each limited sender, until the limits hold. Uses up the limits. */
void trim_receives(Task *task, ReceiveLimit *limits, size_t n_limits, Arena *arena);
