/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of runs, to print beside predictions. The file is the output of `firma cost run` ("firma
 * task runs", docs/FORMATS.md), or a CSV file with the columns `workers` and `time` (seconds), in
 * any order and among others. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MeasuredRun {
    uint64_t n_workers;
    double time_s;
} MeasuredRun;

typedef struct MeasuredRuns {
    const char *application; /* NULL: absent in the file */
    size_t count;
    const MeasuredRun *items;
} MeasuredRuns;

/* ERR_INPUT: with file and line. */
bool measured_load(const char *path, Arena *arena, MeasuredRuns *runs, Err *err);
