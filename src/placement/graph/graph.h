/* SPDX-License-Identifier: BSD-3-Clause */
/* From a trace to a temporal flow graph, and from that to a TTIG. Public interface of the folder; spec 4. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/tfg.h"
#include "model/ttig.h"

/* What becomes of a trace's collectives: messages, by the algorithms that MPI libraries commonly use
 * (placement/graph/algorithms.h); or nothing, as in the thesis. Those whose messages can't be told, or are too many,
 * are left out and counted. */
typedef enum GraphCollectives { COLLECTIVES_EXPANDED, COLLECTIVES_LEFT_OUT } GraphCollectives;

/* Reads the source to its end. Sends do not block, receives do; a nonblocking receive happens where it completes.
 * Computation is the time on a processor outside of MPI. Consecutive computation is one step; loops are found and
 * folded while reading, so that memory grows with the program's structure, not with its length. */
bool graph_read(EventSource *source, GraphCollectives collectives, const Progress *progress, Arena *arena,
                TaskGraph **graph, Err *err);

/* A document: a TTIG; or a TFG, of which it is made, as it is of a TTIG's tasks where that has neither nodes nor edges.
 * Tasks are checked as graph_check_waits does, and a TTIG that has both has to agree with its tasks. ERR_INPUT with the
 * place. */
bool graph_load(const char *path, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err);

/* Loops as the model folds them (§2.2.3): once, starting at a synchronisation inside, computation and volumes of all
 * iterations together. */
const TaskGraph *graph_fold(const TaskGraph *graph, Arena *arena);

/* ERR_INPUT: tasks wait for each other in a circle, a deadlock: they are named. A graph that was read from a trace has
 * none. The graph isn't folded. Loops are run through as far as that takes no more than some seconds: a deadlock that
 * comes later isn't found, and *is_whole (if it isn't NULL) is false. */
bool graph_check_waits(const TaskGraph *graph, bool *is_whole, Err *err);

/* Degrees of parallelism by simulating each adjacent pair alone, communication taking no time, and merging the two
 * sorted lists of intervals: O(r) a pair. Loops that hold messages of the two are run through; if that would take too
 * long, it's done on the folded graph, and the pair is counted as inexact (docs/METHOD.md). ERR_INPUT: a pair waits for
 * each other in a circle (deadlock): the two tasks are named; or their sums are beyond the limits of model/tfg.h.
 */
bool graph_ttig(const TaskGraph *graph, Arena *arena, Ttig **ttig, Err *err);

/* The classical models. TIG: all p = 1. TPG: all p = 0, and of two edges between a pair that of its first message.
 * ERR_INPUT: the TTIG has no tasks, which tell who is first; or it is a TPG without, of which no TIG can be made. */
bool graph_tig(const Ttig *ttig, Arena *arena, const Ttig **tig, Err *err);
bool graph_tpg(const Ttig *ttig, Arena *arena, const Ttig **tpg, Err *err);

/* How many steps a graph has as it is, and with all loops run through. */
typedef struct GraphSize {
    uint64_t n_steps, n_steps_open, n_messages;
} GraphSize;

GraphSize graph_size(const TaskGraph *graph);
