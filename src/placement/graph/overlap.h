/* SPDX-License-Identifier: BSD-3-Clause */
/* The intervals in which two tasks compute if only messages between them bind them, and messages
 * take no time (thesis, figure 2.6): what a TTIG's degree of parallelism is made of. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/tfg.h"
#include <stddef.h>

typedef struct OverlapInterval {
    double from_s, to_s;
} OverlapInterval;

typedef struct OverlapMessage {
    int sender; /* 0 or 1 */
    double sent_s, received_s;
} OverlapMessage;

typedef struct Overlap {
    size_t n[2], n_messages;
    const OverlapInterval *intervals[2]; /* ascending; a message ends one, and begins the next */
    const OverlapMessage *messages;
    double compute_s[2], overlap_s;
    bool is_folded; /* loops are too long to run through, so that each is one iteration */
} Overlap;

/* ERR_INPUT: the tasks wait for each other. Result in the arena. */
bool overlap_of_pair(const TaskGraph *graph, const uint32_t tasks[2], Arena *arena, Overlap *overlap, Err *err);
