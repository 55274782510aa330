/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs of tasks say about tasks of another size. A task takes
 *
 *     startup + f · (computation + g · ordered + h · scattered)
 *
 * with the parts of its prediction; f may follow a trend, and all grows with the workers beside it. Source:
 * docs/METHOD.md, section 18. */
#pragma once

#include "cost/predict/calibration.h"

/* Larger blocks are given back to the system when a task frees them, and each task gets new pages: the largest
 * M_MMAP_THRESHOLD that malloc() of glibc chooses by itself (mallopt(3)). */
#define SCALE_REUSED_BYTES 33554432.0

/* The interval of measured over predicted time of tasks with these parts, in 90 of 100 cases: of a run that other
 * programs don't disturb. busy: the share of the machine's other processors that have a worker, too. {1, 1} if the
 * prediction is 0. */
Interval scale_at(const Calibration *calibration, TaskParts task, double busy);
