/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost check: what a flow file says, and whether it's sound. */
#include "cli/cost_application.h"
#include "cli/cost_verbs.h"
#include "report/flow.h"

#include <stdio.h>

static bool run(Cli *cli, int n, const char *const *words, Err *err)
{
    PaslApplication *application;
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected is one flow file") || cost_usage(&cost_check, err);
    if (!cost_load_application(words[0], cli->arena, &application, NULL, err))
        return false;
    if (cli->json)
        cli_print_json(&verb_cost, flow_json(application, cli->arena));
    else
        fputs(flow_text(application, cli->color, cli->arena), stdout);
    return true;
}

const CostVerb cost_check = {
    .name = "check", .synopsis = "APP.pasl [--set NAME=VALUE]…", .options = NULL, .takes = COST_SET, .run = run};
