/* SPDX-License-Identifier: BSD-3-Clause */
/* firma simulate: the time of a traced program on a machine that one doesn't have. */
#include "base/files.h"
#include "base/json.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "verbs/report/answer.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"
#include "verbs/simulate/simulating.h"

#include <string.h>

static struct {
    char *times, *svg;
    int all;
} options;

static const char *const pictures[] = {"schedule", "sweep", NULL};
static Choice picture = {.names = pictures};
static CheckedWords sweeps = {.check = sweep_check};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(simulating_option_table),
    {"times", '\0', OPTION_JSON, &options.times, 0,
     "what the signature measured on a node of that machine (firma measure): computation of each phase is scaled by it",
     "FILE"},
    {"sweep", '\0', OPTION_CHECKED_WORDS, &sweeps, 0,
     "predict the time with the platform's latency, bandwidth or speed multiplied by each of these factors, such as "
     "latency=0.5,1,2,4x or latency=1:64x2; may be repeated: all combinations",
     "PARAMETER=LIST"},
    {"svg", '\0', OPTION_SVG, &options.svg, 0, "draw a picture, too", "FILE"},
    {"picture", '\0', OPTION_CHOICE, &picture, 0,
     "what to draw: what each process does over time (schedule), or the times of --sweep (sweep); by default sweep if "
     "--sweep is given, otherwise schedule",
     "NAME"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every phase, process and cause", NULL},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(analysis_option_table),
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

static bool draws_schedule(void)
{
    return picture.given ? strcmp(picture.given, "schedule") == 0 : !sweeps.given;
}

static bool check_usage(int n, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE,
                       n ? "expected one trace or signature, found %d" : "no trace or signature is named", n);
    if (picture.given && !options.svg)
        return err_set(err, ERR_USAGE, "--picture goes with --svg");
    if (options.svg && !draws_schedule() && !sweeps.given)
        return err_set(err, ERR_USAGE, "--picture sweep goes with --sweep");
    return simulating_options_check(options.times, err);
}

static bool check_outputs(const Cli *cli, const Traced *traced, Err *err)
{
    const char *inputs[3 + SIMULATING_FILES] = {traced->trace, traced->signature_path, options.times};
    simulating_options_files(inputs + 3);
    return outputs_check((const Output[]){{.path = options.svg}, {.path = report_option()}}, 2, inputs,
                         3 + SIMULATING_FILES, cli->arena, err);
}

/* What pages and pictures show, too. */
static json_t *make_document(const Cli *cli, const SimulateView *view)
{
    json_t *document = simulate_json(view, cli->arena);
    if (view->simulated->schedule)
        json_object_set_new(document, "schedule", schedule_json(view, cli->arena));
    return document;
}

static bool draw(const Cli *cli, const SimulateView *view, Err *err)
{
    if (!options.svg)
        return true;
    json_t *document = make_document(cli, view), *schedule = json_object_get(document, "schedule");
    const char *name = files_base_name(view->simulated->signature->application.executable);
    const char *file =
        draws_schedule()
            ? activity_file(json_object_get(schedule, "activity"), json_object_get(schedule, "timeline"),
                            arena_printf(cli->arena, "%s on %s", name, view->platform->description),
                            json_to_text(json_object_get(schedule, "note"), cli->arena), cli->arena)
            : sweep_file(json_object_get(document, "sweep"),
                         arena_printf(cli->arena, "Predicted time of %s on other machines", name), cli->arena);
    json_decref(document);
    return files_save_text(options.svg, file, err);
}

static void print(const Cli *cli, const SimulateView *view)
{
    if (cli->json) {
        json_t *document = simulate_json(view, cli->arena);
        if (options.svg)
            json_object_set_new(document, "svg", json_from_text(options.svg));
        report_option_add(document);
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        answer_print(cli, "simulation", simulate_json(view, cli->arena));
        cli_print(cli, "%s", simulate_text(view, cli->arena));
    }
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    Sweep sweep;
    Platform *platform;
    SimulateView view;
    Traced traced;
    (void)command;
    if (!check_usage(n, err) || !sweep_read((const char *const *)sweeps.given, cli->arena, &sweep, err) ||
        !traced_find(cli, words[0], &traced, err) || !check_outputs(cli, &traced, err) ||
        !simulating_find_platform(cli, &platform, err))
        return false;
    const Simulating simulating = {.traced = traced,
                                   .times = options.times,
                                   .platform = platform,
                                   .sweep = &sweep,
                                   .wants_schedule = (options.svg && draws_schedule()) || report_option()};
    if (!simulating_run(cli, &simulating, &view, err))
        return false;
    view.all = options.all;
    bool written =
        draw(cli, &view, err) && report_option_write(cli, traced.trace, "simulation", make_document(cli, &view), err);
    print(cli, &view);
    return written;
}

const Verb verb_simulate = {
    .name = "simulate",
    .question = QUESTION_TIME,
    .summary = "predict a traced program's time on a machine that you don't have",
    .synopsis =
        "TRACE|SIGNATURE|STUDY --platform TEXT | --machine FILE [--given LIST] [--times FILE] [--sweep PARAMETER=LIST] "
        "[--whole] [--svg FILE]",
    .description =
        "Simulates the traced program on another machine with SimGrid's SMPI, and shows where the time would go: for "
        "each phase and process, computation, transfer, and waiting for others. Messages and collectives follow "
        "MPI's protocols on the platform's links, which they share.\n\n"
        "The first lines say whether faster processors or a better network would help more. This comes from simulations "
        "of slightly changed machines. A table says how much longer latencies may be until the program is 1, 2 and "
        "5 % slower.\n\n"
        "By default, firma simulates a sample: of each loop the first iterations and the last one, and some between them "
        "with the computation that was measured there. It doubles their number until the predicted time is known. "
        "So the cost hardly depends on how long the program ran. --whole simulates everything.\n\n"
        "A signature (app.firma) stands for the trace that it was made from, with its phases and further runs. That "
        "trace is where the signature says, or beside it: app.trace of app.firma. The folder may have been copied: there, "
        "the trace beside the signature comes first. A folder of `firma study` stands for its signature.\n\n"
        "Computation takes as long as in the trace, without the time in which a process waited for a processor. So the "
        "traced run may have taken far longer, if other programs or more processes than processors kept it from running. "
        "One of these scales computation: --times, phase by phase; "
        "--compute-speed, by a factor; --traced-cpu and --target-cpu, by how much faster the second machine runs the "
        "benchmarks of firma machine cpu. --speed is for single nodes.\n\n"
        "A --platform is text (firma map explains it), or a file of SimGrid or lstopo. The first host of a SimGrid "
        "file counts as fast as the traced machine. The interval "
        "contains the choice of occurrences, how much runs of the traced machine differ, and the intervals of a machine "
        "model; it doesn't contain other errors of the platform's description.\n\n"
        "--svg draws what each process does over simulated time, in the simulated occurrences, or in the first 48 of "
        "them, and in which phases. With --sweep, it draws the times "
        "of the sweep, unless --picture schedule is given.\n\n"
        "A program that doesn't end on the platform is an error, which says who waits for what.",
    .examples = "firma simulate app.trace --platform 4x8:2us,10GB/s:0.5us,20GB/s   # four nodes of eight cores\n"
                "firma simulate app.firma --platform cluster.xml --compute-speed 1.5\n"
                "firma simulate app.trace --machine machine.json --times times.json --json\n"
                "firma simulate app.firma --platform cluster.xml --svg schedule.svg\n"
                "firma simulate app.trace --platform cluster.xml --sweep latency=0.5,1,2,4 --svg sweep.svg",
    .files = "otf2 firma",
    .of_study = STUDY_SIGNATURE,
    .options = option_table,
    .run = run,
};
