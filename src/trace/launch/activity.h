/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread is doing, as its segment tells while it grows. Private to trace/.
 *
 * Whoever waits in MPI is inside one call, whose record stays open, or calls MPI_Test, MPI_Iprobe and the like again
 * and again, which leaves records of polls and nothing else. Everything else that is recorded is progress. */
#pragma once

#include "trace/segment.h"
#include <stdbool.h>

/* All zero begins. Times are firma's own. */
typedef struct Activity {
    bool begun;
    uint64_t next;       /* the first record that wasn't there, or was an open call, at the last look */
    int64_t progress_ns; /* when something happened other than a poll */
    bool is_inside;      /* an open call that isn't a poll: */
    uint16_t call;
    int64_t enter_ns;
    int64_t polled_ns; /* when it polled; 0: never */
    uint16_t poll;
    int64_t poll_leave_ns; /* of the last poll, as recorded */
} Activity;

/* Looks at a segment, of which header and halves are mapped, at the time now. */
void activity_look(Activity *activity, const SegmentHeader *header, const char *path, int64_t now_ns);

/* Whether it has made no progress for quiet_ns and waits all the same, and in which call. */
bool activity_waits(const Activity *activity, int64_t now_ns, int64_t quiet_ns, uint16_t *call);
