/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a thread is doing, from its segment while it grows. Private to trace/.
 *
 * A thread that waits in MPI either is inside one call, whose record stays open. Or it calls
 * MPI_Test, MPI_Iprobe and the like again and again, which leaves only records of polls. All other
 * records are progress. */
#pragma once

#include "trace/segment.h"
#include <stdbool.h>

/* Initially zero. Times are read from firma's own clock. */
typedef struct Activity {
    bool begun;
    uint64_t next;       /* the first record that was missing, or was an open call, at the last look */
    int64_t progress_ns; /* time of the last progress */
    bool is_inside;      /* inside an open call that isn't a poll; the next two describe the call */
    uint16_t call;
    int64_t enter_ns;
    int64_t polled_ns; /* time at which a new poll was last seen; 0: never */
    uint16_t poll;
    int64_t poll_leave_ns; /* recorded return of the last poll */
} Activity;

/* Looks at a segment whose header and halves are mapped. now_ns is the current time. */
void activity_look(Activity *activity, const SegmentHeader *header, const char *path, int64_t now_ns);

/* True if the thread has made no progress for quiet_ns, and is waiting. *call becomes the call in
 * which it waits. */
bool activity_waits(const Activity *activity, int64_t now_ns, int64_t quiet_ns, uint16_t *call);
