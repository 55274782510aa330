/* SPDX-License-Identifier: BSD-3-Clause */
/* The communication benchmark (spec 3): launches workers in turn, and makes a measurement of what they tell. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "comm/plan.h"
#include "model/comm.h"

/* Measures within the budget: rounds of all launches, so that what the machine does meanwhile hits all configurations.
 * What can't be measured is a problem of the measurement, and the rest goes on; so it does when it is interrupted: then
 * *interrupted is the signal, else 0. ERR_ENVIRONMENT: nothing at all could be measured. */
bool comm_measure(const CommRequest *request, bool keep_samples, const Progress *progress, Arena *arena,
                  CommMeasurement *measurement, int *interrupted, Err *err);
