/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that several words of `firma scale` take. */
#include "verbs/scale/scale.h"

static double efficiency_kept = 0.5;

const struct poptOption scale_efficiency_option_table[] = {
    {"efficiency", '\0', POPT_ARG_DOUBLE, &efficiency_kept, 0,
     "the efficiency to keep, for the largest p and the size that keep it; by default 0.5", "SHARE"},
    POPT_TABLEEND};

bool scale_efficiency(double *efficiency, Err *err)
{
    *efficiency = efficiency_kept;
    return (efficiency_kept > 0 && efficiency_kept < 1) ||
           err_set(err, ERR_USAGE, "--efficiency: %g is not between 0 and 1", efficiency_kept);
}
