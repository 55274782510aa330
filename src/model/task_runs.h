/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of an application's tasks, as far as others than `firma cost run`, which writes them, read them
 * ("firma task runs", docs/FORMATS.md). */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TASK_RUNS_FORMAT "firma task runs"
#define TASK_RUNS_VERSION 1

typedef struct TaskRun {
    uint64_t n_workers;
    double time_s; /* of the whole run */
} TaskRun;

typedef struct TaskRuns {
    const char *application; /* NULL: absent in the file */
    size_t count;
    const TaskRun *items; /* in any order */
} TaskRuns;

/* Reads the root of a file. ERR_INPUT: with the place. */
bool task_runs_read(const json_t *root, const char *file, Arena *arena, TaskRuns **runs, Err *err);
