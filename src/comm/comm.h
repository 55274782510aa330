/* SPDX-License-Identifier: BSD-3-Clause */
/* The communication benchmark (docs/METHOD.md, section 11): launches workers in turn, and makes one
 * measurement of their records. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "comm/plan.h"
#include "model/comm.h"

/* Measures for at most the request's budget, in rounds of all launches, so that a disturbance of the
 * machine hits all configurations. Ends earlier if all times are as precise as the request asks, or after the
 * requested rounds. Something that can't be measured becomes a problem of the
 * measurement, and the rest is still measured. A signal ends the measurement early: *interrupted is
 * then the signal, else 0. ERR_ENVIRONMENT: nothing could be measured. */
bool comm_measure(const CommRequest *request, bool keep_samples, const Progress *progress, Arena *arena,
                  CommMeasurement *measurement, int *interrupted, Err *err);
