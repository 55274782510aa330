/* SPDX-License-Identifier: BSD-3-Clause */
/* --calibration. */
#pragma once

#include "cli/cli.h"
#include "cost/predict/predict.h"

/* Reads the calibration into *how; nothing without the option. */
bool calibration_option_load(Arena *arena, PredictOptions *how, Err *err);

/* ERR_INPUT: it was made for another model, with other options or costs. Notes sizes that are far from its. */
bool calibration_option_check(const Cli *cli, const PaslApplication *application, const PamelaModel *const *models,
                              const PredictOptions *how, Err *err);
