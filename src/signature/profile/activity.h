/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes do when: the run's time in equal columns, and a row for each process, or for several
 * neighbours. */
#pragma once

#include "signature/profile/profile.h"

typedef enum RunActivity {
    RUN_ACTIVITY_COMPUTATION, /* on a processor, outside of MPI */
    RUN_ACTIVITY_TRANSFER,    /* in calls with events, without waiting */
    RUN_ACTIVITY_WAITING,     /* in these calls, for another process */
    RUN_ACTIVITY_OTHER,       /* calls without events, or off the processor */
    N_RUN_ACTIVITIES
} RunActivity;

extern const char *const run_activity_names[N_RUN_ACTIVITIES];

typedef struct ActivityGrid {
    int64_t begin_ns, end_ns; /* of the trace's clock: the first process's begin, and the last one's end */
    uint32_t n_columns, n_rows, processes_per_row;
    double (*shares)[N_RUN_ACTIVITIES]; /* [n_rows × n_columns] of the cell's time, 0 to 1; the rest is before a
                                       process's begin, or after its end */
} ActivityGrid;

typedef struct ActivityRecord ActivityRecord;

/* For a run whose length isn't known yet. */
ActivityRecord *activity_record_new(uint32_t n_processes, uint32_t rows_limit);
void activity_record_free(ActivityRecord *record); /* NULL is fine */

/* A call, and the computation since the process's call before. */
void activity_add_call(ActivityRecord *record, uint32_t process, int64_t enter_ns, int64_t leave_ns);
void activity_add_computation(ActivityRecord *record, uint32_t process, int64_t enter_ns, int64_t compute_ns);

/* A part of a call that was added. */
void activity_add_wait(ActivityRecord *record, uint32_t process, int64_t from_ns, int64_t to_ns);

/* The run's time in `n_columns` columns; the profile is of the same run. Result in the arena. */
ActivityGrid activity_record_finish(const ActivityRecord *record, const Profile *profile, uint32_t n_columns,
                                    Arena *arena);
