/* SPDX-License-Identifier: BSD-3-Clause */
/* Replays a traced run on an ideal network. Computations take as long as in the trace; messages and
 * collectives take no time. So a process waits only for its partners. Times are ns since the
 * earliest begin of any process. docs/METHOD.md, section 20. Private to the folder.
 *
 * Each process is walked in program order as far as possible. Receives are matched as in the
 * logical order (signature/order/match.h). A message stream holds the ideal times of its sends.
 * Sends never wait. */
#pragma once

#include "base/progress.h"
#include "model/event.h"

typedef struct ReplayProcess {
    int64_t whole_ns;   /* from begin to end, in the trace */
    int64_t ideal_ns;   /* the same in the replay: computation and waiting */
    int64_t compute_ns; /* never more than the elapsed time */
    int64_t idle_ns;
    int64_t mpi_ns; /* in calls with events, in the trace */
    bool finished;
} ReplayProcess;

typedef struct ReplayResult {
    ReplayProcess *processes; /* [n_processes] owned by the caller */
    uint64_t n_unmatched, n_incomplete, n_neighborhood;
} ReplayResult;

bool replay_run(EventSource *source, const Progress *progress, ReplayResult *result, Err *err);
