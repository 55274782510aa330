/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a run (cost/run/protocol.h), as a worker reads it. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

typedef struct PlanBatch {
    const char *name;
    uint64_t level, executor, entry, n_arguments, n_tasks;
    const uint64_t *numbers; /* [n_tasks] */
    const double *arguments; /* [n_tasks*n_arguments] */
} PlanBatch;

/* Tasks of a batch that a worker gets together. */
typedef struct PlanPiece {
    uint64_t batch, first, count; /* indexes of the tasks in the batch */
    uint64_t worker;              /* from 1; 0: the first free one */
    uint64_t receives, returns;   /* bytes */
} PlanPiece;

typedef struct Plan {
    uint64_t n_workers, n_executors, n_batches;
    double limit_s;
    const char *results;
    const char *const *const *executors; /* words, NULL-terminated */
    const PlanBatch *batches;
    uint64_t n_pieces;
    const PlanPiece *pieces; /* of all batches, in their order */
} Plan;

bool plan_load(const char *path, Arena *arena, Plan *plan, Err *err);

/* Whether the worker, from 0, may get the piece. */
static inline bool plan_may_get(const PlanPiece *piece, uint64_t worker)
{
    return piece->worker == 0 || piece->worker == worker + 1;
}
