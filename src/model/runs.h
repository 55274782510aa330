/* SPDX-License-Identifier: BSD-3-Clause */
/* Run times of a program by problem size and number of processes. A file is runs.csv with columns
 * n, p, time and perhaps `sequential` and `slowdown` (others are ignored), or JSON. Forms: docs/FORMATS.md.
 * Method: docs/METHOD.md §19. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include <stdbool.h>
#include <stdint.h>

enum { RUNS_LIMIT = 1 << 20, RUNS_POINTS_LIMIT = 4096, RUNS_PROCESSES_LIMIT = 1 << 30 };
#define RUNS_SIZE_LIMIT 1e18
#define RUNS_SLOWDOWN_LIMIT 1e6

#define RUNS_FORMAT "firma runs"
#define RUNS_VERSION 1

/* The runs of one problem size on one number of processes. */
typedef struct RunPoint {
    double n; /* problem size in the user's unit; 1 if the file has no sizes */
    uint32_t p;
    uint32_t n_times;
    const double *times_s; /* ascending */
    double median_s;
    double low_s, high_s; /* 95 % interval of the median; with less than six runs, the least and the largest time */
    double slowdown; /* factor by which other programs may have slowed some run down; 1: none did, or it isn't known */
} RunPoint;

/* The time of the best sequential program for one problem size. */
typedef struct SequentialTime {
    double n, time_s;
} SequentialTime;

typedef struct Runs {
    const char *file;
    bool has_sizes; /* the file has a column n */
    uint32_t n_points;
    const RunPoint *points; /* ascending by n, then p */
    uint32_t n_sequential;
    const SequentialTime *sequential; /* one for each size that has such a time, ascending by n */
} Runs;

/* Loads a file. A file that begins with `{` is JSON ({"format": "firma runs", …}, or runs of tasks). Any other is
 * CSV: the first line has the names, and fields are separated by commas, semicolons or tabs.
 * ERR_INPUT names file, line and column, for example of a text that isn't a number, of a negative
 * time, or of missing columns. */
bool runs_load(const char *path, Arena *arena, Runs **runs, Err *err);

/* Writes the columns n (if the runs have sizes), p, time, and sequential (if the runs have such
 * times), but no slowdowns. */
bool runs_save_csv(const Runs *runs, const char *path, Err *err);

/* The JSON form as a document. */
extern const Document runs_document;
json_t *runs_to_json(const Runs *runs);
