/* SPDX-License-Identifier: BSD-3-Clause */
/* Two tasks simulated alone (thesis §2.2.3): only their messages to each other bind them, and these take no time. Only
 * the messages matter to that; what a task computes between two of them is one stretch. Private to the folder. */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "model/tfg.h"

/* A message of one of the two to or from the other. */
typedef struct PairMessage {
    double compute_s; /* what its task has computed before it, since its start */
    uint64_t times;   /* messages that it stands for */
    uint64_t first;   /* messages of its direction before its first one */
    bool sends;
} PairMessage;

typedef struct PairSide {
    const PairMessage *messages;
    size_t n_messages;
    double compute_s; /* all */
} PairSide;

/* From here on, the task is so much later than it would be if it never waited. */
typedef struct PairWait {
    double compute_s; /* what it has computed before */
    double late_s;
} PairWait;

/* Room for simulations, one after the other. */
typedef struct PairRun {
    struct {
        VEC(PairWait) waits; /* ascending; the first is at 0 */
        VEC(struct PairSend) sends;
        size_t next;    /* message */
        size_t n_sent;  /* sends, of `sends` */
        size_t matched; /* send of the other that the latest receive waited for */
    } side[2];
    double overlap_s;
} PairRun; /* zero-initialise */

void pair_run_free(PairRun *run);

/* A receive waits for the first of its messages, the k-th: for the last send that begins with the k-th or one before.
 * Open, that is the send of the k-th message itself. Folded, all sends that begin before it have begun when it is sent:
 * so what runs open runs folded too (docs/METHOD.md). False: they wait for each other. */
bool pair_simulate(PairRun *run, const PairSide sides[2]);

typedef struct PairMessages {
    VEC(PairMessage) messages;
} PairMessages;

/* The messages of a task to or from a peer, loops run through. The side's are the list's. */
PairSide pair_messages_collect(const TaskGraph *graph, uint32_t task, uint32_t peer, PairMessages *list);

/* ERR_INPUT that names the two. */
bool pair_deadlock(const TaskGraph *graph, uint32_t first, uint32_t second, Err *err);
