/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a launcher's command to its end, its output into a log, and how long that took on the wall clock. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdio.h>

enum { LAST_WORDS_ROOM = 300 };

typedef struct TimedRun {
    double time_s;
    int status;                       /* of the launcher, or 128 + signal */
    bool interrupted;                 /* firma was: the run was ended */
    char last_words[LAST_WORDS_ROOM]; /* what it said last; "": nothing */
} TimedRun;

/* Between interrupts_hold and interrupts_let. ERR_ENVIRONMENT: it can't be started. */
bool timed_run(const char *const *command, FILE *log, Arena *arena, TimedRun *run, Err *err);

/* ERR_ENVIRONMENT: the log can't be written; it is of no use then to whoever looks for what went wrong. */
bool timed_run_check_log(FILE *log, const char *path, Err *err);
