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

/* The costs of the batch's operations on a kind; NULL: there are none of its language. */
const CpuCosts *calibrated_costs(const CpuModel *cpu, const PaslBatch *batch);

/* Fills in what runs of this batch, with the costs of calibration->cpu, are for. */
void calibrated_describe(const CalibratedUse *use, size_t batch, Calibration *calibration, Arena *arena);

/* ERR_INPUT: a calibration was made for another model, with other options, or with other costs. */
bool calibrated_check(const CalibratedUse *use, const char *file, Arena *arena, Err *err);

/* A calibration of each batch on each kind of the machine model, with the scale of its tasks: the given one, or one that
 * is carried from the given kind that says most. There is none of a batch that wasn't calibrated. *far: which sizes
 * differ by more than CALIBRATED_FAR times from the nearest that was calibrated; "": none. left_bytes: the largest cache,
 * or SCALE_REUSED_BYTES, that a task's data exceed (task_bytes), and those of no run did (at most most_bytes). */
enum { CALIBRATED_FAR = 8 };
bool calibrated_scale(const CalibratedUse *use, size_t *n, const Calibration **scaled, const char **far, Arena *arena,
                      Err *err);
