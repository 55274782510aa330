/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan_options.h. */
#include "cli/plan_options.h"

static bool is_percentage(double percent)
{
    return percent > 0 && percent <= 100;
}

bool plan_options_parse(double budget_percent, double limit_percent, PlanOptions *options, Err *err)
{
    if (!is_percentage(budget_percent))
        return err_set(err, ERR_USAGE, "--budget: expected a percentage above 0, at most 100");
    if (!is_percentage(limit_percent))
        return err_set(err, ERR_USAGE, "--limit: expected a percentage above 0, at most 100");
    *options = (PlanOptions){budget_percent / 100, limit_percent / 100};
    return true;
}
