/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch under way: launch.c starts it, wait.c waits for it, stop.c ends it. Private to trace/. */
#ifndef FIRMA_TRACE_LAUNCH_STATE_H
#define FIRMA_TRACE_LAUNCH_STATE_H

#include "trace/launch.h"
#include "trace/launch/watch.h"
#include <signal.h>

struct Launch {
    pid_t pid;
    bool ended;
    int status;
    int64_t begin_ns, end_ns;
    sigset_t outer_mask;
    int interrupted; /* the first signal that came while waiting */
    int handing_on;  /* a signal that went to firma alone, to be sent at … */
    int64_t hand_on_at_ns;
    const char *recording; /* absolute */
    ControlFile *control;
    Watch watch;
    Arena *arena;
};

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

#endif
