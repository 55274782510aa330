/* SPDX-License-Identifier: BSD-3-Clause */
/* From traces of one program on several numbers of processes to the events that it would have on another number.
 * docs/METHOD.md, section 23. Public interface of the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"

/* A run of the program. Its trace is read to the end, completions included. */
typedef struct ExtrapolationRun {
    const char *path; /* for messages */
    EventSource *source;
} ExtrapolationRun;

typedef struct Extrapolated {
    EventSource source; /* the first member, so that pointers to both convert */
    Trace trace;        /* of p processes */
    const char *layout; /* "a grid" */
    double width;       /* relative half width of the computation's 95 % interval */
    uint64_t n_events;
    uint64_t n_kept_volumes;    /* kinds of events whose volumes are those of the largest run, since no law fits */
    const Event *const *events; /* [p] */
    const uint64_t *counts;     /* [p] */
    uint64_t *read;             /* [p] events delivered */
    bool tells_completions;     /* as archive_tell_completions() */
} Extrapolated;

/* runs: ascending in their numbers of processes, at least two. ERR_INPUT: no layout explains the partners, or the
 * numbers of events follow no law; the message says which. Results in the arena; the sources aren't needed any more,
 * but for the texts of the last one's trace. */
bool extrapolate(const ExtrapolationRun *runs, uint32_t n_runs, uint32_t p, const Progress *progress, Arena *arena,
                 Extrapolated *extrapolated, Err *err);

/* Lets the source be read again. */
void extrapolated_rewind(Extrapolated *extrapolated, bool tells_completions);
