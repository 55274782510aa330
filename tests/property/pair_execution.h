/* SPDX-License-Identifier: BSD-3-Clause */
/* When two tasks compute, simulated alone as for a TTIG's edge: what the thesis's pictures show of the model. */
#pragma once

#include "placement/graph/graph.h"

typedef struct ExecutionInterval {
    double from_s, to_s;
} ExecutionInterval;

typedef struct PairExecution {
    uint32_t n[2];
    const ExecutionInterval *intervals[2]; /* of computation phases; ascending, disjoint but for their ends */
    double overlap_s;                      /* TP */
} PairExecution;

/* On a folded graph, or on one with its loops, which are run through. ERR_INPUT: a deadlock of the two; or more steps
 * than can be held. */
bool pair_execute(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena, PairExecution *execution,
                  Err *err);
