/* SPDX-License-Identifier: BSD-3-Clause */
/* --budget and --limit, the same in every verb that executes a prefix. In percent. */
#ifndef FIRMA_CLI_PLAN_OPTIONS_H
#define FIRMA_CLI_PLAN_OPTIONS_H

#include "base/err.h"
#include "signature/execute/measure.h"
#include <popt.h>

#define PLAN_BUDGET_PERCENT 3
#define PLAN_LIMIT_PERCENT 50

#define PLAN_OPTIONS(budget_percent, limit_percent)                                                                    \
    {"budget",         'b', POPT_ARG_DOUBLE,                                                                           \
     (budget_percent), 0,   "part of the run to execute, in percent of the traced time (3)",                           \
     "PERCENT"},                                                                                                       \
    {                                                                                                                  \
        "limit", 'l', POPT_ARG_DOUBLE, (limit_percent), 0,                                                             \
            "the most to execute, to reach relevant phases that come late (50)", "PERCENT"                             \
    }

bool plan_options_parse(double budget_percent, double limit_percent, PlanOptions *options, Err *err);

#endif
