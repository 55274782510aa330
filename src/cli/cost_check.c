/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost check: what a flow file says, and whether it's sound. */
#include "cli/cost_verbs.h"

static bool run(Cli *cli, int n, const char *const *words, Err *err)
{
    (void)cli;
    (void)words;
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected is one flow file") || cost_usage(&cost_check, err);
    return true;
}

const CostVerb cost_check = {
    .name = "check", .synopsis = "APP.pasl [--set NAME=VALUE]…", .options = NULL, .takes = COST_SET, .run = run};
