/* SPDX-License-Identifier: BSD-3-Clause */
/* What a short run said of a model's scale: a task's measured time over its predicted middle, by batch and kind of
 * machine. `firma cost run --calibrate` makes it, prediction uses it. JSON form: docs/FORMATS.md. Source: spec 2 §2.5.
 */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/interval.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct Calibration {
    const char *batch;
    const char *kind;
    Interval scale; /* multiplies the model's middle: replaces its width too */
} Calibration;

#define CALIBRATION_VERSION 1
extern const Document calibration_document;

bool calibration_save(const Calibration *calibrations, size_t n, const char *path, Err *err);
bool calibration_load(const char *path, Arena *arena, const Calibration **calibrations, size_t *n, Err *err);

/* NULL: there is none. */
const Calibration *calibration_find(const Calibration *calibrations, size_t n, const char *batch, const char *kind);
