/* SPDX-License-Identifier: BSD-3-Clause */
/* firma show: shows a trace or a signature as text, JSON or picture. */
#include "base/files.h"
#include "base/json.h"
#include "cli/analysis.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "signature/order/order.h"
#include "signature/phases/phases.h"
#include "signature/profile/profile.h"
#include "verbs/show/views.h"

#include <inttypes.h>
#include <stdio.h>

enum { FIRST_EVENTS = 40 }; /* shown without --events */

static struct {
    char *ticks, *blocks, *ranks, *phase, *occurrence, *rank, *events, *svg;
    int no_receives, matrix, waits, messages, volume, all;
} options;

static const struct poptOption option_table[] = {
    {"ticks", '\0', POPT_ARG_STRING, &options.ticks, 0, "show the logical trace of these ticks, a row for each process",
     "A:B"},
    {"blocks", '\0', POPT_ARG_STRING, &options.blocks, 0,
     "show these parallel basic blocks: in each process, the event at the entry, the computation, and the event at the "
     "exit",
     "A:B"},
    {"phase", '\0', POPT_ARG_STRING, &options.phase, 0,
     "show the communication of a phase, and its duration in each process", "N"},
    {"occurrence", '\0', POPT_ARG_STRING, &options.occurrence, 0,
     "with --phase of a trace: show one of its occurrences in time, counted from 0", "N"},
    {"rank", '\0', POPT_ARG_STRING, &options.rank, 0, "show the events of one process", "RANK"},
    {"matrix", '\0', POPT_ARG_NONE, &options.matrix, 0, "show how much each process sends to each other", NULL},
    {"waits", '\0', POPT_ARG_NONE, &options.waits, 0,
     "show where the time of each phase goes: computation, communication, and which process waits for which", NULL},
    {"ranks", '\0', POPT_ARG_STRING, &options.ranks, 0, "with --ticks or --blocks: only these processes", "A:B"},
    {"no-receives", '\0', POPT_ARG_NONE, &options.no_receives, 0,
     "with --ticks: leave out receives, and number ticks as phases do", NULL},
    SHARED_OPTIONS(analysis_option_table),
    {"events", '\0', POPT_ARG_STRING, &options.events, 0, "with --rank: only these events; by default :39", "A:B"},
    {"volume", '\0', POPT_ARG_NONE, &options.volume, 0, "with --matrix: show bytes; by default on", NULL},
    {"messages", '\0', POPT_ARG_NONE, &options.messages, 0, "with --matrix: show numbers of messages", NULL},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every process, phase and communicator", NULL},
    {"svg", '\0', OPTION_SVG, &options.svg, 0, "draw a picture of the view, too", "FILE"},
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

typedef enum ViewNumber { OVERVIEW, TICKS, BLOCKS, PHASE, PROCESS, MATRIX, WAITS, N_VIEWS } ViewNumber;

static const struct View {
    const char *option;
    bool (*show)(Cli *cli, const ShowRequest *request, Shown *shown, Err *err);
    bool of_signatures;
} views[N_VIEWS] = {
    [OVERVIEW] = {"", show_overview, true},      [TICKS] = {"--ticks", show_ticks, false},
    [PHASE] = {"--phase", show_phase, true},     [PROCESS] = {"--rank", show_process, false},
    [MATRIX] = {"--matrix", show_matrix, false}, [BLOCKS] = {"--blocks", show_blocks, false},
    [WAITS] = {"--waits", show_waits, false},
};

/* ---- options ---- */

static bool choose_view(ViewNumber *view, Err *err)
{
    const bool asked[N_VIEWS] = {[TICKS] = options.ticks,  [BLOCKS] = options.blocks, [PHASE] = options.phase,
                                 [PROCESS] = options.rank, [MATRIX] = options.matrix, [WAITS] = options.waits};
    *view = OVERVIEW;
    for (int i = 1; i < N_VIEWS; i++) {
        if (!asked[i])
            continue;
        if (*view != OVERVIEW)
            return err_set(err, ERR_USAGE, "%s and %s: one at a time", views[*view].option, views[i].option);
        *view = (ViewNumber)i;
    }
    return true;
}

/* An option that has no effect is an error. */
static bool check_options(ViewNumber view, bool is_signature, Err *err)
{
    const struct {
        const char *option;
        bool is_given, fits;
        const char *where;
    } checks[] = {
        {"--ranks", options.ranks, view == TICKS || view == BLOCKS, "--ticks and --blocks"},
        {"--no-receives", options.no_receives, view == TICKS, "--ticks"},
        {analysis_options_of_order(), analysis_options_of_order(),
         view == TICKS || view == BLOCKS || view == WAITS || (view == PHASE && !is_signature),
         "--ticks, --blocks, --waits, and --phase of a trace"},
        {analysis_options_of_phases(), analysis_options_of_phases(), view == WAITS || (view == PHASE && !is_signature),
         "--waits, and --phase of a trace"},
        {"--svg", options.svg, view != BLOCKS && view != WAITS, "the other views"},
        {"--occurrence", options.occurrence, view == PHASE && !is_signature, "--phase of a trace"},
        {"--events", options.events, view == PROCESS, "--rank"},
        {"--volume", options.volume, view == MATRIX, "--matrix"},
        {"--messages", options.messages, view == MATRIX, "--matrix"},
        {"--all", options.all, view != TICKS && view != BLOCKS && view != PROCESS,
         "--phase, --matrix, --waits and the overview"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].is_given && !checks[i].fits)
            return err_set(err, ERR_USAGE, "%s goes with %s", checks[i].option, checks[i].where);
    if (options.volume && options.messages)
        return err_set(err, ERR_USAGE, "--volume and --messages: one at a time");
    return true;
}

static bool check_limit(uint64_t count, Err *err)
{
    return count <= PROCESS_EVENTS_LIMIT || err_set(err, ERR_USAGE, "--events: more than can be shown") ||
           err_hint(err, "at most %u at a time", PROCESS_EVENTS_LIMIT);
}

static bool read_request(ShowRequest *request, Arena *arena, Err *err)
{
    request->ticks = request->ranks = (Range){0, UINT64_MAX};
    request->events = (Range){0, FIRST_EVENTS};
    request->occurrence = UINT64_MAX;
    request->receives = !options.no_receives;
    request->messages = options.messages;
    request->all = options.all;
    request->wants_picture = options.svg;
    if (!analysis_options_read(&request->parameters, &request->order, arena, err) ||
        !(!options.ticks || range_option_parse("--ticks", options.ticks, &request->ticks, err)) ||
        !(!options.blocks || range_option_parse("--blocks", options.blocks, &request->ticks, err)) ||
        !(!options.ranks || range_option_parse("--ranks", options.ranks, &request->ranks, err)) ||
        !(!options.events || range_option_parse("--events", options.events, &request->events, err)) ||
        !(!options.rank || number_option_parse("--rank", options.rank, &request->rank, err)) ||
        !(!options.occurrence || number_option_parse("--occurrence", options.occurrence, &request->occurrence, err)) ||
        !(!options.phase || number_option_parse("--phase", options.phase, &request->phase, err)))
        return false;
    if (request->events.end == UINT64_MAX)
        request->events.end = request->events.first + PROCESS_EVENTS_LIMIT;
    return check_limit(request->events.end - request->events.first, err);
}

/* ---- output ---- */

static void print(const Cli *cli, Shown *shown)
{
    if (shown->document)
        cli_print_json(cli, shown->document);
    else if (!cli->quiet)
        cli_print(cli, "%s", shown->text);
}

static bool draw(const Cli *cli, const Shown *shown, Err *err)
{
    if (!options.svg)
        return true;
    if (!files_save_text(options.svg, shown->picture, err))
        return false;
    if (shown->document)
        json_object_set_new(shown->document, "svg", json_from_text(options.svg));
    cli_note(cli, "drawn: %s", options.svg);
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n != 1)
        return err_set(err, ERR_USAGE,
                       n ? "expected one trace or signature, found %d" : "no trace or signature is named", n);
    ShowRequest request = {.input = words[0], .is_signature = analysis_is_signature(words[0])};
    ViewNumber view;
    Shown shown = {0};
    if (!choose_view(&view, err) || !check_options(view, request.is_signature, err) ||
        !read_request(&request, cli->arena, err) ||
        !outputs_check((const Output[]){{.path = options.svg}}, 1, words, 1, cli->arena, err))
        return false;
    if (request.is_signature && !views[view].of_signatures)
        return err_set(err, ERR_USAGE, "%s: %s needs a trace, and this file isn't one", words[0], views[view].option) ||
               err_hint(err, "a trace is a directory that `firma trace` wrote, or a .otf2 file");
    if (!views[view].show(cli, &request, &shown, err))
        return request.is_signature && files_kind(words[0])
                   ? err_hint(err, "firma show takes a trace (a directory, or a .otf2 file) or a signature (app.firma)")
                   : false;
    bool drawn = draw(cli, &shown, err);
    print(cli, &shown);
    return drawn;
}

const Verb verb_show = {
    .name = "show",
    .question = QUESTION_CONTENT,
    .summary = "look into a trace or a signature: time, ticks, phases, messages",
    .synopsis =
        "TRACE|SIGNATURE [--ticks A:B | --blocks A:B | --phase N | --rank RANK | --matrix | --waits] [--svg FILE]",
    .description =
        "Without a view option, shows a summary of a trace: the time by MPI call and by process. Of a signature, "
        "which `firma phases` wrote, shows the phases.\n\n"
        "--ticks shows the logical trace, with a row for each process and a column for each tick. +K is a send to "
        "process K, -K a receive from process K. LT is the logical time.\n\n"
        "--blocks shows the parallel basic blocks: what lies between a tick and the next.\n\n"
        "--phase shows one phase: its communication with volumes in bytes, its startpoint and endpoint (the numbers "
        "of events between which it is measured), and its duration in each process. With --occurrence, shows "
        "what each process does when, in one occurrence.\n\n"
        "--rank lists the events of a process: time since MPI_Init, computation before the event, time in its call, "
        "logical time and tick in PAS2P order, and its partner, which is the number of the message's other end among "
        "the events of that process. "
        "The bytes of a collective are the sum of what the process contributes and what it receives.\n\n"
        "--matrix shows how many bytes each process sends to each other process. If there are too many processes for "
        "the terminal, it adds them up in blocks. With --json, it is always complete.\n\n"
        "--waits shows, for each phase and each process, computation, communication, and how long calls waited: in a "
        "receive for a late sender, in a send for a late receiver, in a collective for late members. It names the "
        "processes that wait longest, and for whom.\n\n"
        "A range A:B includes both ends; A: means from A on, :B up to B, and a single number only itself. Times are "
        "times of calls that send, receive or belong to a collective. Calls that only wait for a send, or that poll "
        "and find nothing, are in `other`.\n\n"
        "--svg draws a picture of a view, which browsers show: of a trace, what each process does when. Pointing at a "
        "part of it shows its numbers.",
    .examples = "firma show app.trace                                # where the time goes\n"
                "firma show app.trace --ticks 100:139 --no-receives  # forty ticks of the logical trace\n"
                "firma show app.trace --blocks 0:9                   # the first ten blocks\n"
                "firma show app.firma --phase 3 --svg phase3.svg     # phase 3, also as a picture\n"
                "firma show app.trace --phase 3 --occurrence 0 --svg 3.svg   # one occurrence, in time\n"
                "firma show app.trace --rank 0 --events 500:519      # twenty events of process 0\n"
                "firma show app.trace --waits                        # who waits for whom?\n"
                "firma show app.trace --matrix --json                # all pairs of processes that communicate",
    .files = "otf2 firma",
    .of_study = STUDY_TRACE,
    .options = option_table,
    .run = run,
};
