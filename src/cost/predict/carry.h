/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs on one kind of machine say about another, by what operations cost on both. Source: docs/METHOD.md,
 * section 18. */
#pragma once

#include "cost/predict/calibrated.h"

/* The scale of a batch's tasks on a kind of the machine model, by a calibration of another kind: the interval there,
 * which is the wider, the more the ratio of costs differs among the task's operations. ERR_INPUT: one of the kinds
 * lacks costs of an operation. */
bool carry_scale(const CalibratedUse *use, size_t batch, const Calibration *from, const char *kind, Arena *arena,
                 Interval *scale, Err *err);
