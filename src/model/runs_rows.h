/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two readers of run times share: rows, one a run, which become points. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "model/runs.h"

typedef struct RunRow {
    double n, time_s;
    double sequential_s; /* 0: not given */
    uint32_t p;
} RunRow;

typedef struct RunRows {
    VEC(RunRow) rows;
    bool has_sizes;
} RunRows;

/* The text is a file's; *rows is the caller's to free, on failure, too. */
bool runs_read_csv(const char *file, const char *text, RunRows *rows, Err *err);
bool runs_read_json(const char *file, RunRows *rows, Err *err);
