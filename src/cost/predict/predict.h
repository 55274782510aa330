/* SPDX-License-Identifier: BSD-3-Clause */
/* PTT: an application, a machine model and a choice of machines to [tmin, tmax]. Source: spec 2 §2.5. */
#ifndef FIRMA_COST_PREDICT_PREDICT_H
#define FIRMA_COST_PREDICT_PREDICT_H

#include "cost/lang/pasl.h"
#include "cost/model/cost.h"
#include "model/machine.h"

/* So many workers on machines of a kind (CpuModel of the machine model). */
typedef struct MachineChoice {
    const char *kind;
    uint32_t n_machines, workers_each;
} MachineChoice;

/* What a short run said: a task's time over its predicted middle, by batch. Made by `firma cost run --calibrate`; kept
 * as JSON. */
typedef struct Calibration {
    const char *batch;
    const char *kind;
    Interval scale; /* multiplies the model's middle: replaces its width too */
} Calibration;

typedef struct CostPrediction {
    uint32_t n_workers;
    Interval time_s;
    CostExpressions *expressions;
    Interval without_contention_s;
    Interval *resource_s; /* [expressions->n_resources] */
    bool is_calibrated, is_approximated;
} CostPrediction;

#endif
