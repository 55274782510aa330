/* SPDX-License-Identifier: BSD-3-Clause */
/* firma export: writes a trace in other tools' formats. */
#include "verbs/export/export.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/shared_options.h"
#include "formats/ti.h"
#include "report/format.h"
#include "verbs/graph/input.h"

#include <string.h>

static const ExportFormat *const formats[] = {&export_otf2, &export_ti, &export_goal, &export_perfetto, &export_extrap};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static const char *name_of_format(size_t index)
{
    return index < N_FORMATS ? formats[index]->name : NULL;
}

static Choice format = {.name_at = name_of_format};
static char *output, *flop_rate;

static const struct poptOption option_table[] = {
    {"to", '\0', OPTION_CHOICE, &format, 0, "the tool that reads the files, or their format; by default otf2", "NAME"},
    {"output", 'o', POPT_ARG_STRING, &output, 0, "where to write: a directory, or a file", "PATH"},
    SHARED_OPTIONS(force_option_table),
    {"flop-rate", '\0', POPT_ARG_STRING, &flop_rate, 0,
     "of a time-independent trace, flops that a process computes in a second; by default 1e9", "RATE"},
    SHARED_OPTIONS(graph_collectives_option_table),
    SHARED_OPTIONS(analysis_option_table),
    POPT_TABLEEND};

static const ExportFormat *chosen_format(void)
{
    size_t i = 0;
    while (format.given && strcmp(formats[i]->name, format.given) != 0)
        i++;
    return formats[i];
}

static bool refuse_option(const ExportFormat *chosen, unsigned kind, const char *option, Err *err)
{
    return (chosen->takes & kind) || !option || err_set(err, ERR_USAGE, "%s isn't for --to %s", option, chosen->name);
}

static bool check_options(const ExportFormat *chosen, Err *err)
{
    const char *phases = analysis_options_of_order() ? analysis_options_of_order() : analysis_options_of_phases();
    return refuse_option(chosen, EXPORT_TAKES_PHASES, phases, err) &&
           refuse_option(chosen, EXPORT_TAKES_COLLECTIVES, graph_collectives_given() ? "--collectives" : NULL, err) &&
           refuse_option(chosen, EXPORT_TAKES_FLOP_RATE, flop_rate ? "--flop-rate" : NULL, err);
}

static bool read_flop_rate(double *rate, Err *err)
{
    char *end = flop_rate;
    *rate = flop_rate ? text_number(flop_rate, &end) : TI_DEFAULT_FLOPS_PER_S;
    return !flop_rate || (end > flop_rate && *end == '\0' && *rate >= 1 && *rate <= 1e30) ||
           err_set(err, ERR_USAGE, "--flop-rate: `%s` is no number of flops in a second", flop_rate) ||
           err_hint(err, "for example --flop-rate 2e9");
}

static bool check_traces(const ExportFormat *chosen, int n, Err *err)
{
    return n == 1 || (n > 1 && chosen->takes_several) ||
           err_set(err, ERR_USAGE, n ? "expected one trace, found %d" : "no trace is named", n);
}

static bool check_output(const ExportFormat *chosen, ExportJob *job, Err *err)
{
    job->output = (Output){.path = output, .kind = chosen->directory};
    if (!output || !*output)
        return err_set(err, ERR_USAGE, "nothing says where to write") ||
               err_hint(err, "add -o %s", chosen->directory ? "DIR" : "FILE");
    return outputs_check_one(&job->output, job->traces, job->n_traces, job->cli->arena, err);
}

/* ---- What is printed ---- */

typedef struct ExportDocument {
    const char *format, *archive, *output;
    const ExportSummary *phases;
    uint32_t n_processes;
    uint64_t n_records;
    const char *const *notes;
    uint32_t n_notes;
} ExportDocument;

static const FieldList summary_fields =
    FIELDS(ExportSummary, FIELD_AS(ExportSummary, n_phases, "phases", "of an archive: how many"),
           FIELD_AS(ExportSummary, n_relevant, "relevant", "of an archive: how many of them are relevant"),
           FIELD_AS(ExportSummary, n_events, "events", "of an archive: sends, receives and collectives, how many"),
           FIELD_AS(ExportSummary, n_unplaced, "events_unplaced",
                    "of an archive: how many of them have no logical time, as receives without a send"),
           FIELD_AS(ExportSummary, n_markers, "markers", "of an archive: how many were written"),
           FIELD_AS(ExportSummary, n_markers_more, "markers_left_out", "of an archive: how many more there would be"));

const FieldList export_fields =
    FIELDS(ExportDocument, FIELD(ExportDocument, format, "as --to names it"),
           FIELD_AS(ExportDocument, archive, "trace", "the new archive's directory", .flags = FIELD_ABSENT),
           FIELD_INLINE_POINTED(ExportDocument, phases, summary_fields),
           FIELD(ExportDocument, output, "the directory or file that was written"),
           FIELD_AS(ExportDocument, n_processes, "processes", "how many"),
           FIELD_AS(ExportDocument, n_records, "records",
                    "how many were written, of the format's own kind (docs/FORMATS.md, Exports)"),
           FIELD_LIST(ExportDocument, notes, n_notes, "notes",
                      "what the format can't express, or expresses otherwise than one might think: a sentence each"));

static void show_json(const ExportJob *job, const ExportFormat *chosen)
{
    const ExportDocument document = {.format = chosen->name,
                                     .archive = job->phases ? output : NULL,
                                     .output = output,
                                     .phases = job->phases,
                                     .n_processes = job->n_processes,
                                     .n_records = job->n_records,
                                     .notes = job->notes.items.items,
                                     .n_notes = (uint32_t)job->notes.items.count};
    cli_print_json(job->cli, fields_to_json(&export_fields, &document, 0));
}

static const char *phases_text(const ExportSummary *phases, Arena *arena)
{
    return arena_printf(arena, ", %u phase%s (%u relevant), %s marker%s", phases->n_phases,
                        text_plural(phases->n_phases), phases->n_relevant, format_count(arena, phases->n_markers),
                        text_plural(phases->n_markers));
}

static void show(const ExportJob *job, const ExportFormat *chosen)
{
    Arena *arena = job->cli->arena;
    for (size_t i = 0; i < job->notes.items.count; i++)
        cli_note(job->cli, "%s", job->notes.items.items[i]);
    if (job->cli->json)
        show_json(job, chosen);
    else if (!job->cli->quiet)
        cli_print(job->cli, "%s: %s %s%s\n", text_as_line(output, arena), format_count(arena, job->n_records),
                  job->records, job->phases ? phases_text(job->phases, arena) : "");
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    const ExportFormat *chosen = chosen_format();
    ExportJob job = {.cli = cli,
                     .traces = words,
                     .n_traces = (size_t)n,
                     .collectives = graph_collectives_option(),
                     .notes = {.arena = cli->arena}};
    if (!check_traces(chosen, n, err) || !check_options(chosen, err) || !read_flop_rate(&job.flops_per_s, err) ||
        !analysis_options_read(&job.parameters, &job.order, cli->arena, err) || !check_output(chosen, &job, err))
        return false;
    const bool ok = chosen->write(&job, err);
    if (ok)
        show(&job, chosen);
    notes_free(&job.notes);
    return ok;
}

const Verb verb_export = {
    .name = "export",
    .question = QUESTION_CONTENT,
    .summary = "write a trace for other tools: timelines, simulators, modellers",
    .synopsis = "TRACE… [--to NAME] -o PATH [--collectives NAME] [--flop-rate RATE] [--order NAME] "
                "[--similarity NAME]",
    .description =
        "Writes a trace in the format of another tool. What the format can't express is left out, counted, and said "
        "(`notes` in JSON): receives without a send, for example, of a trace that is a part of its run.\n\n"
        "--to otf2 writes an archive (-o is a directory) for "
        "Vampir and other tools that show timelines. firma finds the phases of the trace, as `firma phases` does. "
        "Each phase is a region around the messages and collectives of "
        "its occurrences. In each process, these regions and the regions `startup` and `shutdown` cover the time "
        "from MPI_Init to MPI_Finalize. Every send, receive and collective has the attributes `logical time` and "
        "`tick`. Every region of a phase has the attribute `occurrence`. "
        "Markers show where relevant phases begin: at the first occurrence of each run of a phase, and in a loop "
        "only in the first iteration. There are at most 1000 markers. "
        "The archive names MPI calls by what they did, as far as the events tell. A call that completed a receive is "
        "called MPI_Wait, even if the program called MPI_Test. Calls that neither sent nor received aren't "
        "written.\n\n"
        "--to perfetto writes a timeline (a file) for the browser: open it at ui.perfetto.dev. Each process has a "
        "track for its phases and one for its calls, or one for each thread that communicates. An arrow leads from "
        "each send to its receive.\n\n"
        "--to ti writes a time-independent trace (a directory), which `smpirun -replay` of SimGrid runs on a simulated "
        "machine. A second of computation becomes 1e9 flops, or what --flop-rate says; so a simulated host of 1 Gf "
        "computes as fast as the traced one. Run smpirun in the new directory: traces.txt names the files of the "
        "processes. A replay knows one communicator. So collectives of a part of the processes become messages, by "
        "the rules of the trace's MPI, or of the one that --collectives names. By default, smpirun makes messages slower "
        "than the platform says, by factors of one real cluster; without these (the example below), it comes near firma "
        "simulate.\n\n"
        "--to goal writes a GOAL schedule (a file) for LogGOPSim and ATLAHS, in nanoseconds. All collectives become "
        "messages, by the same rules.\n\n"
        "--to extrap writes measurements (a file) for Extra-P, which fits laws in the number of processes. It takes "
        "several traces, of different numbers of processes or repeated. Call paths are computation, MPI calls and "
        "phases; metrics are time, visits and bytes, as means over the processes.",
    .examples = "firma export app.trace -o app.phases                     # then run: vampir app.phases/traces.otf2\n"
                "firma export app.trace -o app.blocks --similarity block  # phases of similar blocks\n"
                "otf2-print app.phases/traces.otf2                        # the new archive as text\n"
                "firma export app.trace --to perfetto -o app.pftrace      # open it at ui.perfetto.dev\n"
                "firma export app.trace --to ti -o app.ti                 # for SimGrid:\n"
                "cd app.ti && smpirun --cfg=smpi/bw-factor:0:1 --cfg=smpi/lat-factor:0:1 "
                "-np 4 -platform P.xml -hostfile H -replay traces.txt\n"
                "firma export app.trace --to goal -o app.goal             # for LogGOPSim:\n"
                "txt2bin -i app.goal -o app.bin && LogGOPSim -f app.bin\n"
                "firma export p2.trace p4.trace p8.trace --to extrap -o app.json   # for Extra-P",
    .files = "otf2",
    .of_study = STUDY_TRACE,
    .options = option_table,
    .run = run,
};
