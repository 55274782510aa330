/* SPDX-License-Identifier: BSD-3-Clause */
/* AMC: an application's model, placed on machines, to T0 (no contention), T1 … TR (the load of each processor and link
 * alone) and T = max(T0, …, TR), as expressions in its parameters and in the machines' operation times. Numbers go in
 * last (cost/predict). Source: spec 2 §2.4, paper §3.1.
 *
 * Symbols: t_sum_double[KIND] for an operation on a kind of processor; t_send[a,b](bytes) becomes alpha[a,b] +
 * bytes*beta[a,b]. */
#ifndef FIRMA_COST_MODEL_COST_H
#define FIRMA_COST_MODEL_COST_H

#include "cost/lang/pamela.h"
#include <stdint.h>

/* What of a machine the symbolic half needs: its kind's name, and how many processors it has. */
typedef struct CostMachine {
    const char *kind;   /* index of the operation times' symbols */
    const char *name;   /* of this machine among those used: "fast.1" */
    uint32_t n_workers; /* that run on it, */
    uint32_t n_cores;   /* on so many processors: workers beyond them share */
} CostMachine;

/* One batch as it's placed: per machine, how many tasks, from which task number on. */
typedef struct CostBatch {
    const char *name;
    const PamelaModel *model;     /* of its task; the last sub-model is the entry */
    const Expr *const *arguments; /* of the entry; may hold the symbol `task` */
    const Expr *receives_bytes, *returns_bytes;
    const Expr *const *first_task; /* [n_workers] number of each worker's first task, */
    const Expr *const *n_tasks;    /* [n_workers] and how many it has: symbols or numbers */
    size_t n_before;
    const uint32_t *before;
} CostBatch;

typedef struct CostResource {
    const char *name; /* "processor fast.1/0", "link master-fast.1" */
    const Expr *load;
} CostResource;

typedef struct CostExpressions {
    const Expr *without_contention; /* T0 */
    size_t n_resources;
    const CostResource *resources; /* T1 … TR */
    const Expr *total;             /* T, after the paper: max of all of the above */
} CostExpressions;

/* The cost of one sub-model alone on a kind of processor, in its parameters. Also what `--calibrate` scales. */
bool cost_of_task(const PamelaModel *model, const char *sub, const char *kind, const Expr **cost, Err *err);

bool cost_of_application(const CostBatch *batches, size_t n_batches, const CostMachine *machines, size_t n_machines,
                         ExprSpace *space, Arena *arena, CostExpressions **expressions, Err *err);

#endif
