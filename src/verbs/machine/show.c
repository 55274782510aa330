/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine show: what a machine model says. */
#include "verbs/machine/text.h"
#include "verbs/machine/words.h"

#include <stdio.h>

bool machine_word_load(Cli *cli, int n, const char *const *words, MachineModel **machine, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected is one machine model");
    return machine_load(words[0], cli->arena, machine, err);
}

static bool show(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    MachineModel *machine;
    if (!machine_word_load(cli, n, words, &machine, err))
        return false;
    if (cli->json)
        cli_print_json(cli, machine_to_json(machine));
    else if (!cli->quiet)
        fputs(machine_text(machine, cli->color, cli->arena), stdout);
    return true;
}

const Verb machine_show = {
    .name = "machine show",
    .summary = "what a machine model says",
    .synopsis = "MACHINE",
    .description =
        "Prints a machine model: for each configuration and pair of hosts the lines α + n/β that describe the time of a "
        "message of n bytes, each from the size at which it begins, with 95 % intervals; for each collective the "
        "model that is nearest to what was measured; and what operations cost.",
    .examples = "firma machine show machine.json",
    .files = "json",
    .run = show,
};
