/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale trace: where the time of traced runs goes, process by process, and POP's tree of efficiencies. */
#include "base/files.h"
#include "base/json.h"
#include "cli/analysis.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"
#include "verbs/scale/scale.h"
#include "verbs/scale/trace_text.h"

#include <string.h>

static int all;
static char *svg;

static const struct poptOption option_table[] = {
    {"all", 'a', POPT_ARG_NONE, &all, 0, "show every process", NULL},
    {"svg", '\0', OPTION_SVG, &svg, 0,
     "draw where the time goes: of each process, or with several traces of the mean one", "FILE"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

static bool read_trace(Cli *cli, const char *trace, BalancePoint *point, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    *point = (BalancePoint){.trace = trace};
    shared_archive_tell_completions(reading.archive);
    bool ok = balance_read(reading.source, &reading.progress, cli->arena, &point->efficiencies, err);
    reading_close(cli, &reading);
    return ok || err_prefix(err, "%s", trace);
}

static void show_notes(const Cli *cli, const BalancePoint *points, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *line = balance_notes(&points[i], cli->arena);
        for (; *line; line += strcspn(line, "\n") + 1)
            cli_note(cli, "%s%s%.*s", n > 1 ? points[i].trace : "", n > 1 ? ": " : "", (int)strcspn(line, "\n"), line);
    }
}

/* The picture, and the page: of several traces, it has their efficiencies alone. */
static bool write_files(Cli *cli, const char *const *traces, int n, const json_t *document, Err *err)
{
    const char *picture = svg ? efficiencies_file(document, cli->arena) : NULL;
    if (svg && !picture)
        return err_set(err, ERR_INPUT, "%s: there is no time to draw", traces[0]);
    return (!svg || files_save_text(svg, picture, err)) &&
           report_option_write(cli, n == 1 ? traces[0] : NULL, "efficiencies", json_deep_copy(document), err);
}

static void show(const Cli *cli, const BalancePoint *points, uint32_t n, json_t *document)
{
    if (!cli->json && !cli->quiet)
        cli_print(cli, "%s", balance_text(points, n, all, cli->color, cli->arena));
    if (!cli->json)
        return;
    if (svg)
        json_object_set_new(document, "svg", json_from_text(svg));
    report_option_add(document);
    cli_print_json(cli, json_incref(document));
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n == 0)
        return err_set(err, ERR_USAGE, "no trace is named");
    if (!outputs_check((const Output[]){{.path = svg}, {.path = report_option()}}, 2, words, (size_t)n, cli->arena,
                       err))
        return false;
    BalancePoint *points = arena_new_array(cli->arena, BalancePoint, (size_t)n);
    for (int i = 0; i < n; i++)
        if (!read_trace(cli, words[i], &points[i], err))
            return false;
    cli_progress_end(cli);
    balance_compare(points, (uint32_t)n);
    json_t *document = balance_json(points, (uint32_t)n);
    bool written = write_files(cli, words, n, document, err);
    show(cli, points, (uint32_t)n, document);
    json_decref(document);
    show_notes(cli, points, (uint32_t)n);
    return written;
}

const Verb scale_trace = {
    .name = "scale trace",
    .summary = "find out where the time of traced runs goes: POP's tree of efficiencies",
    .synopsis = "TRACE… [--all] [--svg FILE] [--report FILE]",
    .description = "Prints where the time of traced runs goes. Each process's time has four parts: computation, "
                   "waiting for partners (idle), the rest of its communication (transfer), and what is left "
                   "(other), such as other programs on its processor. A replay on an ideal network, where messages "
                   "and collectives take no time, separates idle from transfer.\n\n"
                   "firma also prints POP's tree of efficiencies, whose branches multiply: parallel = load balance "
                   "× communication, communication = serialisation × transfer.\n\n"
                   "With several traces of a program, firma prints how all this changes with the number of "
                   "processes, and how much computation is redundant: done with many processes, but not with few.",
    .examples = "firma scale trace app.trace                 # where does its time go?\n"
                "firma scale trace app.trace --svg app.svg   # a picture of that\n"
                "firma scale trace p2.trace p4.trace         # how does that change with the processes?",
    .files = "otf2",
    .of_study = STUDY_TRACE,
    .takes_studies = true,
    .options = option_table,
    .run = run,
};
