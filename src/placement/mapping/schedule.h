/* SPDX-License-Identifier: BSD-3-Clause */
/* What each task does and when, in a simulation. The time is cut into bins of equal length. Each
 * bin holds the seconds of each activity. */
#pragma once

#include "base/arena.h"
#include <stdint.h>

typedef enum Activity {
    ACTIVITY_COMPUTE,
    ACTIVITY_TRANSFER, /* waits for a message that is in flight */
    ACTIVITY_WAIT,     /* waits for a message that isn't sent yet */
    ACTIVITY_QUEUE,    /* could go on, but another task uses its processor */
    N_ACTIVITIES
} Activity;

typedef struct Schedule {
    uint32_t n_tasks, n_bins;
    double until_s;  /* later activities aren't stored */
    double *since_s; /* [n_tasks] start of the task's current activity */
    double *seconds; /* [n_tasks × n_bins × N_ACTIVITIES] */
} Schedule;

Schedule *schedule_new(uint32_t n_tasks, uint32_t n_bins, double until_s, Arena *arena);

void schedule_note(Schedule *schedule, uint32_t task, Activity activity, double from_s, double to_s);

/* [N_ACTIVITIES] seconds of each activity in the bin. */
double *schedule_bin(const Schedule *schedule, uint32_t task, uint32_t bin);
