/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine show: prints a machine model. */
#include "verbs/machine/text.h"
#include "verbs/machine/words.h"

bool machine_word_load(Cli *cli, int n, const char *const *words, MachineModel **machine, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected one machine model");
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
        cli_print(cli, "%s", machine_text(machine, cli->color, cli->arena));
    return true;
}

const Verb machine_show = {
    .name = "machine show",
    .summary = "print a machine model",
    .synopsis = "MACHINE",
    .description = "Prints a machine model. For each configuration and pair of hosts, lines α + n/β describe the "
                   "time of a message of n bytes. Each line has the size at which it begins, and 95 % intervals. "
                   "For each collective, firma prints the algorithm whose cost fits the measurement best. firma "
                   "also prints what operations cost, and the noise.",
    .examples = "firma machine show machine.json",
    .files = "json",
    .run = show,
};
