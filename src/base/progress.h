/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress of work that may take over a second. Libraries report it; the command line draws it. */
#pragma once

#include <stdint.h>

typedef struct Progress {
    void *self;
    /* `what` is a short label ("reading events"). `done` of `total` is finished; total is 0 if it
     * isn't known. Calling it often is cheap. */
    void (*report)(void *self, const char *what, uint64_t done, uint64_t total);
    /* Of work that takes a known time, or must be waited for: how long it takes, and what has come so far ("12 300
     * events"; "": nothing to say). expected_s is 0 if it isn't known. */
    void (*report_time)(void *self, const char *what, const char *so_far, double elapsed_s, double expected_s);
} Progress;

/* A NULL progress reports nothing. */
static inline void progress_report(const Progress *progress, const char *what, uint64_t done, uint64_t total)
{
    if (progress && progress->report)
        progress->report(progress->self, what, done, total);
}

static inline void progress_report_time(const Progress *progress, const char *what, const char *so_far,
                                        double elapsed_s, double expected_s)
{
    if (progress && progress->report_time)
        progress->report_time(progress->self, what, so_far, elapsed_s, expected_s);
}
