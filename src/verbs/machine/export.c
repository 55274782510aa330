/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine export: a machine model as files of other tools. */
#include "base/text.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "comm/simgrid.h"
#include "report/format.h"
#include "verbs/machine/words.h"

#include <string.h>

static struct {
    char *configuration, *output;
} options;

static Choice tool = {.names = (const char *const[]){"simgrid", NULL}};

static const struct poptOption option_table[] = {
    {"to", 0, OPTION_CHOICE, &tool, 0, "the tool that reads the files", "NAME"},
    {"configuration", 'c', POPT_ARG_STRING, &options.configuration, 0,
     "how messages are sent, such as `openmpi tcp` or `pvm direct raw`", "NAME"},
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write platform.xml, hostfile and smpi.cfg", "DIR"},
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

/* Reads --configuration. Without this option, takes the only configuration of the model. */
static bool read_configuration(const MachineModel *machine, Arena *arena, CommConfiguration *configuration, Err *err)
{
    const char *name = options.configuration;
    if (!machine->n_paths)
        return machine_refuse_configuration(machine, name, arena, err);
    for (uint32_t i = 0; i < machine->n_paths && !options.configuration; i++) {
        const char *other = comm_configuration_name(&machine->paths[i].configuration, arena);
        if (name && strcmp(name, other) != 0)
            return err_set(err, ERR_USAGE, "the machine model has several configurations") ||
                   err_hint(err, "name one with --configuration: %s", machine_configuration_names(machine, arena));
        name = other;
    }
    char *words = arena_strdup(arena, name), *rest = words;
    const char *middleware = strsep(&rest, " "), *transport = strsep(&rest, " ");
    *configuration = (CommConfiguration){middleware, transport, strsep(&rest, " "), ""};
    return (middleware && transport && !rest) ||
           err_set(err, ERR_USAGE,
                   "--configuration: expected a middleware, a transport and, for PVM, a packing, found `%s`", name) ||
           err_hint(err, "the machine model has %s", machine_configuration_names(machine, arena));
}

const FieldList machine_export_fields = FIELDS(
    SimgridSummary, FIELD_AS(SimgridSummary, n_links, "links", "how many"),
    FIELD_AS(SimgridSummary, n_factors, "factors", "segments of the cost curve"),
    FIELD(SimgridSummary, exact, "the hosts between which costs follow exactly this curve"),
    FIELD(SimgridSummary, largest_error, "largest relative error of the simulated costs against the model"),
    FIELD_AS(SimgridSummary, largest, "largest_error_of", "the hosts between which this error occurs"),
    FIELD(SimgridSummary, not_linear,
          "the hosts between which costs aren't linear, so that even the machine model's pieces are off; if there "
          "are several, those with the largest error",
          .flags = FIELD_ABSENT),
    FIELD(SimgridSummary, measured_error,
          "largest relative error of that model against what was measured; 0 without such hosts"),
    FIELD(SimgridSummary, eager_bytes, "smaller messages are sent without waiting for the receiver"),
    FIELD(SimgridSummary, eager_was_found, "false: `eager_bytes` is SimGrid's default"));

static void print_summary(const Cli *cli, const SimgridSummary *summary)
{
    if (cli->json) {
        json_t *document = json_pack("{s:o, s:o}", "directory", json_from_text(options.output), "files",
                                     output_directory_json(options.output));
        fields_add_to_json(&machine_export_fields, summary, 0, document);
        cli_print_json(cli, document);
        return;
    }
    if (cli->quiet)
        return;
    cli_print(
        cli,
        "%s: platform.xml, hostfile and smpi.cfg, with %u link%s; %u segment%s of the cost curve, taken between %s\n",
        text_as_line(options.output, cli->arena), summary->n_links, text_plural(summary->n_links), summary->n_factors,
        text_plural(summary->n_factors), text_as_line(summary->exact, cli->arena));
    if (summary->largest_error > 0.05)
        cli_note(cli,
                 "messages between %s cost up to %s more or less than in the machine model: SimGrid has one cost curve "
                 "for all links",
                 summary->largest, format_percent(cli->arena, summary->largest_error));
    if (summary->not_linear)
        cli_note(
            cli,
            "the costs of messages between %s aren't linear: the model's pieces are up to %s off what was measured",
            summary->not_linear, format_percent(cli->arena, summary->measured_error));
    if (!summary->eager_was_found)
        cli_note(cli,
                 "the measurement shows no size from which on messages wait for their receiver; smpi.cfg has SimGrid's "
                 "default, %llu bytes",
                 (unsigned long long)summary->eager_bytes);
}

static bool is_part(const char *name)
{
    return strcmp(name, "platform.xml") == 0 || strcmp(name, "hostfile") == 0 || strcmp(name, "smpi.cfg") == 0;
}

static const DirectoryKind simgrid_directory = {
    .what = "files for SimGrid", .mark = "platform.xml", .is_part = is_part};

static bool write_files(Cli *cli, const Output *output, const MachineModel *machine, SimgridSummary *summary, Err *err)
{
    CommConfiguration configuration = {0};
    OutputDirectory directory;
    if (!read_configuration(machine, cli->arena, &configuration, err) ||
        !output_directory_begin(output, cli->arena, &directory, err))
        return false;
    bool ok = simgrid_export(machine, configuration.middleware, configuration.transport, configuration.packing,
                             directory.filled, cli->arena, summary, err);
    return output_directory_end(&directory, ok, cli->arena, err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    MachineModel *machine;
    SimgridSummary summary;
    const Output output = {.path = options.output, .kind = &simgrid_directory};
    if (!machine_word_load(cli, n, words, &machine, err))
        return false;
    if (!tool.given)
        return err_set(err, ERR_USAGE, "no tool is named") || err_hint(err, "add --to simgrid");
    if (!options.output || !*options.output)
        return err_set(err, ERR_USAGE, "no directory is named for the files") || err_hint(err, "add -o DIR");
    if (!outputs_check_one(&output, words, 1, cli->arena, err))
        return false;
    if (!write_files(cli, &output, machine, &summary, err))
        return err->kind == ERR_INPUT ? err_prefix(err, "%s", words[0]) : false;
    print_summary(cli, &summary);
    return true;
}

const Verb machine_export = {
    .name = "machine export",
    .summary = "write files for SimGrid",
    .synopsis = "MACHINE --to simgrid [--configuration NAME] -o DIR",
    .description =
        "Writes files for SimGrid: platform.xml, hostfile and smpi.cfg. With the options in smpi.cfg, messages cost in "
        "a simulation of MPI what was measured. A comment at the top of smpi.cfg says how to use the files.\n\n"
        "In SimGrid, all links share one curve of cost over size. firma takes the curve between the first two hosts, "
        "or within the only host. For other links, latency and bandwidth are fitted, and platform.xml says how well. "
        "Computing speed isn't measured.",
    .examples = "firma machine export machine.json --to simgrid -c 'openmpi tcp' -o simulated",
    .files = "json",
    .options = option_table,
    .run = run,
};
