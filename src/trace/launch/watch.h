/* SPDX-License-Identifier: BSD-3-Clause */
/* Watches a recording while it grows: the number of send-like events of each process, and which
 * processes have finished. Private to trace/. */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/launch/activity.h"
#include "trace/segment.h"
#include <time.h>

/* A valid segment of the recording directory, which stays mapped. */
typedef struct WatchedSegment {
    const SegmentHeader *header; /* followed by the halves */
    uint32_t rank;
    const char *path;
    Activity activity;
} WatchedSegment;

typedef struct Watch {
    const char *recording;
    Arena *arena;
    Map known; /* names of files that are mapped; for HOST-PID.process also HOST-PID, with the rank */
    VEC(WatchedSegment) segments;
    const ProcessFile **processes; /* [n_processes]; NULL: not seen yet */
    bool incomplete;               /* some file exists, but isn't filled in yet */
    struct timespec scanned_state; /* the directory's mtime at the last scan */
    uint32_t n_processes;
    uint64_t *send_events; /* [n_processes] */
} Watch;

/* See launch_send_events(). Initialise a Watch with recording and arena; the rest is zero. */
const uint64_t *watch_send_events(Watch *watch, uint32_t *count);
/* Looks for new files. Returns false as long as no process is known. */
bool watch_scan(Watch *watch);

/* True if all processes have left MPI_Finalize. */
bool watch_all_finished(Watch *watch);

void watch_free(Watch *watch);
