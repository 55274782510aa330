/* SPDX-License-Identifier: BSD-3-Clause */
/* What a calibration was made for, and what it says about other sizes. A scale is measured over predicted time, so it
 * holds for the task's model, the compiler's options and the costs of operations with which the prediction was made. */
#pragma once

#include "cost/predict/predict.h"

/* An application with its models, on the machines of how->machine. */
typedef struct CalibratedUse {
    const PaslApplication *application;
    const PamelaModel *const *models; /* one for each batch */
    const PredictOptions *how;
} CalibratedUse;

/* Fills in what runs of this batch and kind are for. */
void calibrated_describe(const CalibratedUse *use, size_t batch, Calibration *calibration, Arena *arena);

/* The application's parameters that are numbers. */
const CalibrationSize *calibrated_sizes(const CalibratedUse *use, size_t *n, Arena *arena);

/* ERR_INPUT: a calibration was made for another model, with other options, or with other costs. */
bool calibrated_check(const CalibratedUse *use, const char *file, Arena *arena, Err *err);

/* A copy of the calibrations, with the scales of the application's tasks. *far: which sizes differ by more than
 * CALIBRATED_FAR times from the nearest that was calibrated; "": none. */
enum { CALIBRATED_FAR = 8 };
bool calibrated_scale(const CalibratedUse *use, const Calibration **scaled, const char **far, Arena *arena, Err *err);
