/* SPDX-License-Identifier: BSD-3-Clause */
/* See platform_options.h. */
#include "verbs/map/platform_options.h"

#include "cli/option_values.h"
#include "placement/platform/topology.h"
#include "verbs/map/foreign.h"

static struct {
    char *machine, *configuration, *nodes;
    int cores;
} options;

static bool check_platform(const char *text, Arena *arena, Err *err)
{
    Platform *made;
    return platform_word_names_file(text) || platform_from_text(text, arena, &made, err);
}

static bool check_speed(const char *text, Arena *arena, Err *err)
{
    (void)arena;
    return platform_check_speed(text, err);
}

static CheckedText platform_text = {.check = check_platform};
static CheckedWords speeds = {.check = check_speed};

const struct poptOption platform_option_table[] = {
    {"machine", 'm', OPTION_JSON, &options.machine, 0, "the machine model, which `firma comm` writes", "FILE"},
    {"platform", 'p', OPTION_CHECKED, &platform_text, 0,
     "a platform instead of a machine model: NODESxCORES, and what a message costs between and within "
     "nodes, such as 4x8:2us,10GB/s:0.5us,20GB/s; with packages 4x2x4, with switches 2/4x8; or FILE.xml of "
     "lstopo or SimGrid",
     "TEXT"},
    {"configuration", 'c', POPT_ARG_STRING, &options.configuration, 0,
     "how messages are sent, such as `openmpi tcp`; by default by the faster MPI", "NAME"},
    {"nodes", 0, POPT_ARG_STRING, &options.nodes, 0, "only these nodes, in this order", "LIST"},
    {"cores", 0, OPTION_COUNT, &options.cores, 0, "processors of each node of the machine; by default all", "N"},
    {"speed", '\0', OPTION_CHECKED_WORDS, &speeds, 0,
     "the node computes this many times as fast as the traced machine; may be repeated", "NODE=FACTOR"},
    POPT_TABLEEND};

bool platform_options_check(Err *err)
{
    if (options.machine && platform_text.given)
        return err_set(err, ERR_USAGE, "expected either --machine or --platform") ||
               err_hint(err, "firma comm measures a machine; --platform 4x8:2us,10GB/s:0.5us,20GB/s makes one up");
    if (!options.machine && (options.configuration || options.cores))
        return err_set(err, ERR_USAGE, "--configuration and --cores need --machine");
    return options.cores <= PROCESSORS_LIMIT ||
           err_set(err, ERR_USAGE, "--cores: %d is more than %d", options.cores, PROCESSORS_LIMIT);
}

bool platform_options_make_up(void)
{
    return platform_text.given;
}

bool platform_options_are_absent(void)
{
    return !platform_text.given && !options.machine;
}

const char *platform_options_given(void)
{
    return options.machine         ? "--machine"
           : platform_text.given   ? "--platform"
           : options.configuration ? "--configuration"
           : options.nodes         ? "--nodes"
           : options.cores         ? "--cores"
           : speeds.given          ? "--speed"
                                   : NULL;
}

bool platform_options_give_speeds(void)
{
    return speeds.given;
}

const char *platform_options_file(void)
{
    return options.machine ? options.machine : platform_text.given;
}

static void find_cpus(const Cli *cli, Platform *platform)
{
    uint32_t n_cores;
    if (topology_find_cpus(platform, cli->arena, &n_cores) == TOPOLOGY_FEWER)
        cli_note(cli,
                 "this machine has %u cores, and its model has more processors (probably hardware threads); launchers "
                 "count cores, so add --cores %u",
                 n_cores, n_cores);
}

bool platform_options_find(Cli *cli, bool must_be_here, Platform **found, Err *err)
{
    Platform *made;
    MachineModel *machine;
    if (platform_text.given) {
        if (!platform_from_word(platform_text.given, cli->arena, &made, err))
            return false;
    } else if (!options.machine) {
        if (!topology_local(must_be_here, cli->arena, &made, err))
            return false;
    } else {
        if (!machine_load(options.machine, cli->arena, &machine, err))
            return false;
        if (!platform_from_machine(machine, options.nodes, options.configuration, (uint32_t)options.cores, NULL,
                                   cli->arena, &made, err))
            return err->kind == ERR_USAGE ? false : err_prefix(err, "%s", options.machine);
        find_cpus(cli, made);
    }
    if (!platform_set_speeds(made, (const char *const *)speeds.given, cli->arena, err) ||
        (options.nodes && !options.machine && !platform_choose_nodes(made, options.nodes, cli->arena, &made, err)))
        return false;
    *found = made;
    return true;
}
