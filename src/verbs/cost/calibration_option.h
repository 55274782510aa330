/* SPDX-License-Identifier: BSD-3-Clause */
/* --calibration. */
#pragma once

#include "cli/cli.h"
#include "cost/predict/predict.h"

/* Reads the calibration into *how; nothing without the option. */
bool calibration_option_load(Arena *arena, PredictOptions *how, Err *err);

/* ERR_INPUT: it was made for another model, with other options or costs. */
bool calibration_option_check(const PaslApplication *application, const PamelaModel *const *models,
                              const PredictOptions *how, Arena *arena, Err *err);

/* The same, and finds the scales of the application's tasks. Notes sizes that are far from the calibration's. */
bool calibration_option_scale(const Cli *cli, const PaslApplication *application, const PamelaModel *const *models,
                              PredictOptions *how, Err *err);
