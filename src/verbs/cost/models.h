/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of an application's tasks, from their sources. */
#pragma once

#include "cli/cli.h"
#include "cost/context/rewrite.h"
#include "cost/lang/pamela.h"
#include "cost/lang/pasl.h"
#include "cost/predict/predict.h"

/* [n_batches] the models. Those of tasks in C become models of the compiled code, where each kind of machine has costs
 * of cycles at the batch's options; `how` gets the numbers by which they were counted. That isn't so with calibrations,
 * nor if the models are to_calibrate, because calibrations scale single operations. Lines on stderr tell if the
 * analysis had to name parameters, or to approximate; of how many loops the compiled code counts, or why it doesn't.
 * Batches get the values of --counts. ERR_INPUT: also if a calibration of `how`, or these counts, don't belong to the
 * models. */
bool cost_analyse_batches(Cli *cli, PaslApplication *application, bool to_calibrate, PredictOptions *how,
                          const PamelaModel *const **models, Err *err);

/* Tells of how many loops of a batch or program the compiled code is known, if not of all; and why it is of none. */
void cost_note_loops(const Cli *cli, const char *what, const ContextLoops *loops);
void cost_note_operations(const Cli *cli, const char *what, const Err *err);
/* As costs of compiled code tell them. */
ContextLimits cost_limits(const CpuCosts *costs);
/* A line on stderr if a name is a place in a source that stands for several parameters of the models. */
void cost_note_place(const Cli *cli, const char *name, const PamelaModel *const *models, size_t n_models);
