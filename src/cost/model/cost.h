/* SPDX-License-Identifier: BSD-3-Clause */
/* AMC: finds T0, T1 … TR and T of an application's PAMELA model on chosen machines. T0 is the time
 * without contention; T1 … TR are the loads of processors and links; T = max(T0, …, TR). All are
 * expressions in the application's parameters and the costs of operations and messages.
 * cost/predict adds the numbers. Source: docs/METHOD.md, section 16; the paper, section 3.1.
 *
 * Processor 0 is the master, 1 … P are the workers, machine by machine, group by group. Equal
 * machines are one resource, whose load is that of the most loaded machine. So ten thousand
 * machines need as few expressions as one.
 *
 * Symbols: t_sum_double[fast] is an operation on a kind of machine, t_sum_double[fast,java] if the
 * application has several languages. A message of n bytes takes alpha[master,fast] +
 * n*beta[master,fast]. */
#pragma once

#include "cost/lang/pamela.h"
#include "model/cpu.h"
#include <stdint.h>

/* A group of equal machines, numbered in a row. */
typedef struct CostGroup {
    const char *kind; /* index of symbols: letters, digits, _ */
    uint32_t n_machines, workers_each;
    uint32_t n_cores; /* of each machine; more workers than cores share them */
} CostGroup;

typedef struct CostPlatform {
    size_t n_groups;
    const CostGroup *groups;
    bool without_messages; /* messages cost nothing */
    /* Count t_surprise_int32: how often a branch that data decide goes another way than expected. */
    bool with_surprises;
} CostPlatform;

uint64_t cost_workers(const CostPlatform *platform);

/* The value of a named parameter of a batch's model, in terms of the application's and the entry's
 * parameters. */
typedef struct CostValue {
    const char *name;
    const Expr *value;
    const PamelaCounted *counted; /* NULL: it was given */
} CostValue;

typedef struct CostBatch {
    const char *name, *language;
    const PamelaModel *model; /* of a task; the last sub-model is the entry */
    /* Of the entry, as many as it has parameters; may contain the symbol `task`, 1 … */
    const Expr *const *arguments;
    size_t n_values;
    const CostValue *values;
    const Expr *receives_bytes, *returns_bytes; /* of each task */
    size_t n_before;
    const uint32_t *before; /* indexes of earlier batches for which this one waits */
    /* Calibrated: a task's time is multiplied by the symbol scale_BATCH_KIND. */
    bool is_scaled;
} CostBatch;

/* The models of all batches. Placing them on several choices of machines compiles the sub-models
 * once. */
typedef struct CostApplication CostApplication;

/* Joins the batches' models. ERR_INPUT: a batch has a value for a parameter that its model lacks,
 * or a parameter has a reserved name. */
bool cost_application_new(const CostBatch *batches, size_t n_batches, const CostValue *parameters, size_t n_parameters,
                          ExprSpace *space, Arena *arena, CostApplication **application, Err *err);

/* An application as a model written by hand: its last sub-model is the application. The parameters
 * of that sub-model need values, like the model's. */
void cost_application_written(const PamelaModel *model, Arena *arena, CostApplication **application);

/* The parameters and sub-models, before and after placing. */
const PamelaModel *cost_application_model(const CostApplication *application);

/* Frees memory outside of the arena; NULL is fine. */
void cost_application_end(CostApplication *application);

/* Places batches' tasks on workers: counts[batch][worker], lowest numbers first; NULL for a model
 * written by hand. In the resulting model, `main` runs the batches level by level. Each worker gets
 * its tasks' data in one message, and returns their results in one. */
bool cost_place(CostApplication *application, const CostPlatform *platform, const uint64_t *const *counts,
                const PamelaModel **model, Err *err);

typedef struct CostResource {
    const char *name; /* "processors of fast 1…3", "link of master" */
    const Expr *load;
} CostResource;

/* A stage ends before the next one begins: a level of the flow. */
typedef struct CostStage {
    const char *name;
    const Expr *without_contention; /* T0 */
    size_t n_resources;
    const CostResource *resources; /* T1 … TR */
    const Expr *time;              /* the max of all; less coarse if the stage contains stages */
} CostStage;

typedef struct CostExpressions {
    CostStage whole; /* as in the paper: time is max(T0, …, TR) over the whole application */
    size_t n_stages;
    const CostStage *stages;
    const Expr *time; /* the predicted time: the sum over stages, never less than the paper's */
} CostExpressions;

/* T of a sub-model on any number of equal processors, each in a machine of its own: the largest of T0 and
 * the loads of the master's link and of named resources. Operations are t_sum_double, named costs have
 * their names, and a message of b bytes takes ts + tw*b. Parameters, also P, stay. */
const Expr *cost_unplaced(const PamelaModel *model, const PamelaSub *main, Arena *arena);

/* The expressions of the model that was placed last. */
bool cost_of_placed(CostApplication *application, CostExpressions **expressions, Err *err);

/* Seconds that each of the workers first … last computes in a level of the flow, in terms of the symbol `index`, its
 * number. Workers that are in no such range have no tasks in the level. */
typedef struct CostWork {
    uint32_t level;
    uint64_t first, last;
    const char *index;
    const Expr *compute;
} CostWork;

/* Of the batches that were placed last; n is 0 for a model written by hand. */
bool cost_work(CostApplication *application, size_t *n, const CostWork **work, Err *err);

/* What a task of a batch costs on a worker of a group, in terms of the symbol `index`: the message to the worker,
 * the task itself, and the message back. */
typedef struct CostTask {
    const char *index;
    const Expr *give, *compute, *take;
} CostTask;

/* Costs of batches whose tasks are not placed beforehand: a master gives the next one to the first free worker.
 * n_tasks: [n_batches]. tasks: [n_batches*n_groups], batch by batch. The expressions are lower bounds of such a run's
 * time. T0 is the longest task with its messages; T1 and T2 are the load of all processors together, and of the
 * master's link. A stage is a level of the flow. */
bool cost_share(CostApplication *application, const CostPlatform *platform, const uint64_t *n_tasks,
                const CostTask **tasks, CostExpressions **expressions, const PamelaModel **model, Err *err);

/* A batch's level in the flow, from 0. */
uint32_t cost_level(const CostApplication *application, size_t batch);
