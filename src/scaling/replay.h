/* SPDX-License-Identifier: BSD-3-Clause */
/* A traced run on an ideal network: computations take what they took, messages and collectives nothing, and a process
 * waits for its partners alone. Times are ns since the earliest begin of any process. Private to the folder.
 *
 * Each process is walked in program order as far as it goes; receives are matched as in the logical order
 * (signature/order/match.h), and a stream of messages holds the ideal times of its sends. Sends never wait. */
#pragma once

#include "base/progress.h"
#include "model/event.h"

typedef struct ReplayProcess {
    int64_t whole_ns;   /* from begin to end, as traced */
    int64_t ideal_ns;   /* the same, as replayed: computation and waits */
    int64_t compute_ns; /* never more than the time that passed */
    int64_t idle_ns;
    int64_t mpi_ns; /* in calls with events, as traced */
    bool finished;
} ReplayProcess;

typedef struct ReplayResult {
    ReplayProcess *processes; /* [n_processes], the caller's */
    uint64_t n_unmatched, n_incomplete, n_neighborhood;
} ReplayResult;

bool replay_run(EventSource *source, const Progress *progress, ReplayResult *result, Err *err);
