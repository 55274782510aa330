/* SPDX-License-Identifier: BSD-3-Clause */
/* The scale of a model, from a short run: a task's measured time over the middle of its predicted
 * interval, by batch and kind of machine. `firma cost run --calibrate` makes it; prediction uses
 * it. JSON form: docs/FORMATS.md. Source: docs/METHOD.md, section 18. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/interval.h"
#include <stdbool.h>
#include <stddef.h>

/* A parameter of the application, as it was when the sample ran. */
typedef struct CalibrationSize {
    const char *name;
    double value;
} CalibrationSize;

typedef struct Calibration {
    const char *batch;
    const char *kind;
    Interval scale; /* the model's middle times this interval replaces the model's interval */
    /* What it was made for (calibrated.h): checksums of the task's model and of the operations' costs,
     * and the compiler's options. */
    const char *model, *costs, *options;
    size_t n_sizes;
    const CalibrationSize *sizes;
} Calibration;

#define CALIBRATION_VERSION 2
extern const Document calibration_document;

bool calibration_save(const Calibration *calibrations, size_t n, const char *path, Err *err);
bool calibration_load(const char *path, Arena *arena, const Calibration **calibrations, size_t *n, Err *err);

/* NULL if there is none. */
const Calibration *calibration_find(const Calibration *calibrations, size_t n, const char *batch, const char *kind);
