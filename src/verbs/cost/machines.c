/* SPDX-License-Identifier: BSD-3-Clause */
/* See machines.h. */
#include "verbs/cost/machines.h"

#include "verbs/cost/cost.h"
#include <string.h>
#include <unistd.h>

bool cost_load_machine(Arena *arena, MachineModel **machine, Err *err)
{
    if (!cost_options.machine)
        return err_set(err, ERR_USAGE, "no machine model is named") ||
               err_hint(err, "add -m machine.json, which `firma machine cpu` makes");
    return machine_load(cost_options.machine, arena, machine, err);
}

bool cost_find_workers(uint64_t most, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err)
{
    NumberList workers = cost_options.workers;
    workers.most = most;
    return numbers_option_parse(&workers, arena, n, numbers, err);
}

static bool is_this_host(const CpuModel *cpu)
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0)
        return false;
    for (uint32_t i = 0; i < cpu->n_hosts; i++)
        if (strcmp(cpu->hosts[i], name) == 0)
            return true;
    return strcmp(cpu->name, name) == 0;
}

bool cost_find_local_kind(const MachineModel *machine, const char **kind, Err *err)
{
    const CpuModel *found = machine->n_processors == 1 ? &machine->processors[0] : NULL;
    for (uint32_t i = 0; i < machine->n_processors && !found; i++)
        found = is_this_host(&machine->processors[i]) ? &machine->processors[i] : NULL;
    if (found)
        *kind = found->name;
    else if (!machine->n_processors)
        return err_set(err, ERR_INPUT, "the machine model doesn't say what computing costs") ||
               err_hint(err, "measure it with `firma machine cpu`");
    return found || err_set(err, ERR_USAGE, "the machine model has several kinds, and this machine is none of them") ||
           err_hint(err, "name one: --kinds %s:1x2", machine->processors[0].name);
}

bool cost_find_choices(const MachineModel *machine, Arena *arena, size_t *n, const MachineChoices **choices, Err *err)
{
    const uint64_t *numbers;
    uint32_t count;
    const char *kind = NULL;
    if (cost_options.kinds.given && cost_options.workers.given)
        return err_set(err, ERR_USAGE, "--kinds and --workers are both given") ||
               err_hint(err, "for several workers on each machine, write --kinds fast:2x4");
    if (cost_options.kinds.given)
        return kinds_option_parse(cost_options.kinds.given, arena, n, choices, err);
    if (!cost_find_local_kind(machine, &kind, err) ||
        !cost_find_workers(COST_WORKERS_LIMIT, arena, &count, &numbers, err))
        return false;
    MachineChoices *list = arena_new_array(arena, MachineChoices, count);
    MachineChoice *items = arena_new_array(arena, MachineChoice, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (MachineChoice){kind, 1, (uint32_t)numbers[i]};
        list[i] = (MachineChoices){1, &items[i]};
    }
    *choices = list;
    *n = count;
    return true;
}
