/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers that the tasks of a run get. Private to this folder. */
#pragma once

#include "cost/run/run.h"

typedef struct TaskList {
    uint64_t n_tasks;
    const uint64_t *numbers;            /* [n_tasks] */
    const double *arguments;            /* [n_tasks*n_arguments] */
    const uint64_t *receives, *returns; /* [n_workers] bytes */
    uint32_t level;                     /* length of the longest path of the flow to this batch */
} TaskList;

/* [n_batches] */
bool tasks_list(const RunRequest *request, Arena *arena, const TaskList **lists, Err *err);
