/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs of tasks say about tasks of another size. A task takes
 *
 *     startup + f · (computation + g · ordered + h · scattered)
 *
 * with the parts of its prediction; f may follow a trend. Source: docs/METHOD.md, section 18. */
#pragma once

#include "cost/predict/calibration.h"

/* The interval of measured over predicted time of tasks with these parts, in 95 of 100 cases: of the next run, on any of
 * the runs' numbers of workers. {1, 1} if the prediction is 0. */
Interval scale_at(const Calibration *calibration, TaskParts task);
