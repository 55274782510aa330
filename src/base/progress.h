/* SPDX-License-Identifier: BSD-3-Clause */
/* How work that takes over a second tells whoever watches. Libraries report; the command line draws. */
#pragma once

#include <stdint.h>

typedef struct Progress {
    void *self;
    /* `what` is a short label ("reading events"); done of total (0: unknown). Cheap to call often. */
    void (*report)(void *self, const char *what, uint64_t done, uint64_t total);
} Progress;

/* NULL progress is silence. */
static inline void progress_report(const Progress *progress, const char *what, uint64_t done, uint64_t total)
{
    if (progress && progress->report)
        progress->report(progress->self, what, done, total);
}
