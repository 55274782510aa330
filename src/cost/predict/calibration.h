/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of a sample of tasks beside what was predicted for them, by batch and kind of machine, at one or
 * several sizes. `firma cost run --calibrate` makes them; prediction uses them. JSON form:
 * docs/FORMATS.md. Source: docs/METHOD.md, section 18. */
#pragma once

#include "base/arena.h"
#include "cost/lang/task_size.h"
#include "model/cpu.h"
#include "model/interval.h"
#include <stdbool.h>
#include <stddef.h>

/* A task's predicted time, in the middle of the costs' intervals: as if caches held its data; what elements cost more
 * because they don't, if loops visit them in order; what all other loads and stores do. */
typedef struct TaskParts {
    double computation_s, ordered_s, scattered_s;
    double data_bytes; /* that the task allocates; 0: not known */
    Interval time_s;   /* by the costs' intervals. No part of the file */
} TaskParts;

static inline double task_parts_s(TaskParts task)
{
    return task.computation_s + task.ordered_s + task.scattered_s;
}

/* A sample on one number of workers. */
typedef struct CalibrationRun {
    TaskParts predicted; /* means over the tasks */
    double busy;         /* share of the machine's other processors that had a worker, too */
    size_t n_measured;
    const double *measured_s; /* a task's mean time, in each run of the sample */
    size_t n_sizes;
    const TaskSize *sizes;
} CalibrationRun;

typedef struct Calibration {
    const char *batch;
    const char *kind;
    /* What it was made for (calibrated.h): checksums of the task's model and of the operations' costs,
     * and the compiler's options. */
    const char *model, *costs, *options;
    size_t n_runs;
    const CalibrationRun *runs;
    const CpuModel *cpu; /* the kind's costs when the calibration was made */
    /* No part of the file: from which kind it was carried to one that wasn't calibrated (carry.h); NULL: it was
     * calibrated. Whether the model's own interval is the narrower one, and stays. */
    const char *carried;
    bool is_of_model;
    /* Of the tasks that are predicted (scale.h): replaces the model's interval by this one times its middle. Of one
     * worker on a machine, and of one on each processor. No part of the file. */
    Interval scale, busy_scale;
    /* What these tasks' data leave, and the data of no run did (calibrated.h); 0: nothing. No part of the file. */
    double left_bytes, most_bytes, task_bytes;
} Calibration;

#define CALIBRATION_VERSION 4
extern const Document calibration_document;

bool calibration_save(Calibration *calibrations, size_t n, const char *path, Err *err);
bool calibration_load(const char *path, Arena *arena, const Calibration **calibrations, size_t *n, Err *err);

/* Of a machine with so many processors and workers. */
static inline double calibration_busy(uint32_t n_cores, uint32_t n_workers)
{
    return n_cores < 2 ? 0 : n_workers < n_cores ? (n_workers - 1.0) / (n_cores - 1.0) : 1;
}

/* How many times longer than a sample's shortest run its middle one and its longest one took, in the sample where the
 * middle one took longest. 1: no sample ran twice. */
typedef struct CalibrationSpread {
    double middle, most;
} CalibrationSpread;
CalibrationSpread calibration_spread(const Calibration *calibrations, size_t n);

/* NULL if there is none. */
const Calibration *calibration_find(const Calibration *calibrations, size_t n, const char *batch, const char *kind);
