/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine cpu: measures what operations cost on this machine, and writes that into a machine
 * model. A model to be edited is read before the measurement, so that its errors show at once. */
#include "base/text.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "cost/context/context.h"
#include "cost/cpu/machine.h"
#include "cost/cpu/tools.h"
#include "trace/host_load.h"
#include "verbs/machine/cpu_text.h"
#include "verbs/machine/edit.h"
#include "verbs/machine/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char *output, *into, *kind, *time, **compiler_options;
} options = {.time = "20s"};

static const double KERNELS_SHARE = 0.4, MOST_KERNELS_S = 30;
static const double C_KERNELS_SHARE = 3; /* of --time, in each context, until no further round of them begins */

static Choice languages = {.names = cpu_languages};

static const struct poptOption option_table[] = {
    {"output", 'o', OPTION_JSON, &options.output, 0, "where to write the machine model", "FILE"},
    SHARED_OPTIONS(force_option_table),
    {"into", 0, OPTION_JSON, &options.into, 0,
     "a machine model to edit in place: adds the kind to it; it is written back, or to -o", "FILE"},
    {"kind", 0, POPT_ARG_STRING, &options.kind, 0, "name of this kind of machine; by default the host's name", "NAME"},
    {"languages", 0, OPTION_CHOICES, &languages, 0,
     "only these languages, separated by commas; by default all that can be measured here", "LIST"},
    {"compiler-options", 0, POPT_ARG_ARGV, &options.compiler_options, 0,
     "the compiler's options, for a source in C: also measures what operations cost in code that is compiled with them; "
     "may be repeated",
     "TEXT"},
    {"time", 't', OPTION_DURATION, &options.time, 0,
     "how long measuring may take, such as 90s, 5m or 1h; by default 20s", "DURATION"},
    POPT_TABLEEND};

static bool read_languages(Arena *arena, const char *text, CpuRequest *request, Err *err)
{
    request->languages = cpu_languages;
    request->must_have_all = text != NULL;
    if (text && !list_option_parse("--languages", text, arena, &request->languages, err))
        return false;
    while (request->languages[request->n_languages])
        request->n_languages++;
    for (size_t i = 0; i < request->n_languages; i++) {
        for (size_t j = 0; j < i; j++)
            if (strcmp(request->languages[i], request->languages[j]) == 0)
                return err_set(err, ERR_USAGE, "--languages: `%s` is named twice", request->languages[i]);
    }
    return true;
}

/* The default is the host's name: a kind without hosts stands for the host of that name. */
static bool read_name(Arena *arena, const char *given, const char **name, Err *err)
{
    char host[256] = "";
    if (!given && gethostname(host, sizeof host - 1) != 0)
        return err_set(err, ERR_ENVIRONMENT, "the host's name isn't known") || err_hint(err, "add --kind KIND");
    *name = given ? given : arena_strdup(arena, host);
    return (**name && text_is_line(*name)) || err_set(err, ERR_USAGE, "--kind: `%s` isn't a name", *name);
}

static bool read_request(Cli *cli, CpuRequest *request, Err *err)
{
    *request = (CpuRequest){.command = arena_printf(cli->arena, "firma %s", cli->command_line)};
    return read_name(cli->arena, options.kind, &request->name, err) &&
           seconds_option_parse("--time", options.time, &request->budget_s, err) &&
           read_languages(cli->arena, languages.given, request, err);
}

/* Costs of one context, which are added to those of the kind. */
static bool add_context(Cli *cli, const char *language, const char *given, double seconds, const ContextMemory *memory,
                        CpuModel *cpu, Err *err)
{
    const CpuCosts *single = cpu_costs(cpu, language);
    CpuCosts *all = arena_new_array(cli->arena, CpuCosts, cpu->n_languages + 1);
    const char *why_not;
    memcpy(all, cpu->languages, cpu->n_languages * sizeof *all);
    progress_report(&cli->progress, arena_printf(cli->arena, "timing kernels in %s (%s)", language, given), 0, 1);
    if (!context_measure(given, seconds, single, memory, cli->arena, &all[cpu->n_languages], &why_not, err))
        return false;
    if (why_not)
        cli_note(cli, "%s: operations of the source count, not the compiled code: %s", given, why_not);
    cpu->languages = all;
    cpu->n_languages++;
    return true;
}

/* A JVM that can't run all kernels, such as for lack of memory, costs the context alone. */
static bool add_java(Cli *cli, double seconds, CpuModel *cpu, Err *err)
{
    Err failure = {0};
    if (add_context(cli, "java", CPU_WARM, seconds, NULL, cpu, &failure))
        return true;
    if (failure.kind != ERR_ENVIRONMENT) {
        *err = failure;
        return false;
    }
    cli_note(cli, "java isn't measured in warm code: %s", failure.message);
    return true;
}

/* C at each --compiler-options; Java, which has one context, always. */
static bool measure_in_context(Cli *cli, double c_s, double java_s, CpuModel *cpu, Err *err)
{
    char *const *given = options.compiler_options;
    const ContextMemory *memory = NULL;
    if (given && *given && !cpu_costs(cpu, "c"))
        return err_set(err, ERR_USAGE, "--compiler-options: C isn't measured");
    for (; given && *given; given++) {
        if (cpu_costs_at(cpu, "c", *given))
            return err_set(err, ERR_USAGE, "--compiler-options: \"%s\" is given twice", *given);
        if ((!memory && !context_measure_memory(cli->arena, &memory, err)) ||
            !add_context(cli, "c", *given, c_s, memory, cpu, err))
            return false;
    }
    return !cpu_costs(cpu, "java") || add_java(cli, java_s, cpu, err);
}

/* Of the time for measuring, what kernels in Java get. */
static double share_of_java_kernels(const CpuRequest *request)
{
    bool has_java = false;
    for (size_t i = 0; i < request->n_languages; i++)
        has_java = has_java || strcmp(request->languages[i], "java") == 0;
    return has_java ? fmin(MOST_KERNELS_S, KERNELS_SHARE * request->budget_s) : 0;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    ModelEdit edit = {.output = options.output, .into = options.into};
    CpuRequest request;
    CpuLeftOut left_out;
    CpuModel cpu;
    if (n)
        return err_set(err, ERR_USAGE, "`%.100s`: unexpected; machine cpu takes only options", words[0]);
    if (!read_request(cli, &request, err) || !model_edit_begin(cli, &edit, err) || !model_edit_open(cli, &edit, err))
        return false;
    double java_s = share_of_java_kernels(&request);
    double c_s = C_KERNELS_SHARE * request.budget_s;
    request.budget_s -= java_s;
    HostLoad load = host_load();
    const HostWatch watch = host_watch_begin();
    bool fine = cpu_measure(&request, &cli->progress, cli->arena, &cpu, &left_out, err) &&
                measure_in_context(cli, c_s, java_s, &cpu, err);
    cli_progress_end(cli);
    if (!fine) {
        json_decref(edit.root);
        return false;
    }
    host_watch_end(&watch, &(LaunchUsage){.n_processes = 1}, &load);
    const char *busy = host_load_text(&load, cli->arena);
    if (busy)
        cli_note(cli, "while firma measured, %s", busy);
    if (left_out.language)
        cli_note(cli, "%s isn't measured: %s", left_out.language, left_out.why);
    cpu_put(edit.root, &cpu);
    return model_edit_finish(cli, &edit, fields_to_json(&cpu_fields, &cpu, 0), cpu_text(&cpu, cli->color, cli->arena),
                             arena_printf(cli->arena, "kind %s", cpu.name), err);
}

const Verb machine_cpu = {
    .name = "machine cpu",
    .summary = "measure what operations cost on this machine",
    .synopsis = "[-o FILE] [--into FILE] [--kind NAME] [--languages LIST] [--time 20s] [--compiler-options TEXT]…",
    .description = "Measures what operations cost on this machine: in compiled C, and in Java on the installed JVM. "
                   "Each operation and data type gets an interval. The interval reaches from the cost while many "
                   "such operations are under way to the cost if each waits for the one before. Changes of the load "
                   "while measuring widen the interval, so measure under the load under which programs will run. "
                   "`firma cost predict` reads these costs.\n\n"
                   "Compiled code doesn't execute operations one by one. With --compiler-options, firma also compiles "
                   "ordinary kernels in C with these options and times them. It finds what classes of operations cost "
                   "in them, and how far kernels lie from that. Predictions of code that is compiled with the same "
                   "options use these costs. If llvm-mca is installed (on Debian: llvm), firma also finds what a cycle "
                   "of compiled loops costs. All this takes some 20 seconds for each; if --time is a few seconds, "
                   "kernels run less often. Java has no such options, so its kernels are always timed: in one JVM, "
                   "until it has compiled them, which takes 40 % of --time, or longer if four rounds of the kernels "
                   "do.\n\n"
                   "With --into, a kind of machine is added to a machine model, or replaced there. A replaced kind "
                   "keeps its `hosts`, and the languages that aren't measured now. Nothing else in the file "
                   "changes. Operations and costs may be edited, and kinds may be written for machines that don't "
                   "exist.",
    .examples = "firma machine cpu -o machine.json           # what operations cost here\n"
                "firma machine cpu --into machine.json --kind fast --languages c   # add a kind",
    .options = option_table,
    .run = run,
};
