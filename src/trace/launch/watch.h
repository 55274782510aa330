/* SPDX-License-Identifier: BSD-3-Clause */
/* Watching a recording while it grows: how many send-like events each process has made, and who has finished. Private
 * to trace/. */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/launch/activity.h"
#include "trace/segment.h"
#include <time.h>

/* Files of the recording directory whose content was valid, and stay mapped. */
typedef struct WatchedSegment {
    const SegmentHeader *header; /* and the halves behind it */
    uint32_t rank;
    const char *path;
    Activity activity;
} WatchedSegment;

typedef struct Watch {
    const char *recording;
    Arena *arena;
    Map known; /* names of files that were taken in; of a HOST-PID.process: HOST-PID, with its rank */
    VEC(WatchedSegment) segments;
    const ProcessFile **processes; /* [n_processes]; NULL: not seen yet */
    bool incomplete;               /* some file was there, but not filled in yet */
    struct timespec scanned_state; /* the directory's mtime at the last scan */
    uint32_t n_processes;
    uint64_t *send_events; /* [n_processes] */
} Watch;

/* See launch_send_events. A Watch of which only recording and arena are set begins. */
const uint64_t *watch_send_events(Watch *watch, uint32_t *count);
/* Looks for new files; false while no process is known. */
bool watch_scan(Watch *watch);

/* Whether all processes have left MPI_Finalize. */
bool watch_all_finished(Watch *watch);

void watch_free(Watch *watch);
