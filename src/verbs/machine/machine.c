/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine: looks into a machine model, hands it to other tools, and measures its computing half. */
#include "base/files.h"
#include "base/json.h"
#include "cli/cli.h"
#include "comm/simgrid.h"
#include "report/format.h"
#include "verbs/machine/cpu.h"
#include "verbs/machine/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *to, *configuration, *output, *into, *name, *language, *time;
} options;

static const struct poptOption option_table[] = {
    {"to", 0, POPT_ARG_STRING, &options.to, 0, "export: for which tool (simgrid)", "TOOL"},
    {"configuration", 'c', POPT_ARG_STRING, &options.configuration, 0,
     "export: the costs of which messages, as `openmpi tcp` or `pvm direct raw`", "NAME"},
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "export: the directory for the files; cpu: the file to write",
     "PATH"},
    {"into", 0, POPT_ARG_STRING, &options.into, 0,
     "cpu: the machine model that the kind is added to; written back, or to -o", "MACHINE"},
    {"name", 0, POPT_ARG_STRING, &options.name, 0, "cpu: what this kind of machine is called (the host's name)",
     "KIND"},
    {"language", 0, POPT_ARG_STRING, &options.language, 0, "cpu: c, java (all that are here)", "LIST"},
    {"time", 't', POPT_ARG_STRING, &options.time, 0, "cpu: how long it may take (20s); also 5m, 1h", "DURATION"},
    POPT_TABLEEND};

static bool is_cpu_option_given(void)
{
    return options.into || options.name || options.language || options.time;
}

static bool show(Cli *cli, const MachineModel *machine, Err *err)
{
    if (options.to || options.configuration || options.output)
        return err_set(err, ERR_USAGE, "`machine show` takes none of --to, --configuration and --output");
    if (cli->json)
        cli_print_json(&verb_machine, machine_to_json(machine));
    else
        fputs(machine_text(machine, cli->color, cli->arena), stdout);
    return true;
}

/* The words of --configuration; of the only configuration, if none is named. */
static bool read_configuration(const MachineModel *machine, Arena *arena, CommConfiguration *configuration, Err *err)
{
    const char *name = options.configuration;
    for (uint32_t i = 0; i < machine->n_paths && !options.configuration; i++) {
        const char *other = comm_configuration_name(&machine->paths[i].configuration, arena);
        if (name && strcmp(name, other) != 0)
            return err_set(err, ERR_USAGE, "the machine model has several configurations") ||
                   err_hint(err, "name one with --configuration: %s", machine_configuration_names(machine, arena));
        name = other;
    }
    char *words = arena_strdup(arena, name ? name : ""), *rest = words;
    const char *middleware = strsep(&rest, " "), *transport = strsep(&rest, " ");
    *configuration = (CommConfiguration){middleware, transport, strsep(&rest, " "), ""};
    return (middleware && transport && !rest) || !name ||
           err_set(err, ERR_USAGE, "--configuration: `%s` isn't a middleware, a transport and perhaps a packing",
                   name) ||
           err_hint(err, "for example `openmpi tcp`");
}

static void print_summary(const Cli *cli, const SimgridSummary *summary)
{
    if (cli->json) {
        json_t *document = json_object();
        json_object_set_new(document, "directory", json_from_text(options.output));
        json_object_set_new(document, "links", json_integer(summary->n_links));
        json_object_set_new(document, "factors", json_integer(summary->n_factors));
        json_object_set_new(document, "exact", json_from_text(summary->exact));
        json_object_set_new(document, "largest_error", json_real(summary->largest_error));
        json_object_set_new(document, "largest_error_of", json_from_text(summary->largest));
        json_object_set_new(document, "eager_bytes", json_integer((json_int_t)summary->eager_bytes));
        json_object_set_new(document, "eager_was_found", json_boolean(summary->eager_was_found));
        cli_print_json(&verb_machine, document);
        return;
    }
    if (cli->quiet)
        return;
    printf("%s: platform.xml, hostfile and smpi.cfg, with %u link%s; %u segment%s of costs, as between %s\n",
           options.output, summary->n_links, summary->n_links == 1 ? "" : "s", summary->n_factors,
           summary->n_factors == 1 ? "" : "s", summary->exact);
    if (summary->largest_error > 0.05)
        cli_note(cli,
                 "messages between %s cost up to %s more or less than in the machine model: SimGrid has one shape of "
                 "costs for all links",
                 summary->largest, format_percent(cli->arena, summary->largest_error));
    if (!summary->eager_was_found)
        cli_note(
            cli,
            "no size was found from which on messages wait for their receiver; SimGrid's default holds, %llu bytes",
            (unsigned long long)summary->eager_bytes);
}

static bool export(Cli *cli, const MachineModel *machine, Err *err)
{
    CommConfiguration configuration = {0};
    SimgridSummary summary;
    if (!options.to || strcmp(options.to, "simgrid") != 0)
        return err_set(err, ERR_USAGE, options.to ? "--to: `%s` is no tool that it knows" : "no tool is named",
                       options.to) ||
               err_hint(err, "add --to simgrid");
    if (!options.output || !*options.output)
        return err_set(err, ERR_USAGE, "no directory is named for the files") || err_hint(err, "add -o DIR");
    if (!read_configuration(machine, cli->arena, &configuration, err) ||
        !simgrid_export(machine, configuration.middleware, configuration.transport ? configuration.transport : "",
                        configuration.packing, options.output, cli->arena, &summary, err))
        return false;
    print_summary(cli, &summary);
    return true;
}

static bool measure_cpu(Cli *cli, Err *err)
{
    if (options.to || options.configuration)
        return err_set(err, ERR_USAGE, "`machine cpu` takes neither --to nor --configuration");
    const MachineCpuOptions given = {options.output, options.into, options.name, options.language, options.time};
    return machine_cpu(cli, &given, err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n == 1 && strcmp(words[0], "cpu") == 0)
        return measure_cpu(cli, err);
    bool exports = n == 2 && strcmp(words[0], "export") == 0;
    MachineModel *machine;
    if (n != 2 || (!exports && strcmp(words[0], "show") != 0))
        return err_set(err, ERR_USAGE, "expected is `show` or `export`, and a machine model; or `cpu`") ||
               err_hint(err, "usage: firma machine %s", verb_machine.synopsis);
    if (is_cpu_option_given())
        return err_set(err, ERR_USAGE, "`machine %s` takes none of --into, --name, --language and --time", words[0]);
    if (!machine_load(words[1], cli->arena, &machine, err))
        return false;
    if (exports ? export(cli, machine, err) : show(cli, machine, err))
        return true;
    return err->kind == ERR_INPUT ? err_prefix(err, "%s", words[1]) : false;
}

const Verb verb_machine = {
    .name = "machine",
    .summary = "machine models: look into one, export it, measure operations",
    .synopsis = "show MACHINE | export MACHINE --to simgrid [--configuration NAME] -o DIR | cpu [-o MACHINE] "
                "[--into MACHINE] [--name KIND] [--language LIST] [--time 20s]",
    .description =
        "A machine model, which `firma comm` writes as machine.json, holds what messages and collectives cost on a "
        "machine. `show` prints it: for each configuration and pair of hosts the lines α + n/β that describe the time of a "
        "message of n bytes, each from the size at which it begins, with 95 % intervals; and for each collective the "
        "model that is nearest to what was measured.\n\n"
        "`export` writes files for SimGrid: platform.xml, hostfile and smpi.cfg, which holds the options that a "
        "simulation of MPI needs for messages to cost what was measured, and says at its top how to use them. SimGrid "
        "has one shape of cost over size for all links: it is that between the first two hosts, or that within the "
        "only host. For other links latency and bandwidth come as near to the model as they can, and the platform says how near. "
        "Computing speed isn't measured.\n\n"
        "`cpu` measures what operations cost on this machine, of compiled C and of Java on the JVM that is found: for each "
        "operation and data type an interval, from what it costs where many are under way at once to what it costs where "
        "each waits for the one before, and as wide as it changes while it is measured: so measure under the load under "
        "which programs will run. `firma cost predict` reads it. With --into, a kind is added to a machine model, or "
        "replaced there: then it keeps its `hosts`, and languages that aren't measured now; all else in the file stays. "
        "Operations and costs may be edited, and kinds written for machines that don't exist.",
    .examples = "firma machine show machine.json\n"
                "firma machine export machine.json --to simgrid -c 'openmpi tcp' -o simulated\n"
                "firma machine cpu -o machine.json           # what operations cost here\n"
                "firma machine cpu --into machine.json --name fast --language c   # one kind more",
    .options = option_table,
    .run = run,
};
