/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that runs took, for predictions to stand beside: what `firma cost run` writes ("firma task runs", docs/FORMATS.md),
 * or a CSV file with the columns `workers` and `time` (seconds), in any order, among others. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURED_FORMAT "firma task runs"
#define MEASURED_VERSION 1

typedef struct MeasuredRun {
    uint64_t n_workers;
    double time_s;
} MeasuredRun;

typedef struct MeasuredRuns {
    const char *application; /* NULL: the file doesn't say */
    size_t count;
    const MeasuredRun *items;
} MeasuredRuns;

/* ERR_INPUT with file and line. */
bool measured_load(const char *path, Arena *arena, MeasuredRuns *runs, Err *err);
