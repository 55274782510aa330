/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale trace: where the time of traced runs goes, process by process, and POP's tree of efficiencies. */
#include "cli/analysis.h"
#include "verbs/scale/scale.h"
#include "verbs/scale/trace_text.h"

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
        cli_print(cli, "%s", balance_text(points, (uint32_t)n, all, cli->color, cli->arena));
    show_notes(cli, points, (uint32_t)n);
    return true;
}

const Verb scale_trace = {
    .name = "scale trace",
    .summary = "find out where the time of traced runs goes: POP's tree of efficiencies",
    .synopsis = "TRACE… [--all]",
    .description = "Prints where the time of traced runs goes. Each process's time has four parts: computation, "
                   "waiting for partners (idle), the rest of its communication (transfer), and what is left "
                   "(other), such as other programs on its processor. A replay on an ideal network, where messages "
                   "and collectives take no time, separates idle from transfer.\n\n"
                   "firma also prints POP's tree of efficiencies, whose branches multiply: parallel = load balance "
                   "× communication, communication = serialisation × transfer.\n\n"
                   "With several traces of a program, firma prints how all this changes with the number of "
                   "processes, and how much computation is redundant: done with many processes, but not with few.",
    .examples = "firma scale trace app.trace                 # where does its time go?\n"
                "firma scale trace p2.trace p4.trace         # how does that change with the processes?",
    .files = "otf2",
    .options = option_table,
    .run = run,
};
