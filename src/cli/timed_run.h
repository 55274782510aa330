/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a launcher's command to its end, measures the wall-clock time, and writes the command's
 * output to a log. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/launch_failure.h"
#include <stdio.h>

typedef struct TimedRun {
    double time_s;
    int status;                  /* of the launcher, or 128 + signal */
    bool interrupted;            /* firma got a signal, and ended the run */
    LauncherComplaint complaint; /* what the output says of a failure */
} TimedRun;

/* To be called between interrupts_hold() and interrupts_release(). ERR_ENVIRONMENT: the command can't
 * be started. */
bool timed_run(const char *const *command, FILE *log, Arena *arena, TimedRun *run, Err *err);

/* Checks that the log was written. ERR_ENVIRONMENT, because an incomplete log may lack the very
 * lines that explain a failure. */
bool timed_run_check_log(FILE *log, const char *path, Err *err);
