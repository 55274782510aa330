/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a run (cost/run/protocol.h), as a worker reads it. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

typedef struct PlanBatch {
    const char *name;
    uint64_t level, executor, entry, n_arguments, n_tasks;
    const uint64_t *numbers;                     /* [n_tasks] */
    const double *arguments;                     /* [n_tasks*n_arguments] */
    const uint64_t *counts, *receives, *returns; /* [n_workers] */
} PlanBatch;

typedef struct Plan {
    uint64_t n_workers, n_executors, n_batches;
    double limit_s;
    const char *results;
    const char *const *const *executors; /* words, NULL-terminated */
    const PlanBatch *batches;
} Plan;

bool plan_load(const char *path, Arena *arena, Plan *plan, Err *err);

/* The index of the worker's first task among the batch's tasks. */
uint64_t plan_first(const PlanBatch *batch, uint64_t worker);
