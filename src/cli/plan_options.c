/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan_options.h. */
#include "cli/plan_options.h"

#include "cli/range_option.h"

bool plan_options_parse(double budget_percent, double limit_percent, PlanOptions *options, Err *err)
{
    PlanOptions parsed;
    if (!percent_option_check("--budget", budget_percent, false, &parsed.budget, err) ||
        !percent_option_check("--limit", limit_percent, false, &parsed.limit, err))
        return false;
    *options = parsed;
    return true;
}
