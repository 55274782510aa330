/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of an application's tasks, from their sources. */
#pragma once

#include "cli/cli.h"
#include "cost/lang/pamela.h"
#include "cost/lang/pasl.h"
#include "cost/predict/predict.h"
#include "cost/source/program.h"

/* [n_batches] the models, and the programs of which they were made (NULL: the caller doesn't ask). for_context: with
 * what matters in compiled code (AnalysisOptions). A line on stderr tells if the analysis had to name parameters, or to
 * approximate. */
bool cost_analyse_batches(Cli *cli, const PaslApplication *application, bool for_context,
                          const PamelaModel *const **models, const SourceProgram *const **programs, Err *err);

/* Replaces models in C by those of the compiled code, where each kind of machine has costs of cycles at the batch's
 * options; `how` gets the numbers by which they were counted. Notes on stderr tell of how many loops that was possible,
 * or why it wasn't. */
void cost_compile_batches(Cli *cli, const PaslApplication *application, PredictOptions *how,
                          const SourceProgram *const *programs, const PamelaModel *const **models);
