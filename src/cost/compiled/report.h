/* SPDX-License-Identifier: BSD-3-Clause */
/* What gcc reports of its work on loops (-fdump-tree-vect-details, -fopt-info-loop). Private to this folder. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ReportedLoop {
    uint32_t line;
    unsigned factor; /* iterations that one of the compiled loop does by vector instructions; 0: not vectorised */
    /* Iterations of this outer loop that the inner loop does at once ("unroll and jam"); 0: one. */
    unsigned jammed;
    unsigned parts; /* loops into which it was distributed, which each do a part of all iterations; 0: one */
    bool is_call;   /* a function of the library does the whole loop's work */
} ReportedLoop;

typedef struct Report {
    size_t n;
    const ReportedLoop *loops;
} Report;

/* `source`: lines of other files are left out. */
Report report_read(const char *text, const char *source, Arena *arena);
/* NULL: nothing is reported of a loop at this line. */
const ReportedLoop *report_of(const Report *report, uint32_t line);
