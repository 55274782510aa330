/* SPDX-License-Identifier: BSD-3-Clause */
/* See source.h. */
#include "verbs/graph/source.h"

#include "base/files.h"
#include "cli/option_values.h"
#include "cli/values.h"
#include "cost/source/mpi/processes.h"
#include "model/machine.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/given.h"

static NumberList processes = {.option = "--processes", .least = 1, .most = SOURCE_PROCESSES_LIMIT, .items_limit = 1};
static struct {
    char *machine, *kind, *compiler_options;
} options;

const struct poptOption graph_source_option_table[] = {
    {"processes", 'n', OPTION_NUMBERS, &processes, 0, "numbers of processes: one, of a source", "LIST"},
    {"machine", 'm', OPTION_JSON, &options.machine, 0,
     "the machine model, whose operations a source's computation takes; by default, each operation counts as 1 ns",
     "FILE"},
    {"kind", '\0', POPT_ARG_STRING, &options.kind, 0,
     "name of the kind of machine whose operations count; by default the machine model's only one", "NAME"},
    {"compiler-options", '\0', POPT_ARG_STRING, &options.compiler_options, 0,
     "the compiler's options, for a source, besides those of mpicc", "TEXT"},
    POPT_TABLEEND};

bool graph_is_source(const char *path)
{
    return files_has_suffix(path, ".c");
}

bool graph_check_source_options(const char *path, Err *err)
{
    bool is_given =
        processes.given || cost_options.set.given || options.machine || options.kind || options.compiler_options;
    if (graph_is_source(path) && !processes.given)
        return err_set(err, ERR_USAGE, "a source needs a number of processes") || err_hint(err, "add -n N");
    if (!graph_is_source(path) && is_given)
        return err_set(err, ERR_USAGE,
                       "--processes, --set, --machine, --kind and --compiler-options are for sources, and %s isn't a "
                       "C source",
                       path);
    if (options.kind && !options.machine)
        return err_set(err, ERR_USAGE, "--kind names a kind of a machine model, and no model is given") ||
               err_hint(err, "add -m machine.json, which `firma machine cpu` makes");
    return true;
}

static bool find_costs(Arena *arena, const CpuCosts **costs, Err *err)
{
    MachineModel *machine;
    if (!options.machine)
        return true;
    if (!machine_load(options.machine, arena, &machine, err))
        return false;
    const CpuModel *cpu = options.kind                 ? machine_find_processor(machine, options.kind)
                          : machine->n_processors == 1 ? &machine->processors[0]
                                                       : NULL;
    if (!cpu && !machine->n_processors)
        return err_set(err, ERR_INPUT, "%s: the machine model lacks the costs of computing", options.machine) ||
               err_hint(err, "measure them with `firma machine cpu`");
    if (!cpu)
        return err_set(err, ERR_USAGE, "%s: %s", options.machine,
                       options.kind ? "there is no such kind of machine" : "there are several kinds of machines") ||
               err_hint(err, "name one of them: --kind %s", machine->processors[0].name);
    *costs = cpu_costs(cpu, "c");
    return *costs ||
           err_set(err, ERR_INPUT, "%s: the machine model lacks the costs of C programs on %s", options.machine,
                   cpu->name) ||
           err_hint(err, "measure them with `firma machine cpu`");
}

bool graph_read_source(Cli *cli, const char *const *paths, char *const *arguments, GraphCollectives collectives,
                       const Ttig **ttig, GraphFindings *findings, Err *err)
{
    Arena *arena = cli->arena;
    const char *path = paths[0];
    ProcessesOptions how = {.source = {"c", path, options.compiler_options, "main", paths + 1}, .arguments = arguments};
    const uint64_t *numbers;
    uint32_t n_numbers;
    GivenValue *given = NULL;
    Processes *read;
    TaskGraph *graph;
    Ttig *made;
    if (!numbers_option_parse(&processes, arena, &n_numbers, &numbers, err) ||
        !given_values_read(arena, &how.n_given, &given, err) || !find_costs(arena, &how.costs, err))
        return false;
    how.n_processes = (uint32_t)numbers[0];
    how.given = given;
    if (!processes_of_source(&how, arena, &read, err) || !given_values_check(given, how.n_given, path, err))
        return false;
    if (!options.machine)
        cli_note(cli, "each operation counts as 1 ns: add -m machine.json, which `firma machine cpu` makes");
    *findings = (GraphFindings){read->n_findings, read->findings};
    const Progress progress = {0};
    if (!graph_read(read->source, collectives, &progress, arena, &graph, err))
        return false;
    graph->source = path;
    bool is_whole;
    if (!graph_check_waits(graph, &is_whole, err) || !graph_ttig(graph, arena, &made, err))
        return err_prefix(err, "%s", path);
    *ttig = made;
    return true;
}
