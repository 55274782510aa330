/* SPDX-License-Identifier: BSD-3-Clause */
/* A cheap model of the simulation: how long each occurrence lasts on an ideal network, where processes wait for each
 * other alone. A sample is compared with the whole run by it. Private to the folder. */
#pragma once

#include "simulation/work.h"

typedef struct Surrogate {
    const Cuts *cuts;
    const double *factors; /* [n_processes] by which a process computes longer than in the trace */
    /* Of the run: [n_occurrences] sums over processes; NULL: surrogate_run() finds them */
    double *durations_s;
    double *process_s; /* [n_processes] */
    double all_s;      /* the sum of all durations */
} Surrogate;

/* Reads the source, which delivers completions, to its end. Results in the arena. */
bool surrogate_run(Surrogate *surrogate, EventSource *source, const Progress *progress, Arena *arena, Err *err);

/* In a sample, an iteration comes behind others than in the run. By what share of the run's time this changes the
 * drawn occurrences, as long as the sample says: root of the sum of the squares of the mean and of its standard
 * error. Fills in the ideal times of the work, which is that of work_read(). HUGE_VAL: the sample can't be replayed. */
double surrogate_compare(const Surrogate *surrogate, Work *work, const Sample *sample);
