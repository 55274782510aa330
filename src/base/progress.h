/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress of work that may take over a second. Libraries report it; the command line draws it. */
#pragma once

#include <stdint.h>

typedef struct Progress {
    void *self;
    /* `what` is a short label ("reading events"). `done` of `total` is finished; total is 0 if it
     * isn't known. Calling it often is cheap. */
    void (*report)(void *self, const char *what, uint64_t done, uint64_t total);
} Progress;

/* A NULL progress reports nothing. */
static inline void progress_report(const Progress *progress, const char *what, uint64_t done, uint64_t total)
{
    if (progress && progress->report)
        progress->report(progress->self, what, done, total);
}
