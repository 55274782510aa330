/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs on one kind of machine say about another, by what operations cost on both. Source: docs/METHOD.md,
 * section 18. */
#pragma once

#include "cost/predict/calibrated.h"

/* Makes a calibration of another kind one of this kind of the machine model, with the scale of the batch's tasks: the
 * interval there, which is the wider, the more the ratio of costs differs among the task's operations. It is the
 * model's own interval, if that is narrower. ERR_INPUT: one of the kinds lacks costs of an operation. */
bool carry_scale(const CalibratedUse *use, size_t batch, const char *kind, Arena *arena, Calibration *made, Err *err);
