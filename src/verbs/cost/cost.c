/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost: run time from source code, without running it. Finds the word that follows, and hands over to its file,
 * cost_WORD.c. */
#include "verbs/cost/cost.h"
#include "cli/verbs.h"

#include <string.h>

CostOptions cost_options;

const struct poptOption cost_shared_option_table[] = {
    {"set", 's', POPT_ARG_ARGV, &cost_options.set, 0,
     "value of a parameter, instead of what the file says: a number, such as 1000 or 10^6; may be repeated",
     "NAME=VALUE"},
    {"batch", 'b', POPT_ARG_STRING, &cost_options.batch, 0, "this batch alone", "NAME"},
    {"machine", 'm', POPT_ARG_STRING, &cost_options.machine, 0, "the machine model", "FILE"},
    {"output", 'o', POPT_ARG_STRING, &cost_options.output, 0, "write the result to this file", "FILE"},
    {"machines", 0, POPT_ARG_STRING, &cost_options.machines, 0,
     "on which machines, by kinds of the machine model: old:3,fast:2; fast:2x4 (four workers on each of two); "
     "fast:2,4,8 (three choices)",
     "KIND:N,…"},
    {"workers", 0, POPT_ARG_STRING, &cost_options.workers, 0,
     "so many workers on one machine, the model's only one or this one: 1,2,4", "N,…"},
    {"calibration", 0, POPT_ARG_STRING, &cost_options.calibration, 0,
     "predictions have the scale that a short run gave (cost run --calibrate)", "FILE"},
    {"configuration", 'c', POPT_ARG_STRING, &cost_options.configuration, 0,
     "how messages are sent, as `openmpi tcp`, if the machine model has several ways", "NAME"},
    POPT_TABLEEND};

/* In the order of the pipeline. */
static const CostVerb *const cost_verbs[] = {&cost_check, &cost_model, &cost_predict, &cost_run};
enum { N_COST_VERBS = sizeof cost_verbs / sizeof *cost_verbs };

/* The tables of all, each once. */
static const struct poptOption option_table[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)cost_shared_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)cost_model_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)cost_predict_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)cost_run_option_table, 0, NULL, NULL},
    POPT_TABLEEND};

static const CostVerb *find(const char *name)
{
    for (size_t i = 0; name && i < N_COST_VERBS; i++)
        if (strcmp(cost_verbs[i]->name, name) == 0)
            return cost_verbs[i];
    return NULL;
}

static bool takes(const CostVerb *verb, const struct poptOption *option)
{
    for (unsigned i = 0; cost_shared_option_table[i].longName; i++)
        if (option == &cost_shared_option_table[i])
            return verb->takes & 1u << i;
    return option_stands_in(verb->options, option) || !option_stands_in(option_table, option);
}

/* All words share one option table, so popt lets each option through behind each of them. */
static bool check_options(const Cli *cli, const CostVerb *verb, Err *err)
{
    for (int i = 1; i < cli->n_arguments; i++) {
        const char *word = cli->arguments[i];
        const struct poptOption *option = verb_find_option(&verb_cost, word);
        if (!option)
            continue;
        if (!takes(verb, option))
            return err_set(err, ERR_USAGE, "`cost %s` takes no %.*s", verb->name, (int)strcspn(word, "="), word) ||
                   cost_usage(verb, err);
        i += option_takes_value(option) && !strchr(word, '=');
    }
    return true;
}

bool cost_usage(const CostVerb *verb, Err *err)
{
    return err_hint(err, "usage: firma cost %s %s", verb->name, verb->synopsis);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    const CostVerb *verb = find(n > 0 ? words[0] : NULL);
    if (!verb && n > 0)
        err_set(err, ERR_USAGE, "there is no `cost %s`", words[0]);
    else if (!verb)
        err_set(err, ERR_USAGE, "a word is missing that says what to do");
    if (!verb)
        return err_hint(err, "usage: firma cost %s", verb_cost.synopsis);
    cost_options.command = command;
    if (command && !(verb->takes & COST_COMMAND))
        return err_set(err, ERR_USAGE, "`cost %s` takes no command", verb->name) || cost_usage(verb, err);
    return check_options(cli, verb, err) && verb->run(cli, n - 1, words + 1, err);
}

const Verb verb_cost = {
    .name = "cost",
    .summary = "predict run times from source code, without running it",
    .synopsis = "check APP.pasl | model APP.pasl [--batch NAME] [-o FILE] | model SOURCE --entry NAME [-o FILE] | "
                "predict APP.pasl|MODEL.pamela -m MACHINE [--machines KIND:N,… | --workers N,…] | "
                "run APP.pasl [--workers N,…] [-- LAUNCHER …]",
    .description =
        "An application is described by a flow file (docs/PASL.md): batches of tasks, the source and the entry function "
        "of each, how many tasks there are, what they are given and return, and which batches wait for which.\n\n"
        "`check` reads the flow file and prints what it says: the batches in an order that the flow allows, with tasks, "
        "code, data and parameters, those without a value, and the flow. Sources have to be there; whether the entry is in "
        "them, `firma cost model` says. Models that were written by hand (docs/PAMELA.md) are read.\n\n"
        "`model` turns the entry function of a batch, or of a single source in C or Java, and all that it calls, into a "
        "model (docs/PAMELA.md): operations by type, loops with counts in the function's parameters, conditionals with "
        "both sides and a probability Q, 1/2 unless it's given or follows from the parameters. What can't be seen in "
        "the source, as the iterations of a loop that ends when its data say so, becomes a named parameter; all such, and what "
        "isn't understood, are listed on stderr by file and line. Recursions are refused without --depth.\n\n"
        "`predict` gives the interval of an application's run time on a choice of machines, whose operation and message "
        "times a machine model has (machine.json). Tasks go to workers in proportion to their relative performance. T0 is "
        "the time without contention; T1 to TR are the loads of each processor and link; the run time is the largest of "
        "them, for what stands one after the other in the flow part by part. All are expressions in the application's "
        "parameters, and are printed. Several choices make a table, and a picture with --svg, with the times of runs beside "
        "them. The text says of each number whether it was measured, given, in a file, calibrated or assumed.\n\n"
        "`run` runs the tasks for real, by a master and workers on MPI that have the tasks that prediction would give them: "
        "it compiles the sources with cc and javac, and tells how long runs, tasks and workers took; with -m what was predicted, "
        "beside it. Tasks get numbers alone. One that crashes, ends its process or is over its --limit is named. With "
        "--calibrate, a sample of the tasks is run, and the measured times over the predicted ones are written as a "
        "calibration, for --calibration of `predict`.",
    .examples = "firma cost check app.pasl                   # what the flow file says, and whether it's sound\n"
                "firma cost check app.pasl --set N=10^6      # with other values of parameters\n"
                "firma cost model app.pasl --batch points    # the model of a batch's tasks\n"
                "firma cost model pi.c --entry count -o pi.pamela   # that of a function\n"
                "firma cost predict app.pasl -m machine.json --workers 1,2,4      # on this machine\n"
                "firma cost predict app.pasl -m machine.json --machines old:3,fast:2 --set Q_points_12=0.785\n"
                "firma cost predict app.pasl -m machine.json --machines fast:2,4,8,16 --svg app.svg\n"
                "firma cost run app.pasl --workers 1,2 -o results.json\n"
                "firma cost run app.pasl -m machine.json --set N=10^7 --calibrate -o calibration.json\n"
                "firma cost predict app.pasl -m machine.json --workers 1,2 --calibration calibration.json --measured "
                "results.json",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
