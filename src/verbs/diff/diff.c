/* SPDX-License-Identifier: BSD-3-Clause */
/* firma diff: shows what differs between two traces of a program. */
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "model/application.h"
#include "signature/compare/compare.h"
#include "trace/archive.h"
#include "verbs/diff/views.h"

static int all;

static const struct poptOption options[] = {
    {"all", 'a', POPT_ARG_NONE, &all, 0, "show every process that differs, and every phase", NULL},
    SHARED_OPTIONS(analysis_option_table),
    POPT_TABLEEND};

/* Both traces, open. */
typedef struct Traces {
    Archive *archives[2];
    EventSource *sources[2];
} Traces;

static void close_traces(Traces *traces)
{
    archive_close(traces->archives[0]);
    archive_close(traces->archives[1]);
    *traces = (Traces){0};
}

static bool open_traces(Cli *cli, const char *const paths[2], Traces *traces, Err *err)
{
    *traces = (Traces){0};
    for (int side = 0; side < 2; side++) {
        if (!archive_open(paths[side], &traces->archives[side], err)) {
            close_traces(traces);
            return false;
        }
        traces->sources[side] = archive_source(traces->archives[side]);
        const Trace *trace = traces->sources[side]->trace;
        cli_note_incomplete(cli, paths[side], trace->incomplete, trace->n_incomplete);
    }
    return true;
}

/* Reads both traces once for the events, and once more for the phases. */
static bool compare(Cli *cli, const char *const paths[2], const PhaseParameters *parameters, const OrderOptions *order,
                    Difference *difference, Err *err)
{
    Traces traces;
    Arena *arena = cli->arena;
    if (!open_traces(cli, paths, &traces, err))
        return false;
    for (int side = 0; side < 2; side++) {
        Application *copy = arena_new_array(arena, Application, 1);
        *copy = application_copy(&traces.sources[side]->trace->application, arena);
        difference->application[side] = copy;
        difference->trace[side] = paths[side];
    }
    application_compare(difference->application[0], difference->application[1], arena, &difference->identity);
    bool fine = compare_events(traces.sources, &cli->progress, arena, &difference->events, err);
    close_traces(&traces);
    bool same_processes = difference->application[0]->n_processes == difference->application[1]->n_processes;
    difference->same = fine && same_processes && difference->events.sends == LIKENESS_SAME &&
                       difference->events.receives <= LIKENESS_ORDER;
    difference->has_phases =
        fine && same_processes && difference->events.count[0] > 0 && difference->events.count[1] > 0;
    if (!difference->has_phases)
        return fine;
    if (!open_traces(cli, paths, &traces, err))
        return false;
    fine = compare_phases(traces.sources, &difference->events, parameters, order, &cli->progress, arena,
                          &difference->phases, err);
    close_traces(&traces);
    return fine;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n != 2)
        return err_set(err, ERR_USAGE, "expected two traces");
    Difference difference = {0};
    PhaseParameters parameters;
    OrderOptions order = {0};
    if (!analysis_options_read(&parameters, &order, cli->arena, err))
        return false;
    bool fine = compare(cli, words, &parameters, &order, &difference, err);
    cli_progress_end(cli);
    if (!fine)
        return false;
    if (cli->json)
        cli_print_json(cli, difference_json(&difference));
    else if (!cli->quiet)
        cli_print(cli, "%s", difference_text(&difference, all, cli->color, cli->arena));
    if (difference.same)
        return true;
    err_set(err, ERR_NEGATIVE, "%s", difference_summary(&difference, cli->arena));
    return difference.identity[0] ? false
                                  : err_hint(err, "%s",
                                             "the same program with the same arguments: its communication varies from "
                                             "run to run, as in programs that distribute work as they run");
}

const Verb verb_diff = {
    .name = "diff",
    .question = QUESTION_CONTENT,
    .summary = "show what differs between two traces of a program",
    .synopsis = "[--all] TRACE|STUDY TRACE|STUDY",
    .description =
        "Compares two traces, A and B, of a program, process by process. Tells whether a process sends the same "
        "messages and enters the same collectives in the same order, in another order, or communicates differently. "
        "Shows the first difference: the number of the event in its process, from 0, and the event that each trace "
        "has there. Compares receives in the same way, in the order in which they completed. Then lists the pairs of "
        "processes whose messages differ most, and the phases: firma finds A's phases, and looks for them in B. "
        "Phases that differ only in their volumes, as on another problem size, are in one row, with the factor of their "
        "volumes.\n\n"
        "+3 is a message to process 3, -3 a message from process 3.\n\n"
        "The exit status is 0 if the communication is the same: every process sends the same in the same order. The "
        "order in which receives complete may differ. In many programs it varies from run to run, and firma reports "
        "it. Programs that react to this order (MPI_ANY_SOURCE) also send in another order; then the exit status is "
        "1.",
    .examples = "firma diff first.trace second.trace         # does the program communicate the same in each run?\n"
                "firma diff here.trace there.trace --all     # all processes that differ, and all phases\n"
                "firma diff -q a.trace b.trace && echo same  # only the exit status",
    .files = "otf2",
    .of_study = STUDY_TRACE,
    .options = options,
    .run = run,
};
