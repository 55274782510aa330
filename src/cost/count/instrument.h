/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of a task's source that count, when they run, what gives parameters of its model their values. Only the text
 * within lines changes, so errors still name the right lines. Source: docs/METHOD.md, section 18. */
#pragma once

#include "cost/source/analyse.h"

/* A parameter: sums of counters, one over the other. */
typedef struct Counted {
    const char *parameter;
    CountKind kind;
    SourcePlace place;
    const char *why; /* it can't be counted; NULL: it is */
    size_t n_over, n_under;
    const size_t *over, *under;
} Counted;

typedef struct Instrumented {
    const char *source;  /* the copy */
    const char *options; /* further ones, by which the compiler finds what the source includes */
    size_t n_counters;
    bool has_macros; /* definitions of macros count, too; they are no constants then */
    size_t n_counted;
    const Counted *counted;
    size_t n_files;
    const char *const *files; /* the source, and what it includes but the system's headers */
} Instrumented;

/* Writes the copies into a new folder `directory`. file: the source. with_macros: also counts in macros' bodies. */
bool instrument_source(const char *file, const Analysis *analysis, bool with_macros, const char *directory,
                       Arena *arena, Instrumented *instrumented, Err *err);
