/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost check: checks a flow file, and prints what it says. */
#include "cost/lang/pamela.h"
#include "cost/run/run.h"
#include "verbs/cost/application.h"
#include "verbs/cost/check_text.h"
#include "verbs/cost/cost.h"

#include <string.h>

/* A model written by hand must have the entry as a sub-model, with a parameter for each
 * argument. */
static bool check_model(const PaslApplication *application, const PaslBatch *batch, Arena *arena, Err *err)
{
    PamelaModel *model;
    if (!pamela_load(batch->source, application->space, arena, &model, err))
        return false;
    const PamelaSub *entry = pamela_find(model, batch->entry);
    if (!entry)
        return err_set(err, ERR_INPUT, "%s:%u: batch `%s`: %s has no sub-model `%s`", application->file, batch->line,
                       batch->name, batch->source, batch->entry);
    return entry->n_parameters == batch->n_arguments ||
           err_set(err, ERR_INPUT, "%s:%u: batch `%s`: `%s` expects %zu arguments, found %zu", application->file,
                   batch->line, batch->name, batch->entry, entry->n_parameters, batch->n_arguments);
}

static bool check_models(const PaslApplication *application, Arena *arena, Err *err)
{
    for (size_t i = 0; i < application->n_batches; i++)
        if (strcmp(application->batches[i].language, "pamela") == 0 &&
            !check_model(application, &application->batches[i], arena, err))
            return false;
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PaslApplication *application;
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected one flow file");
    if (!cost_load_application(words[0], cli->arena, &application, NULL, err) ||
        !check_models(application, cli->arena, err) || !run_check_lengths(application, err) ||
        !run_check_arrays(application, cli->arena, err))
        return false;
    if (cli->json)
        cli_print_json(cli, flow_json(application, cli->arena));
    else if (!cli->quiet)
        cli_print(cli, "%s", flow_text(application, cli->color, cli->arena));
    return true;
}

const Verb cost_check = {
    .name = "cost check",
    .summary = "check a flow file, and print what it says",
    .synopsis = "APP.pasl [--set NAME=VALUE]…",
    .description =
        "Checks a flow file, and prints what it says: the batches in an order that the flow allows, with "
        "tasks, code and data; the parameters, with those that have no value; and the flow. The sources "
        "must exist. `firma cost model` finds out whether their entries do. Models that were written by "
        "hand (docs/PAMELA.md) are read. Arrays must have whole lengths, and the names and types of the sources, which "
        "are compiled for that.",
    .examples = "firma cost check app.pasl\n"
                "firma cost check app.pasl --set N=10^6      # with another value of a parameter",
    .files = "pasl",
    .options = cost_set_option_table,
    .run = run,
};
