/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a predictor. Private to this folder. */
#pragma once

#include "cost/predict/numbers.h"

struct Predictor {
    PredictOptions options;
    ExprSpace *space;
    Arena *arena;
    CostApplication *application;
    const PaslApplication *flow; /* NULL: a model written by hand */
    size_t n_batches;
    const CostBatch *batches;
    const Expr *const *tasks; /* [n_batches] numbers of tasks */
    const CodeName *codes;    /* [n_batches] */
    const char *language;     /* index of the code of all batches, or of the first one */
};

/* Chosen machines, in the form that cost/model needs. */
typedef struct Chosen {
    CostPlatform platform;
    const char *const *kinds;    /* [platform.n_groups] */
    const CpuModel *const *cpus; /* [platform.n_groups] */
    uint64_t n_workers;
    const char *text; /* "old:3,fast:2x4" */
} Chosen;

bool chosen_find(const PredictOptions *options, const MachineChoice *choices, size_t n_choices, Arena *arena,
                 Chosen *chosen, Err *err);

/* Allocates a batch's tasks, in a language, to workers by relative performance:
 * counts[n_workers]. */
bool chosen_allocate(const Chosen *chosen, const char *language, uint64_t n_tasks, Arena *arena, uint64_t *counts,
                     Err *err);

/* Tasks on demand (schedule.h): replaces T0 and the stages' bounds in the prediction by intervals that the tasks give
 * one by one, and fills in its counts. n_tasks: [n_batches]; tasks: of cost_share(). ERR_INPUT: too many tasks. */
bool dynamic_times(const Predictor *predictor, const CostPlatform *platform, const uint64_t *n_tasks,
                   const CostTask *tasks, const Numbers *numbers, CostPrediction *prediction, Err *err);

/* The number of workers for each processor, on the machine where it is largest. */
double sharing_most(const CostPlatform *platform);

/* Lengthens the stages of batches that were placed on machines with more workers than processors, and so the predicted
 * time. */
bool sharing_times(const Predictor *predictor, const CostPlatform *platform, const Numbers *numbers,
                   CostPrediction *prediction, Err *err);
