/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tasks of a run are given, as numbers. Private to the folder. */
#pragma once

#include "cost/run/run.h"

typedef struct TaskList {
    uint64_t n_tasks;
    const uint64_t *numbers;            /* [n_tasks] */
    const double *arguments;            /* [n_tasks*n_arguments] */
    const uint64_t *receives, *returns; /* [n_workers] bytes */
    uint32_t level;                     /* longest way of the flow to it */
} TaskList;

/* [n_batches] */
bool tasks_list(const RunRequest *request, Arena *arena, const TaskList **lists, Err *err);
