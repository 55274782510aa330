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

/* What may not compile in a copy: a constant may use a macro whose definition counts, and not each call may be of a
 * function as firma takes it. */
typedef enum CountRisk {
    COUNT_IN_MACROS = 1,
    COUNT_PARTS = 2 /* of arguments, and texts that functions of the library read */
} CountRisk;

typedef struct Instrumented {
    const char *source;  /* the copy */
    const char *options; /* further ones, by which the compiler finds what the source includes */
    size_t n_counters;
    unsigned risks; /* of CountRisk, those that the copy takes */
    size_t n_counted;
    const Counted *counted;
    size_t n_files;
    const char *const *files; /* the source, and what it includes but the system's headers */
} Instrumented;

/* Writes the copies into a new folder `directory`. file: the source. may: a set of CountRisk. */
bool instrument_source(const char *file, const Analysis *analysis, unsigned may, const char *directory, Arena *arena,
                       Instrumented *instrumented, Err *err);
