/* SPDX-License-Identifier: BSD-3-Clause */
/* What each task does when, as simulated: seconds of each kind in each of equally long bins of the time. */
#pragma once

#include "base/arena.h"
#include <stdint.h>

typedef enum Doing {
    DOING_COMPUTE,
    DOING_TRANSFER, /* waits for a message that is under way */
    DOING_WAIT,     /* waits for a message that isn't sent yet */
    DOING_QUEUE,    /* could go on, but another task has its processor */
    N_DOINGS
} Doing;

typedef struct Schedule {
    uint32_t n_tasks, n_bins;
    double until_s;  /* what is later isn't kept */
    double *since_s; /* [n_tasks] since when it waits, or has been ready */
    double *seconds; /* [n_tasks × n_bins × N_DOINGS] */
} Schedule;

Schedule *schedule_new(uint32_t n_tasks, uint32_t n_bins, double until_s, Arena *arena);

void schedule_note(Schedule *schedule, uint32_t task, Doing doing, double from_s, double to_s);

/* Seconds of each Doing. */
double *schedule_bin(const Schedule *schedule, uint32_t task, uint32_t bin);
