/* SPDX-License-Identifier: BSD-3-Clause */
/* From a trace to a temporal flow graph (TFG), and from this to a TTIG. docs/METHOD.md, section 13;
 * "the thesis" is the one that defines the TTIG. Public interface of the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/tfg.h"
#include "model/ttig.h"

/* What to do with a trace's collectives: expand them into messages, by the algorithms that the MPI
 * in use would take, or a certain MPI (rules.h); or leave them out, as the thesis does. Collectives
 * whose messages aren't known or are too many are always left out, and counted. */
typedef enum GraphCollectives {
    COLLECTIVES_EXPANDED,
    COLLECTIVES_LEFT_OUT,
    COLLECTIVES_OF_OPENMPI,
    COLLECTIVES_OF_MPICH,
    COLLECTIVES_OF_SMPI
} GraphCollectives;

/* Reads the source to its end. Sends don't block, receives do; a nonblocking receive happens where
 * it completes. Computation is time on a processor outside of MPI. Consecutive computation is one
 * step. Loops are folded while reading, so memory grows with the program's structure, not with the
 * length of the run. ERR_INPUT: too many processes, or a message is impossibly large. Result in the
 * arena. */
bool graph_read(EventSource *source, GraphCollectives collectives, const Progress *progress, Arena *arena,
                TaskGraph **graph, Err *err);

/* Loads a document: a TTIG, or a TFG from which the TTIG is derived. A TTIG that has tasks, but
 * neither nodes nor edges, is derived from its tasks, too. Checks tasks as graph_check_waits()
 * does, and checks that nodes and edges agree with the tasks. ERR_INPUT names the place. Result in
 * the arena. */
bool graph_load(const char *path, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err);

/* The graph with folded loops (thesis §2.2.3). Each loop's steps stand once, beginning at a
 * synchronisation, with the computation and the volumes of all iterations. */
const TaskGraph *graph_fold(const TaskGraph *graph, Arena *arena);

/* Checks whether tasks wait for each other in a circle (a deadlock). ERR_INPUT names these tasks. A
 * graph that was read from a trace has no circle. The graph must not be folded. Loops are run
 * through for some seconds at most. If that isn't enough, *is_whole (if it isn't NULL) is false,
 * and later deadlocks aren't found. */
bool graph_check_waits(const TaskGraph *graph, bool *is_whole, Err *err);

/* Derives the TTIG. Simulates each adjacent pair of tasks alone, with messages that take no time,
 * and merges the two sorted lists of intervals: O(r) for each pair. If messages of the pair stand
 * in loops, the loops are run through. If that would take too long, the folded graph is used, and
 * the pair is counted as inexact (docs/METHOD.md, section 13). ERR_INPUT: the tasks of a pair wait
 * for each other (a deadlock), or sums exceed the limits of model/tfg.h; the message names the
 * tasks. Result in the arena. */
bool graph_ttig(const TaskGraph *graph, Arena *arena, Ttig **ttig, Err *err);

/* The classical models. TIG: p = 1 for all edges. TPG: p = 0, and of the two edges between a pair
 * only that of the first message. ERR_INPUT: the TTIG has no tasks, which tell the order; or it is
 * a TPG without tasks, from which no TIG can be derived. Result in the arena. */
bool graph_tig(const Ttig *ttig, Arena *arena, const Ttig **tig, Err *err);
bool graph_tpg(const Ttig *ttig, Arena *arena, const Ttig **tpg, Err *err);

/* Number of steps: of the graph as it is, and with all loops run through. */
typedef struct GraphSize {
    uint64_t n_steps, n_steps_open, n_messages;
} GraphSize;

GraphSize graph_size(const TaskGraph *graph);
