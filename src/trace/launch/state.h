/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch under way: launch.c starts it, wait.c waits for it, stop.c ends it. Private to trace/. */
#pragma once

#include "base/process.h"
#include "trace/launch.h"
#include "trace/launch/watch.h"
#include <signal.h>

/* Of a process's threads: it waits if one does and none has made progress. */
typedef struct LaunchWaiting {
    uint32_t n_waiting, n_progressing;
} LaunchWaiting;

struct Launch {
    Process *process; /* NULL: adopted */
    bool detached, hidden_ids, stopping;
    bool ended;
    int64_t begin_ns, end_ns;
    sigset_t outer_mask;
    int interrupted; /* the first signal that came while waiting */
    int handing_on;  /* a signal that went to firma alone, to be sent at … */
    int64_t hand_on_at_ns;
    const char *recording; /* absolute */
    ControlFile *control;
    StopsFile *stops; /* NULL: none */
    size_t stops_bytes;
    Watch watch;
    LaunchRank *ranks;      /* [watch.n_processes], of the last look */
    LaunchWaiting *waiting; /* [watch.n_processes] */
    Arena *arena;
};

static inline bool launch_is_adopted(const Launch *launch)
{
    return !launch->process;
}

/* Nothing reaches it from the terminal. */
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

/* Holds SIGCHLD and what would end firma: both are taken one by one in launch_wait. */
void launch_hold_signals(Launch *launch);

/* What came until now was meant for the program that has ended. */
void launch_release_signals(Launch *launch);
