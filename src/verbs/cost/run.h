/* SPDX-License-Identifier: BSD-3-Clause */
/* What the uses of `firma cost run` share: measuring runs, calibrating, and counting. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "cost/run/run.h"
#include "verbs/cost/kinds_option.h"

typedef struct CostRunning {
    Cli *cli;
    PaslApplication *application;
    const PamelaModel *const *models; /* [n_batches]; NULL: no machine model was named */
    PredictOptions how;               /* .machine NULL: the same */
    const Expr *omp_threads;          /* of --set; NULL: not given */
    unsigned repeats;
    double limit_s;
    MpiFlavour flavour;
    const char *const *launcher; /* NULL: the MPI's own */
    const char *output;          /* NULL: none */
    const RunCounting *counting; /* [n_batches] copies of the sources that run instead; NULL: none */
} CostRunning;

/* Compiles the tasks, and runs them on the workers n_runs times. runs: [n_runs] in the arena. */
bool cost_run_tasks(const CostRunning *running, uint32_t n_workers, const uint64_t *const *counts,
                    const uint64_t *const *numbers, unsigned n_runs, RunTimes *runs, const char **library, Err *err);

/* --calibrate: runs samples of the tasks, writes the calibration to --output, and prints it. tasks:
 * how many for each worker and batch. */
extern const FieldList cost_calibration_fields; /* of that document */
bool cost_calibrate(const CostRunning *running, unsigned tasks, Err *err);

/* --count: runs a sample of each batch's tasks, writes what they count to --output, and prints it. */
extern const FieldList cost_count_fields; /* of that document */
bool cost_count(const CostRunning *running, unsigned tasks, Err *err);
