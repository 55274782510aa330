/* SPDX-License-Identifier: BSD-3-Clause */
/* From a trace to a temporal flow graph, and from that to a TTIG. Public interface of the folder; spec 4. */
#ifndef FIRMA_GRAPH_GRAPH_H
#define FIRMA_GRAPH_GRAPH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/tfg.h"
#include "model/ttig.h"

/* Reads the source to its end. Sends do not block, receives do; a nonblocking receive happens where it completes.
 * Computation is the time on a processor outside of MPI. Consecutive computation is one step; loops are found and
 * folded while reading, so that memory grows with the program's structure, not with its length. */
bool graph_read(EventSource *source, const Progress *progress, Arena *arena, TaskGraph **graph, Err *err);

/* Loops as the model folds them (§2.2.3): once, starting at a synchronisation inside, computation and volumes of all
 * iterations together. */
const TaskGraph *graph_fold(const TaskGraph *graph, Arena *arena);

/* Degrees of parallelism by simulating each adjacent pair alone on the folded graph, communication taking no time, and
 * merging the two sorted lists of intervals: O(r) a pair. ERR_INPUT: a pair waits for each other in a circle
 * (deadlock): the two tasks are named. */
bool graph_ttig(const TaskGraph *graph, Arena *arena, Ttig **ttig, Err *err);

/* Execution intervals of two tasks simulated alone, for pictures and tests. */
typedef struct ExecutionInterval {
    double from_s, to_s;
} ExecutionInterval;

typedef struct PairExecution {
    uint32_t n[2];
    const ExecutionInterval *intervals[2]; /* ascending, disjoint but for their ends */
    double overlap_s;                      /* TP */
} PairExecution;

bool graph_execute_pair(const TaskGraph *folded, uint32_t first, uint32_t second, Arena *arena,
                        PairExecution *execution, Err *err);

#endif
