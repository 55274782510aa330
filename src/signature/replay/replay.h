/* SPDX-License-Identifier: BSD-3-Clause */
/* Replays a traced run on an ideal network. Computations take as long as in the trace; messages and
 * collectives take no time. So a process waits only for its partners. Times are ns of the trace's
 * clock. docs/METHOD.md, section 20. Public interface of the
 * folder.
 *
 * Each process is walked in program order as far as its events have been read. Receives are matched as in the
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

/* Who wants to know when events happen in the replay. */
typedef struct ReplayWatch {
    void *self;
    /* The process comes to one of its send-like events, each of which is told in their order. */
    void (*sends)(void *self, uint32_t process, double ideal_ns);
    const double *factors; /* [n_processes] by which a process computes longer than in the trace */
} ReplayWatch;

typedef struct Replay Replay;

/* The result, which the caller owns, is complete when all processes have ended. watch: NULL: nobody. */
Replay *replay_new(const Trace *trace, const ReplayWatch *watch, ReplayResult *result);
void replay_free(Replay *replay);

/* Takes a process's next events; none: the process has ended. Replays as much as can be replayed.
 * ERR_INPUT: an event is impossible. */
bool replay_take(Replay *replay, uint32_t process, const Event *events, size_t count, Err *err);

/* Events that were taken, and aren't replayed yet. */
size_t replay_queued(const Replay *replay);

/* Whether the replay can't go on without further events of the process. */
bool replay_awaits(const Replay *replay, uint32_t process);

/* Reads the source to its end. */
bool replay_run(EventSource *source, const ReplayWatch *watch, const Progress *progress, ReplayResult *result,
                Err *err);
