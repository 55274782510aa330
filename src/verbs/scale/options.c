/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that several words of `firma scale` take. */
#include "cli/option_values.h"
#include "verbs/scale/scale.h"

static double efficiency_kept = 0.5;

const struct poptOption scale_efficiency_option_table[] = {
    {"efficiency", '\0', OPTION_SHARE, &efficiency_kept, 0,
     "the efficiency to keep, for the largest p and the size that keep it; by default 0.5", "SHARE"},
    POPT_TABLEEND};

double scale_efficiency(void)
{
    return efficiency_kept;
}
