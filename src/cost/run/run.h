/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an application's tasks for real, to compare with predictions: a master and workers on MPI,
 * with the allocation of the prediction. Source: docs/METHOD.md, section 18. */
#pragma once

#include "base/arena.h"
#include "base/progress.h"
#include "cost/lang/pasl.h"
#include "trace/segment.h"

/* A copy of a batch's source in C that counts when it runs (cost/count). */
typedef struct RunCounting {
    const char *source, *options; /* the copy; further options of the compiler */
    size_t n_counters;
    const char *results; /* the file to which the counters are written: doubles */
} RunCounting;

typedef struct RunRequest {
    const PaslApplication *application; /* all parameters have values */
    uint32_t n_workers;
    /* [n_batches][n_workers] tasks, lowest numbers first. NULL: a master gives the next task to the first free
     * worker. */
    const uint64_t *const *counts;
    /* [n_batches] numbers of the tasks to run, as many as the counts add up to; NULL: 1, 2, … */
    const uint64_t *const *numbers;
    const RunCounting *counting; /* [n_batches]; NULL: the sources themselves run */
    const Expr *omp_threads;     /* of each task, instead of what the flow file says; NULL: as that says */
    double limit_s;              /* timeout of each task; 0: none */
    bool without_waiting;        /* a task's time leaves out where other programs had its processor */
    MpiFlavour flavour;          /* NONE: the MPI of the user's launcher, or any */
    /* The user's command line, NULL-terminated; NULL: firma's own. */
    const char *const *launcher;
    void (*say)(const char *line); /* gets the output of tasks and launchers; NULL: dropped */
    const Progress *progress;
} RunRequest;

typedef struct RunBatchTimes {
    double begin_s, end_s; /* from the start of the run */
    uint64_t n_tasks;
    const uint64_t *numbers;      /* numbers of the tasks, by worker, or in order if free workers get them */
    const uint64_t *worker;       /* of each, from 1 */
    const double *task_s, *value; /* duration and returned value of each; NAN: not a number */
} RunBatchTimes;

typedef struct RunWorkerTimes {
    const char *host;
    double end_s;  /* arrival of its last result */
    double busy_s; /* sum over its tasks */
} RunWorkerTimes;

/* The times of one run. */
typedef struct RunTimes {
    double time_s; /* from the first message to the last */
    const RunWorkerTimes *workers;
    const RunBatchTimes *batches; /* [n_batches] in the application's order */
} RunTimes;

typedef struct Run Run;

/* The number of a batch's tasks. ERR_INPUT: not a whole number, or more than RUN_TASKS_LIMIT. */
bool run_count_tasks(const PaslApplication *application, const PaslBatch *batch, uint64_t *n_tasks, Err *err);

/* Checks the lengths of all arrays that tasks get, if all parameters have values. */
bool run_check_lengths(const PaslApplication *application, Err *err);

/* Checks the names and types of all arrays that tasks in C and Java get, as far as there are compilers. */
bool run_check_arrays(const PaslApplication *application, Arena *arena, Err *err);

/* Compiles the tasks, and computes their arguments. From here until run_end, the caller blocks
 * signals that end firma (base/interrupts.h). ERR_NEGATIVE: such a signal came. ERR_INPUT: the
 * compiler's message, or a parameter that isn't a number. */
bool run_prepare(const RunRequest *request, Arena *arena, Run **run, Err *err);

/* Launches master and workers once. ERR_NEGATIVE: a task failed; the error names the task. */
bool run_once(Run *run, RunTimes *times, Err *err);

const char *run_library(const Run *run); /* the MPI's name and version; "" before the first run */

/* Removes all files. NULL is fine. */
void run_end(Run *run);
