/* SPDX-License-Identifier: BSD-3-Clause */
/* What a calibration was made for. A scale is measured over predicted time, so it holds for the task's
 * model, the compiler's options and the costs of operations with which the prediction was made. */
#pragma once

#include "cost/predict/predict.h"

/* An application with its models, on the machines of a model. */
typedef struct CalibratedUse {
    const PaslApplication *application;
    const PamelaModel *const *models; /* one for each batch */
    const MachineModel *machine;
    size_t n_set;
    const CostValue *set;
} CalibratedUse;

/* Fills in what a scale of this batch and kind is for. */
void calibrated_describe(const CalibratedUse *use, size_t batch, Calibration *calibration, Arena *arena);

/* ERR_INPUT: a calibration was made for another model, with other options, or with other costs. *far:
 * which sizes differ by more than CALIBRATED_FAR times from those that were calibrated; "": none. */
enum { CALIBRATED_FAR = 8 };
bool calibrated_check(const CalibratedUse *use, const char *file, const Calibration *calibrations, size_t n,
                      const char **far, Arena *arena, Err *err);
