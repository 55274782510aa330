/* SPDX-License-Identifier: BSD-3-Clause */
/* What an application's parameters are in a prediction. */
#pragma once

#include "cost/lang/task_size.h"
#include "cost/predict/predict.h"

/* Those that are numbers, by --set or the flow file. */
const TaskSize *predict_sizes(const PaslApplication *application, const PredictOptions *how, size_t *n, Arena *arena);
