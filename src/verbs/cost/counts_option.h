/* SPDX-License-Identifier: BSD-3-Clause */
/* --counts: values of parameters that were counted in runs of the tasks. */
#pragma once

#include "cli/cli.h"
#include "cost/count/task_counts.h"
#include "cost/lang/pamela.h"
#include "cost/lang/pasl.h"
#include "cost/predict/predict.h"

/* The file of --counts; nothing if it isn't given. */
bool counts_option_load(Arena *arena, TaskCounts *counts, Err *err);

/* Gives batches the values that were counted, unless the flow file gives them. models: [n_batches]. Lines on stderr tell
 * which numbers may grow with a size that is another one than that of the run. ERR_INPUT: a source has changed since. */
bool counts_option_apply(const Cli *cli, PaslApplication *application, const PamelaModel *const *models,
                         const PredictOptions *how, Err *err);
