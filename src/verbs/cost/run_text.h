/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of an application's tasks as text and as JSON ("firma task runs", docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "cost/run/run.h"
#include "model/interval.h"

/* Runs on one choice of machines. */
typedef struct CostRunChoice {
    uint64_t n_workers;
    const char *machines; /* "old:3,fast:2"; NULL: no machine model was named */
    size_t n_runs;
    const RunTimes *runs;
    bool is_predicted, is_calibrated;
    Interval predicted_s;
} CostRunChoice;

typedef struct CostRunsReport {
    const PaslApplication *application;
    const char *library; /* MPI */
    bool is_dynamic;     /* free workers get the next task */
    size_t n_choices;
    const CostRunChoice *choices;
} CostRunsReport;

const char *cost_runs_text(const CostRunsReport *report, bool color, Arena *arena);
extern const Document task_runs_document;
json_t *cost_runs_json(const CostRunsReport *report, Arena *arena);
