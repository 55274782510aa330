/* SPDX-License-Identifier: BSD-3-Clause */
/* The times at which two tasks compute, if they are simulated alone, as for an edge of a TTIG. The
 * thesis's figures show these. */
#pragma once

#include "placement/graph/graph.h"

typedef struct ExecutionInterval {
    double from_s, to_s;
} ExecutionInterval;

typedef struct PairExecution {
    uint32_t n[2];
    const ExecutionInterval *intervals[2]; /* of computation phases; ascending; only their ends may touch */
    double overlap_s;                      /* TP */
} PairExecution;

/* Executes a folded graph, or a graph with its loops, which are then executed. ERR_INPUT: the two
 * tasks deadlock, or there are too many steps to store. */
bool pair_execute(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena, PairExecution *execution,
                  Err *err);
