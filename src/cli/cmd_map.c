/* SPDX-License-Identifier: BSD-3-Clause */
/* firma map: tasks onto processors. */
#include "cli/cli.h"
#include "mapping/mapping.h"
#include "model/ttig.h"
#include "report/mapping.h"

#include <stdio.h>
#include <string.h>

static struct {
    char *machine, *platform, *configuration, *hosts, *mapper;
    char **speeds;
    int cores, slots, seed;
} options = {.seed = 1};

static const struct poptOption option_table[] = {
    {"machine", 'm', POPT_ARG_STRING, &options.machine, 0, "the machine model, which firma comm wrote", "FILE"},
    {"platform", 'p', POPT_ARG_STRING, &options.platform, 0,
     "instead of a machine: NODESxCORES and what a message costs between and within nodes, such as "
     "4x8:2us,10GB/s:0.5us,20GB/s",
     "TEXT"},
    {"configuration", 'c', POPT_ARG_STRING, &options.configuration, 0,
     "which messages' costs of the machine hold, such as `openmpi tcp`; by default the faster MPI's", "NAME"},
    {"hosts", 0, POPT_ARG_STRING, &options.hosts, 0, "these hosts alone, in this order", "NAME,…"},
    {"cores", 0, POPT_ARG_INT, &options.cores, 0, "processors of each host of the machine; by default all", "N"},
    {"speed", 's', POPT_ARG_ARGV, &options.speeds, 0,
     "a host computes so many times as fast as the one that was traced; may be repeated", "HOST=FACTOR"},
    {"slots", 0, POPT_ARG_INT, &options.slots, 0,
     "tasks that a processor may hold; by default as many as it takes to place all", "N"},
    {"mapper", 0, POPT_ARG_STRING, &options.mapper, 0, "this mapper alone, beside the default", "NAME"},
    {"seed", 0, POPT_ARG_INT, &options.seed, 0, "of the local search (1)", "NUMBER"},
    POPT_TABLEEND};

static bool check_options(int n, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected a task graph") ||
               err_hint(err, "firma map app.ttig --machine machine.json");
    if (!options.machine == !options.platform)
        return err_set(err, ERR_USAGE, "expected either --machine or --platform") ||
               err_hint(err,
                        "firma comm measures a machine; --platform 4x8:2us,10GB/s:0.5us,20GB/s is one for what-if");
    if (options.platform && (options.configuration || options.cores))
        return err_set(err, ERR_USAGE, "--configuration and --cores choose of a machine, not of a --platform");
    if (options.cores < 0 || options.cores > PROCESSORS_LIMIT)
        return err_set(err, ERR_USAGE, "--cores: expected a number from 1 to %d", PROCESSORS_LIMIT);
    if (options.slots < 0 || options.slots > TASKS_LIMIT)
        return err_set(err, ERR_USAGE, "--slots: expected a number from 1 to %d", TASKS_LIMIT);
    return options.seed >= 0 || err_set(err, ERR_USAGE, "--seed: expected a number, not negative");
}

static bool find_platform(Cli *cli, const Platform **platform, Err *err)
{
    Platform *made;
    MachineModel *machine;
    if (options.platform) {
        if (!platform_from_text(options.platform, cli->arena, &made, err))
            return false;
    } else {
        if (!machine_load(options.machine, cli->arena, &machine, err))
            return false;
        if (!platform_from_machine(machine, options.configuration, (uint32_t)options.cores, NULL, cli->arena, &made,
                                   err))
            return err_prefix(err, "%s", options.machine);
    }
    if (!platform_set_speeds(made, (const char *const *)options.speeds, cli->arena, err) ||
        (options.hosts && !platform_choose_nodes(made, options.hosts, cli->arena, &made, err)))
        return false;
    *platform = made;
    return true;
}

/* The default and the named one. */
static bool map_by_name(Cli *cli, const MappingProblem *problem, const Mapping **mappings, uint32_t *n, Err *err)
{
    Mapping *list = arena_new_array(cli->arena, Mapping, 2), usual;
    if (!mapping_by_name(problem, options.mapper, cli->arena, &list[0], err) ||
        !mapping_by_name(problem, MAPPING_DEFAULT, cli->arena, &list[1], err))
        return false;
    if (list[1].completion_s < list[0].completion_s) {
        usual = list[1];
        list[1] = list[0];
        list[0] = usual;
    }
    *mappings = list;
    *n = strcmp(options.mapper, MAPPING_DEFAULT) == 0 ? 1 : 2;
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    Ttig *ttig;
    const Platform *platform = NULL;
    MappingProblem *problem;
    const Mapping *mappings;
    uint32_t n_mappings;
    if (!check_options(n, err) || !find_platform(cli, &platform, err) || !ttig_load(words[0], cli->arena, &ttig, err))
        return false;
    if (!mapping_problem_new(ttig, platform, (uint32_t)options.slots, cli->arena, &problem, err))
        return err_prefix(err, "%s", words[0]);
    problem->seed = (uint32_t)options.seed;
    bool ok = options.mapper ? map_by_name(cli, problem, &mappings, &n_mappings, err)
                             : mapping_compare(problem, &cli->progress, cli->arena, &mappings, &n_mappings, err);
    cli_progress_end(cli);
    if (!ok)
        return false;
    if (!ttig->tasks)
        cli_note(cli, "the graph has no tasks' steps: they are made from computation, volume and parallelism");
    if (cli->json)
        cli_print_json(&verb_map, mapping_json(problem, mappings, n_mappings));
    else
        fputs(mapping_text(problem, mappings, n_mappings, cli->color, cli->arena), stdout);
    return true;
}

const Verb verb_map = {
    .name = "map",
    .summary = "place tasks on processors, and predict what that gains",
    .synopsis = "GRAPH --machine FILE | --platform TEXT [--hosts NAME,…] [--speed HOST=FACTOR] [--mapper NAME]",
    .description =
        "Finds out which task of a program should run on which processor, before it is run so: several mappers "
        "propose, a simulation of the tasks' steps on the machine judges them all alike, and a local search improves on the "
        "best. The table shows all of them, best first, against block, which is what launchers do by default: processors "
        "of the first node, then of the next.\n\n"
        "Mappers are block, round-robin (one on each node in turn), scotch (partitioning by volume), list (earliest finish "
        "first), ttig (list mapping by what working at the same time gains against what messages cost, after MATE), "
        "search, and for a few tasks exhaustive. That no gain is expected is an answer as well: where less than one "
        "percent would be gained, which two runs of the same program differ by, it says so.\n\n"
        "Simulated are computation, at the speed of its processor, and messages from one task to another; collectives are "
        "left out. Tasks on one processor take turns. Between two nodes one message at a time is carried.",
    .examples = "firma map app.ttig --machine machine.json   # on the machine that firma comm measured\n"
                "firma map app.ttig --platform 4x8:2us,10GB/s:0.5us,20GB/s   # what if\n"
                "firma map app.ttig --machine machine.json --hosts a,b --speed b=0.5 --json",
    .options = option_table,
    .run = run,
};
