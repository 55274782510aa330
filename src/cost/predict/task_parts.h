/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a task's predicted time, to compare tasks of different sizes. */
#pragma once

#include "cost/predict/predict.h"

/* Of a batch's task with this number, alone on one worker of the kind, without messages and calibration; number 0: the
 * mean of all its tasks. */
bool task_parts(const PaslApplication *application, const PamelaModel *const *models, const PredictOptions *options,
                size_t batch, const char *kind, uint64_t number, Arena *arena, TaskParts *parts, Err *err);

/* Adds the n-th task to a mean. */
void task_parts_add(TaskParts *mean, const TaskParts *task, double n);
