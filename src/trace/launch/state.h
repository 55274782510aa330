/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a launch: launch.c starts it, wait.c waits for it, stop.c ends it. Private to
 * trace/. */
#pragma once

#include "base/process.h"
#include "trace/launch.h"
#include "trace/launch/watch.h"
#include <signal.h>

/* Counts of a process's threads. The process waits if a thread waits and none has made progress. */
typedef struct LaunchWaiting {
    uint32_t n_waiting, n_progressing;
} LaunchWaiting;

struct Launch {
    struct PvmMachine *machine; /* where a PVM program runs; NULL: no PVM */
    Process *process;           /* NULL: the job was adopted */
    Process *guard;             /* NULL: none (guard.h) */
    int guard_pipe;             /* while it is open, firma lives */
    bool detached, hidden_ids, stopping;
    bool ended;
    int64_t begin_ns, end_ns;
    sigset_t outer_mask;
    int interrupted; /* the first signal that came while firma waited */
    int forwarding;  /* a signal for firma alone, to be forwarded at forward_at_ns */
    int64_t forward_at_ns;
    int64_t interrupted_ns; /* when the first one came */
    bool killed;            /* a second signal came, and firma killed the launcher */
    const char *recording;  /* absolute path */
    char *const *argv;      /* NULL: the job was adopted */
    const char *output_path;
    MpiFlavour flavour;
    ControlFile *control;
    StopsFile *stops; /* NULL: none */
    size_t stops_bytes;
    Watch watch;
    uint32_t n_ranks;
    LaunchRank *ranks;      /* [n_ranks], from the last look */
    LaunchWaiting *waiting; /* [watch.n_processes] */
    Arena *arena;
};

static inline bool launch_is_adopted(const Launch *launch)
{
    return !launch->process;
}

/* True if signals of the terminal don't reach the job. */
static inline bool launch_is_apart(const Launch *launch)
{
    return launch->detached || launch_is_adopted(launch);
}

static inline int64_t launch_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Blocks SIGCHLD and the signals that would end firma. launch_wait() takes them one by one. */
void launch_hold_signals(Launch *launch);

/* Drops the pending signals, because they were meant for the program, which has ended. Then
 * unblocks these signals. */
void launch_release_signals(Launch *launch);
