/* SPDX-License-Identifier: BSD-3-Clause */
/* The machines of a prediction, and the tasks that their workers get. */
#include "cost/predict/allocate.h"
#include "cost/predict/predictor.h"

#include "base/text.h"
#include <inttypes.h>
#include <string.h>

#define WORKERS_LIMIT 1000000

static const char *kind_names(const MachineModel *machine, Arena *arena)
{
    Text names = {0};
    for (uint32_t i = 0; i < machine->n_processors; i++)
        text_add(&names, "%s%s", i ? ", " : "", machine->processors[i].name);
    return text_take(&names, arena);
}

static bool find_kind(const PredictOptions *options, const char *kind, Arena *arena, const CpuModel **cpu, Err *err)
{
    const MachineModel *machine = options->machine;
    *cpu = machine_find_processor(machine, kind);
    if (*cpu)
        return true;
    err_set(err, machine->n_processors ? ERR_USAGE : ERR_INPUT, "the machine model has no kind of machine called `%s`",
            kind);
    return machine->n_processors
               ? err_hint(err, "its kinds are: %s", kind_names(machine, arena))
               : err_hint(err, "the model lacks the costs of computing: measure them with `firma machine cpu`");
}

/* Kinds with the same index would share symbols. */
static bool check_index(const Chosen *chosen, const CostGroup *groups, size_t n, Err *err)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(groups[i].kind, groups[n].kind) == 0 && strcmp(chosen->kinds[i], chosen->kinds[n]) != 0)
            return err_set(err, ERR_INPUT,
                           "the kinds `%s` and `%s` differ only in characters other than letters and digits",
                           chosen->kinds[i], chosen->kinds[n]) ||
                   err_hint(err, "rename one of them in the machine model");
    return true;
}

bool chosen_find(const PredictOptions *options, const MachineChoice *choices, size_t n_choices, Arena *arena,
                 Chosen *chosen, Err *err)
{
    CostGroup *groups = arena_new_array(arena, CostGroup, n_choices);
    const char **kinds = arena_new_array(arena, const char *, n_choices);
    const CpuModel **cpus = arena_new_array(arena, const CpuModel *, n_choices);
    Text text = {0};
    *chosen = (Chosen){.platform = {n_choices, groups, options->without_messages}, .kinds = kinds, .cpus = cpus};
    for (size_t i = 0; i < n_choices; i++) {
        const MachineChoice *choice = &choices[i];
        if (!find_kind(options, choice->kind, arena, &cpus[i], err))
            return false;
        kinds[i] = cpus[i]->name;
        groups[i] = (CostGroup){predict_kind_index(choice->kind, arena), choice->n_machines, choice->workers_each,
                                cpus[i]->n_cores};
        if (choice->n_machines == 0 || choice->workers_each == 0)
            return err_set(err, ERR_USAGE, "kind `%s`: no machine or no worker was chosen", choice->kind);
        if (!check_index(chosen, groups, i, err))
            return false;
        if ((chosen->n_workers += (uint64_t)choice->n_machines * choice->workers_each) > WORKERS_LIMIT)
            return err_set(err, ERR_USAGE, "more than %d workers were chosen", WORKERS_LIMIT);
    }
    for (size_t i = 0; i < n_choices; i++) {
        text_add(&text, "%s%s:%u", i ? "," : "", choices[i].kind, choices[i].n_machines);
        if (choices[i].workers_each > 1)
            text_add(&text, "x%u", choices[i].workers_each);
    }
    chosen->text = text_take(&text, arena);
    return true;
}

/* The shortest time of the benchmarks on any chosen kind. */
static bool find_fastest(const Chosen *chosen, const char *language, double *least_s, Err *err)
{
    for (size_t i = 0; i < chosen->platform.n_groups; i++) {
        const CpuCosts *costs = cpu_costs(chosen->cpus[i], language);
        if (!costs)
            return err_set(err, ERR_INPUT, "the machine model lacks the costs of %s programs on %s", language,
                           chosen->kinds[i]) ||
                   err_hint(err, "measure them with `firma machine cpu`");
        if (i == 0 || costs->benchmark_s < *least_s)
            *least_s = costs->benchmark_s;
    }
    return true;
}

/* A worker that shares a processor has this part of it. */
static double part_of_processor(const CostGroup *group)
{
    return group->workers_each <= group->n_cores ? 1 : (double)group->n_cores / group->workers_each;
}

bool chosen_allocate(const Chosen *chosen, const char *language, uint64_t n_tasks, Arena *arena, uint64_t *counts,
                     Err *err)
{
    double *performance = arena_new_array(arena, double, chosen->n_workers), least_s = 0;
    uint64_t worker = 0;
    if (!find_fastest(chosen, language, &least_s, err))
        return false;
    for (size_t i = 0; i < chosen->platform.n_groups; i++) {
        const CostGroup *group = &chosen->platform.groups[i];
        double relative = least_s / cpu_costs(chosen->cpus[i], language)->benchmark_s * part_of_processor(group);
        for (uint64_t j = 0; j < (uint64_t)group->n_machines * group->workers_each; j++)
            performance[worker++] = relative;
    }
    allocate_tasks(n_tasks, performance, chosen->n_workers, counts);
    return true;
}
