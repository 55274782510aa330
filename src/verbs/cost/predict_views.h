/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions from source as text and as JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "cost/predict/measured.h"
#include "cost/predict/predict.h"
#include "verbs/cost/beside.h"

/* A prediction for each choice of machines that was asked for, and runs that were measured. */
typedef struct CostReport {
    const char *name; /* of the application */
    size_t n_batches;
    const char *const *batches; /* names */
    bool without_messages;
    bool with_expressions; /* whatever their length */
    size_t n_predictions;
    CostPrediction *const *predictions;
    TaskRuns runs;
    Beside beside;
} CostReport;

const char *cost_text(const CostReport *report, bool color, Arena *arena);
extern const FieldList cost_fields; /* of what cost_json makes */
json_t *cost_json(const CostReport *report, Arena *arena);

/* Whether a run's time lies within the prediction. */
bool cost_is_inside(const CostPrediction *prediction, const TaskRun *run);

/* Half the interval's width over its middle. */
double cost_half_width(Interval interval);
