/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an application's tasks for real: a master and workers on MPI, with the allocation that prediction has, so that
 * predictions meet measurements. Source: spec 2 §2.6. */
#pragma once

#include "base/arena.h"
#include "base/progress.h"
#include "cost/lang/pasl.h"
#include "trace/segment.h"

typedef struct RunRequest {
    const PaslApplication *application; /* all parameters have values */
    uint32_t n_workers;
    const uint64_t *const *counts;  /* [n_batches][n_workers] tasks, from the lowest number on */
    const uint64_t *const *numbers; /* [n_batches] the tasks that are run, as many as the counts say; NULL: 1, 2, … */
    double limit_s;                 /* of each task; 0: none */
    MpiFlavour flavour;             /* NONE: the user's launcher tells, or whichever is here */
    const char *const *launcher;    /* the user's words, NULL ends; NULL: firma's own */
    void (*say)(const char *line);  /* takes what tasks and launchers print; NULL: it's dropped */
    const Progress *progress;
} RunRequest;

typedef struct RunBatchTimes {
    double begin_s, end_s; /* from the run's start */
    uint64_t n_tasks;
    const uint64_t *numbers;      /* of the tasks, by worker */
    const double *task_s, *value; /* what each took, and returned; NAN: no number */
} RunBatchTimes;

typedef struct RunWorkerTimes {
    const char *host;
    double end_s;  /* its last result was there */
    double busy_s; /* its tasks */
} RunWorkerTimes;

/* One run. */
typedef struct RunTimes {
    double time_s; /* from the first message to the last */
    const RunWorkerTimes *workers;
    const RunBatchTimes *batches; /* [n_batches] in the application's order */
} RunTimes;

typedef struct Run Run;

/* How many tasks a batch has. ERR_INPUT: that's no whole number, or more than RUN_TASKS_LIMIT. */
bool run_count_tasks(const PaslApplication *application, const PaslBatch *batch, uint64_t *n_tasks, Err *err);

/* Compiles the tasks and works out their arguments. Signals that end firma have to be held (base/interrupts.h) from
 * here on until run_end: ERR_NEGATIVE, if one came. ERR_INPUT: what the compiler says, a parameter that's a pointer,
 * … */
bool run_prepare(const RunRequest *request, Arena *arena, Run **run, Err *err);

/* Launches master and workers once. ERR_NEGATIVE: a task failed; it's named. */
bool run_once(Run *run, RunTimes *times, Err *err);

const char *run_library(const Run *run); /* the MPI's name and version; "" before the first run */

/* Removes all that was made. NULL is fine. */
void run_end(Run *run);
