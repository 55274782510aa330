/* SPDX-License-Identifier: BSD-3-Clause */
/* firma export: writes a trace with its phases and logical times as a new OTF2 archive, for tools
 * that draw timelines. */
#include "verbs/export/export.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "report/format.h"
#include "signature/export/export.h"

#include <string.h>

static char *output;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &output, 0, "where to write the new archive", "DIR"},
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(analysis_option_table),
    POPT_TABLEEND};

static bool check_output(const char *trace, Output *archive, Arena *arena, Err *err)
{
    *archive = (Output){.path = output, .kind = &archive_directory};
    if (!output || !*output)
        return err_set(err, ERR_USAGE, "the new archive needs a directory") || err_hint(err, "add -o DIR");
    return outputs_check_one(archive, &trace, 1, arena, err);
}

static bool analyse(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *order,
                    Export **exported, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, order, &reading, err))
        return false;
    bool ok = export_analyse(reading.source, parameters, order, &reading.progress, exported, err);
    reading_close(cli, &reading);
    return ok;
}

static bool write_archive(Cli *cli, const char *trace, const Output *archive, Export *exported, ExportSummary *summary,
                          Err *err)
{
    Reading reading;
    OutputDirectory directory;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    if (!output_directory_begin(archive, cli->arena, &directory, err)) {
        reading_close(cli, &reading);
        return false;
    }
    bool ok = export_write(exported, reading.source, directory.filled, &reading.progress, summary, err);
    reading_close(cli, &reading);
    return output_directory_end(&directory, ok, cli->arena, err);
}

typedef struct ExportDocument {
    const char *trace;
    const ExportSummary *summary;
} ExportDocument;

static const FieldList summary_fields =
    FIELDS(ExportSummary, FIELD_AS(ExportSummary, n_phases, "phases", "how many"),
           FIELD_AS(ExportSummary, n_relevant, "relevant", "how many of them are relevant"),
           FIELD_AS(ExportSummary, n_events, "events", "sends, receives and collectives: how many"),
           FIELD_AS(ExportSummary, n_unplaced, "events_unplaced",
                    "how many of them have no logical time: receives without a send"),
           FIELD_AS(ExportSummary, n_markers, "markers", "how many were written"),
           FIELD_AS(ExportSummary, n_markers_more, "markers_left_out", "how many more there would be"));

const FieldList export_fields = FIELDS(ExportDocument, FIELD(ExportDocument, trace, "the new archive's directory"),
                                       FIELD_INLINE_POINTED(ExportDocument, summary, summary_fields));

static void show(const Cli *cli, const ExportSummary *summary)
{
    if (cli->json) {
        const ExportDocument document = {output, summary};
        cli_print_json(cli, fields_to_json(&export_fields, &document, 0));
        return;
    }
    if (cli->quiet)
        return;
    cli_print(cli, "%s: %s sends, receives and collectives, %u phase%s (%u relevant), %s marker%s\n",
              text_as_line(output, cli->arena), format_count(cli->arena, summary->n_events), summary->n_phases,
              summary->n_phases == 1 ? "" : "s", summary->n_relevant, format_count(cli->arena, summary->n_markers),
              summary->n_markers == 1 ? "" : "s");
    if (summary->n_unplaced)
        cli_note(cli, "%llu receives have no logical time, since their sends aren't in the trace",
                 (unsigned long long)summary->n_unplaced);
    if (summary->n_markers_more)
        cli_note(cli, "%llu further markers are left out", (unsigned long long)summary->n_markers_more);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PhaseParameters parameters;
    OrderOptions order = {0};
    ExportSummary summary;
    Export *exported = NULL;
    Output archive;
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "expected one trace, found %d" : "no trace is named", n);
    if (!analysis_options_read(&parameters, &order, cli->arena, err) ||
        !check_output(words[0], &archive, cli->arena, err) ||
        !analyse(cli, words[0], &parameters, &order, &exported, err))
        return false;
    bool ok = write_archive(cli, words[0], &archive, exported, &summary, err);
    export_free(exported);
    if (ok)
        show(cli, &summary);
    return ok;
}

const Verb verb_export = {
    .name = "export",
    .question = QUESTION_CONTENT,
    .summary = "write a trace's phases and logical times into an OTF2 archive",
    .synopsis = "TRACE -o DIR [--order NAME] [--similarity NAME]",
    .description =
        "Finds the phases of a trace, as `firma phases` does. Then writes the trace again as an OTF2 archive for "
        "Vampir and other tools that show timelines. Each phase is a region around the messages and collectives of "
        "its occurrences. In each process, these regions and the regions `startup` and `shutdown` cover the time "
        "from MPI_Init to MPI_Finalize. Every send, receive and collective has the attributes `logical time` and "
        "`tick`. Every region of a phase has the attribute `occurrence`.\n\n"
        "Markers show where relevant phases begin: at the first occurrence of each run of a phase, and in a loop "
        "only in the first iteration. There are at most 1000 markers.\n\n"
        "The archive names MPI calls by what they did, as far as the events tell. A call that completed a receive is "
        "called MPI_Wait, even if the program called MPI_Test. Calls that neither sent nor received aren't written.",
    .examples = "firma export app.trace -o app.phases                     # then run: vampir app.phases/traces.otf2\n"
                "firma export app.trace -o app.blocks --similarity block  # phases of similar blocks\n"
                "otf2-print app.phases/traces.otf2                        # the new archive as text",
    .files = "otf2",
    .options = option_table,
    .run = run,
};
