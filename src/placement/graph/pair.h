/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates two tasks alone (thesis §2.2.3). They wait only for each other's messages, which take
 * no time. So only these messages matter, and the computation between two of them is one stretch.
 * Private to the folder. */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "model/tfg.h"

/* A message between the two tasks, as one of them sees it. */
typedef struct PairMessage {
    double compute_s;    /* computation of its task from the start to the message */
    uint64_t times;      /* number of messages that it stands for */
    uint64_t first : 63; /* number of messages in the same direction before its first one */
    uint64_t sends : 1;
} PairMessage;

typedef struct PairSide {
    const PairMessage *messages;
    size_t n_messages;
    double compute_s; /* of the whole task */
} PairSide;

/* From this point on, the task is later by late_s than it would be without waiting. */
typedef struct PairWait {
    double compute_s; /* its computation before this point */
    double late_s;
} PairWait;

/* A send, and when it happened. */
typedef struct PairSend {
    uint64_t first, times; /* messages */
    double at_s;           /* time of sending, once it was sent */
} PairSend;

/* Memory for simulations, one after another. */
typedef struct PairRun {
    struct {
        VEC(PairWait) waits; /* ascending; the first is at 0 */
        VEC(PairSend) sends;
        size_t next;    /* the side's next message */
        size_t n_sent;  /* sends done so far */
        size_t matched; /* send of the other side for which the latest receive waited */
    } side[2];
    double overlap_s;
} PairRun; /* zero-initialise */

void pair_run_free(PairRun *run);

/* Simulates a pair. Let k be the number of a receive's first message. The receive waits for the
 * last send whose first message is the k-th or an earlier one. In the open graph, this is the send
 * of the k-th message itself. In the folded graph, all sends that begin before the receive have
 * begun by then. So a graph that runs open also runs folded (docs/METHOD.md, section 13). False:
 * the tasks wait for each other. */
bool pair_simulate(PairRun *run, const PairSide sides[2]);

typedef struct PairMessages {
    VEC(PairMessage) messages;
} PairMessages;

/* Collects the messages between a task and a peer, with loops run through. The result points into
 * `list`. */
PairSide pair_messages_collect(const TaskGraph *graph, uint32_t task, uint32_t peer, PairMessages *list);

/* Sets ERR_INPUT with the names of both tasks. Returns false. */
bool pair_deadlock(const TaskGraph *graph, uint32_t first, uint32_t second, Err *err);
