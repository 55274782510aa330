/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows, one for each run: what the two readers of run times (CSV and JSON) produce. Private to the
 * folder. */
#pragma once

#include "base/vec.h"
#include "model/runs.h"

typedef struct RunRow {
    double n, time_s;
    double sequential_s; /* 0: not given */
    double slowdown;     /* 0: not given */
    uint32_t p;
} RunRow;

typedef struct RunRows {
    VEC(RunRow) rows;
    bool has_sizes;
} RunRows;

/* `text` is the content of the file. The caller frees rows->rows, also after an error. */
bool runs_read_csv(const char *file, const char *text, RunRows *rows, Err *err);
bool runs_read_json(const char *file, RunRows *rows, Err *err);
