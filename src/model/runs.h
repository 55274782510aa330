/* SPDX-License-Identifier: BSD-3-Clause */
/* Run times of a program over problem size and number of processes: runs.csv (columns n, p, time; further ones are
 * ignored, but for `sequential`) or JSON. Forms: docs/FORMATS.md. Source: spec 5. */
#ifndef FIRMA_MODEL_RUNS_H
#define FIRMA_MODEL_RUNS_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

/* The runs of one problem size on one number of processes. */
typedef struct RunPoint {
    double n; /* problem size, in whatever unit; 1 where the file has none */
    uint32_t p;
    uint32_t n_times;
    const double *times_s; /* ascending */
    double median_s;
    double low_s, high_s; /* 95 % interval of the median, or all of them where there are too few */
} RunPoint;

typedef struct Runs {
    const char *file;
    bool has_sizes; /* a column n */
    uint32_t n_points;
    const RunPoint *points; /* ascending by n, then p */
} Runs;

/* CSV by libcsv (a line of names first; separators , ; or tab), JSON ({"format": "firma runs", …}) by its beginning.
 * ERR_INPUT with file, line and column: not a number, negative, no column p or time, nothing in it. */
bool runs_load(const char *path, Arena *arena, Runs **runs, Err *err);
bool runs_save_csv(const Runs *runs, const char *path, Err *err);

#endif
