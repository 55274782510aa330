/* SPDX-License-Identifier: BSD-3-Clause */
/* See target_noise.h. */
#include "verbs/measure/target_noise.h"

bool target_noise_load(Cli *cli, const char *path, MachineModel **machine, Err *err)
{
    *machine = NULL;
    if (!path)
        return true;
    return machine_load(path, cli->arena, machine, err) &&
           ((*machine)->n_noises || err_set(err, ERR_INPUT, "%s: doesn't say how noisy the machine is", path) ||
            err_hint(err, "`firma machine noise --into %s` measures it, on the machine that it is of", path));
}

void target_noise_add(Cli *cli, const char *path, const MachineModel *machine, PhaseTimes *times)
{
    const MachineNoise *noise = machine ? machine_find_noise(machine, times->host) : NULL;
    if (machine && !noise)
        cli_note(cli, "%s has no noise of %s, which was measured: intervals assume the traced machine's", path,
                 times->host);
    times->noises = noise;
    times->n_noises = noise != NULL;
}
