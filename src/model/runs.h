/* SPDX-License-Identifier: BSD-3-Clause */
/* Run times of a program over problem size and number of processes: runs.csv (columns n, p, time; further ones are
 * ignored, but for `sequential`) or JSON. Forms: docs/FORMATS.md. Source: spec 5. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include <stdbool.h>
#include <stdint.h>

enum { RUNS_LIMIT = 1 << 20, RUNS_POINTS_LIMIT = 4096, RUNS_PROCESSES_LIMIT = 1 << 30 };
#define RUNS_SIZE_LIMIT 1e18

#define RUNS_FORMAT "firma runs"
#define RUNS_VERSION 1

/* The runs of one problem size on one number of processes. */
typedef struct RunPoint {
    double n; /* problem size, in whatever unit; 1 where the file has none */
    uint32_t p;
    uint32_t n_times;
    const double *times_s; /* ascending */
    double median_s;
    double low_s, high_s; /* 95 % interval of the median, or all of them where there are too few */
} RunPoint;

/* The best sequential program's time for one problem size. */
typedef struct SequentialTime {
    double n, time_s;
} SequentialTime;

typedef struct Runs {
    const char *file;
    bool has_sizes; /* a column n */
    uint32_t n_points;
    const RunPoint *points; /* ascending by n, then p */
    uint32_t n_sequential;
    const SequentialTime *sequential; /* of those sizes that have one, ascending by n */
} Runs;

/* CSV by libcsv (a line of names first; separators , ; or tab), JSON ({"format": "firma runs", …}) by its beginning.
 * ERR_INPUT with file, line and column: not a number, negative, no column p or time, nothing in it. */
bool runs_load(const char *path, Arena *arena, Runs **runs, Err *err);

/* Columns n (if there are sizes), p, time; and sequential, if there is any. */
bool runs_save_csv(const Runs *runs, const char *path, Err *err);

/* The document of the JSON form. */
extern const Document runs_document;
json_t *runs_to_json(const Runs *runs);
