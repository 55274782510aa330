/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of runs, to print beside predictions. The file is the output of `firma cost run` ("firma
 * task runs", docs/FORMATS.md), or a CSV file with the columns `workers` and `time` (seconds), in
 * any order and among others. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/task_runs.h"
#include <stdbool.h>

/* ERR_INPUT: with file and line. */
bool measured_load(const char *path, Arena *arena, TaskRuns *runs, Err *err);
