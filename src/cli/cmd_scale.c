/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale: how run time depends on the number of processes. Finds out what is asked for, and hands over to the file
 * of that mode, scale_MODE.c. */
#include "cli/scale_modes.h"
#include "cli/verbs.h"

#include <string.h>

ScaleOptions scale_options = {.efficiency = 0.5};

const struct poptOption scale_shared_option_table[] = {
    {"np", 'p', POPT_ARG_STRING, &scale_options.processes, 0, "numbers of processes", "LIST"},
    {"size", 'n', POPT_ARG_STRING, &scale_options.sizes, 0, "problem sizes", "LIST"},
    {"efficiency", 'E', POPT_ARG_DOUBLE, &scale_options.efficiency, 0,
     "the efficiency that is to be kept; by default 0.5", "SHARE"},
    {"sequential", 'T', POPT_ARG_STRING, &scale_options.sequential, 0,
     "time of the best sequential program, for real speedups: seconds; with --model, a formula, too", "TIME"},
    {"output", 'o', POPT_ARG_STRING, &scale_options.output, 0, "where results are written", "PATH"},
    {"all", 'a', POPT_ARG_NONE, &scale_options.all, 0, "leave nothing out of tables", NULL},
    POPT_TABLEEND};

static const ScaleMode *const modes[] = {&scale_trace};
enum { N_MODES = sizeof modes / sizeof *modes };

/* The tables of all, each once. */
static const struct poptOption option_table[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)scale_shared_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)scale_trace_option_table, 0, NULL, NULL},
    POPT_TABLEEND};

static bool takes(const ScaleMode *mode, const struct poptOption *option)
{
    for (unsigned i = 0; scale_shared_option_table[i].longName; i++)
        if (option == &scale_shared_option_table[i])
            return mode->takes & 1u << i;
    return option_stands_in(mode->options, option) || !option_stands_in(option_table, option);
}

/* All modes share one option table, so popt lets each option through in each of them. */
static bool check_options(const Cli *cli, const ScaleMode *mode, Err *err)
{
    for (int i = 1; i < cli->n_arguments; i++) {
        const char *word = cli->arguments[i];
        const struct poptOption *option = verb_find_option(&verb_scale, word);
        if (!option)
            continue;
        if (!takes(mode, option))
            return err_set(err, ERR_USAGE, "`scale %s` takes no %.*s", mode->name, (int)strcspn(word, "="), word) ||
                   scale_usage(mode, err);
        i += option_takes_value(option) && !strchr(word, '=');
    }
    return true;
}

bool scale_usage(const ScaleMode *mode, Err *err)
{
    return err_hint(err, "usage: firma scale %s", mode->synopsis);
}

static const ScaleMode *choose(void)
{
    return scale_trace_is_asked() ? &scale_trace : NULL;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    const ScaleMode *mode = choose();
    if (!mode)
        return err_set(err, ERR_USAGE, "nothing is named that could be looked at") ||
               err_hint(err, "usage: firma scale %s", verb_scale.synopsis);
    if (command && !mode->takes_command)
        return err_set(err, ERR_USAGE, "`scale %s` takes no command behind --", mode->name) || scale_usage(mode, err);
    if (!(scale_options.efficiency > 0 && scale_options.efficiency <= 1))
        return err_set(err, ERR_USAGE, "--efficiency: expected a share above 0, at most 1");
    return check_options(cli, mode, err) && mode->run(cli, n, words, command, err);
}

const Verb verb_scale = {
    .name = "scale",
    .summary = "speedup, efficiency, and what limits them: from run times, traces or formulas",
    .synopsis = "--trace TRACE…",
    .description =
        "`--trace` says where the time of traced runs goes: what each process computes, how long it waits for partners "
        "(idle), and what the rest of its communication takes (transfer); and POP's tree of efficiencies, whose "
        "branches multiply: parallel = load balance × communication, communication = serialisation × transfer. They are "
        "told apart by replaying the run on an ideal network, where messages and collectives take no time. Of several "
        "traces of a program, it shows how all that changes with the number of processes, and how much computation is "
        "redundant: there with many processes, but not with few.",
    .examples = "firma scale --trace app.trace            # where its time goes\n"
                "firma scale --trace p2.trace p4.trace    # how that changes with processes",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
