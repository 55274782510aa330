/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale trace: where the time of traced runs goes, process by process, and POP's tree of efficiencies. */
#include "cli/analysis.h"
#include "verbs/scale/scale.h"
#include "verbs/scale/trace_text.h"

#include <stdio.h>
#include <string.h>

static int all;

static const struct poptOption option_table[] = {{"all", 'a', POPT_ARG_NONE, &all, 0, "show every process", NULL},
                                                 POPT_TABLEEND};

static bool read_trace(Cli *cli, const char *trace, BalancePoint *point, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    *point = (BalancePoint){.trace = trace};
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

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n == 0)
        return err_set(err, ERR_USAGE, "no trace is named");
    BalancePoint *points = arena_new_array(cli->arena, BalancePoint, (size_t)n);
    for (int i = 0; i < n; i++)
        if (!read_trace(cli, words[i], &points[i], err))
            return false;
    cli_progress_end(cli);
    balance_compare(points, (uint32_t)n);
    if (cli->json)
        cli_print_json(cli, balance_json(points, (uint32_t)n));
    else if (!cli->quiet)
        fputs(balance_text(points, (uint32_t)n, all, cli->color, cli->arena), stdout);
    show_notes(cli, points, (uint32_t)n);
    return true;
}

const Verb scale_trace = {
    .name = "scale trace",
    .summary = "where the time of traced runs goes: POP's tree of efficiencies",
    .synopsis = "TRACE… [--all]",
    .description =
        "Says where the time of traced runs goes: what each process computes, how long it waits for partners "
        "(idle), and what the rest of its communication takes (transfer); and POP's tree of efficiencies, whose "
        "branches multiply: parallel = load balance × communication, communication = serialisation × transfer. They are "
        "told apart by replaying the run on an ideal network, where messages and collectives take no time. Of several "
        "traces of a program, it shows how all that changes with the number of processes, and how much computation is "
        "redundant: there with many processes, but not with few.",
    .examples = "firma scale trace app.trace                 # where its time goes\n"
                "firma scale trace p2.trace p4.trace         # how that changes with processes",
    .files = "otf2",
    .options = option_table,
    .run = run,
};
