/* SPDX-License-Identifier: BSD-3-Clause */
/* AMC: an application's PAMELA model on a choice of machines to T0 (no contention), T1 … TR (the load of each processor
 * and link alone) and T = max(T0, …, TR), as expressions in its parameters and in what operations and messages cost.
 * Numbers go in last (cost/predict). Source: spec 2 §2.4, paper §3.1.
 *
 * Processor 0 is the master, 1 … P are the workers, machine after machine, group after group. Equal machines are one
 * resource, whose load is that of the most loaded of them: so ten thousand are as short as one.
 *
 * Symbols: t_sum_double[fast] is an operation on a kind of machine, t_sum_double[fast,java] if the application has
 * several languages; a message of n bytes takes alpha[master,fast] + n*beta[master,fast]. */
#pragma once

#include "cost/lang/pamela.h"
#include <stdint.h>

/* Equal machines, one after the other. */
typedef struct CostGroup {
    const char *kind; /* index of the symbols: letters, digits, _ */
    uint32_t n_machines, workers_each;
    uint32_t n_cores; /* of each: workers beyond them share */
} CostGroup;

typedef struct CostPlatform {
    size_t n_groups;
    const CostGroup *groups;
    bool without_messages; /* they cost nothing */
} CostPlatform;

uint64_t cost_workers(const CostPlatform *platform);

/* A named parameter of a batch's model, and its value in the parameters of the application and of the entry. */
typedef struct CostValue {
    const char *name;
    const Expr *value;
} CostValue;

typedef struct CostBatch {
    const char *name, *language;
    const PamelaModel *model;     /* of its task; the last sub-model is the entry */
    const Expr *const *arguments; /* of the entry, as many as it has parameters; may hold the symbol `task`, 1 … */
    size_t n_values;
    const CostValue *values;
    const Expr *receives_bytes, *returns_bytes; /* of each task */
    size_t n_before;
    const uint32_t *before; /* indexes of batches, lower than its own */
    bool is_scaled;         /* calibrated: each task counts scale_BATCH_KIND times */
} CostBatch;

/* Models of all batches, of which those that are used on several choices of machines are compiled once. */
typedef struct CostApplication CostApplication;

bool cost_application_new(const CostBatch *batches, size_t n_batches, const CostValue *parameters, size_t n_parameters,
                          ExprSpace *space, Arena *arena, CostApplication **application, Err *err);

/* A model that's written by hand: its last sub-model is the application. What parameters that one has are asked for as
 * the model's are. */
void cost_application_written(const PamelaModel *model, Arena *arena, CostApplication **application);

/* Its parameters and sub-models, before and after it's placed. */
const PamelaModel *cost_application_model(const CostApplication *application);

void cost_application_end(CostApplication *application); /* what isn't in the arena; NULL is fine */

/* Batches' tasks on the workers: counts[batch][worker] from the lowest number on; NULL for a written one. The result is
 * a model as people write it: `main` runs the batches level by level of the flow; each worker gets its tasks' data in
 * one message and returns their results in one. */
bool cost_place(CostApplication *application, const CostPlatform *platform, const uint64_t *const *counts,
                const PamelaModel **model, Err *err);

typedef struct CostResource {
    const char *name; /* "processors of fast 1…3", "link of master" */
    const Expr *load;
} CostResource;

/* What runs before the next thing begins: a level of the flow. */
typedef struct CostStage {
    const char *name;
    const Expr *without_contention; /* T0 */
    size_t n_resources;
    const CostResource *resources; /* T1 … TR */
    const Expr *time;              /* max of all, or tighter: where stages within it don't overlap */
} CostStage;

typedef struct CostExpressions {
    CostStage whole; /* after the paper: its time is max(T0, …, TR) over the whole application */
    size_t n_stages;
    const CostStage *stages;
    const Expr *time; /* what is predicted: the sum of the stages' times, never less than the paper's */
} CostExpressions;

/* Of the model that was placed last. */
bool cost_of_placed(CostApplication *application, CostExpressions **expressions, Err *err);
