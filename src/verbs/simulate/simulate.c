/* SPDX-License-Identifier: BSD-3-Clause */
/* firma simulate: the time of a traced program on a machine that one doesn't have. */
#include "base/files.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "report/plot.h"
#include "verbs/simulate/simulating.h"

static struct {
    char *times, *svg, *data;
    int all;
} options;

static CheckedWords sweeps = {.check = sweep_check};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(simulating_option_table),
    {"times", '\0', OPTION_JSON, &options.times, 0,
     "what the signature measured on a node of that machine (firma measure): computation of each phase is scaled by it",
     "FILE"},
    {"sweep", '\0', OPTION_CHECKED_WORDS, &sweeps, 0,
     "predict the time with the platform's latency, bandwidth or speed multiplied by each of these factors, such as "
     "latency=0.5,1,2,4; may be repeated: all combinations",
     "PARAMETER=LIST"},
    {"svg", '\0', OPTION_SVG, &options.svg, 0, "draw the times of --sweep, with gnuplot", "FILE"},
    {"data", '\0', POPT_ARG_STRING, &options.data, 0,
     "write the picture's numbers, as a script for gnuplot: `gnuplot FILE > picture.svg`", "FILE"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every phase, process and cause", NULL},
    SHARED_OPTIONS(analysis_option_table),
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

static bool check_usage(int n, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "expected one trace, found %d" : "no trace is named", n);
    if ((options.svg || options.data) && !sweeps.given)
        return err_set(err, ERR_USAGE, "--svg and --data go with --sweep");
    return simulating_options_check(err);
}

static bool check_outputs(const Cli *cli, const char *trace, Err *err)
{
    const char *inputs[2 + SIMULATING_FILES] = {trace, options.times};
    simulating_options_files(inputs + 2);
    return outputs_check((const Output[]){{.path = options.data}, {.path = options.svg}}, 2, inputs,
                         2 + SIMULATING_FILES, cli->arena, err);
}

static bool draw(const Cli *cli, const Sweep *sweep, Err *err)
{
    if (!options.svg && !options.data)
        return true;
    const char *script = sweep_picture(sweep, cli->arena);
    return (!options.data || files_save_text(options.data, script, err)) &&
           (!options.svg || plot_draw(script, options.svg, err));
}

static void print(const Cli *cli, const SimulateView *view)
{
    if (cli->json) {
        json_t *document = simulate_json(view, cli->arena);
        if (options.svg)
            json_object_set_new(document, "svg", json_from_text(options.svg));
        if (options.data)
            json_object_set_new(document, "data", json_from_text(options.data));
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        cli_print(cli, "%s", simulate_text(view, cli->arena));
    }
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    Sweep sweep;
    Platform *platform;
    SimulateView view;
    (void)command;
    if (!check_usage(n, err) || !sweep_read((const char *const *)sweeps.given, cli->arena, &sweep, err) ||
        !check_outputs(cli, words[0], err) || !simulating_find_platform(cli, &platform, err))
        return false;
    const Simulating simulating = {.trace = words[0], .times = options.times, .platform = platform, .sweep = &sweep};
    if (!simulating_run(cli, &simulating, &view, err))
        return false;
    view.all = options.all;
    bool drawn = draw(cli, &sweep, err);
    print(cli, &view);
    return drawn;
}

const Verb verb_simulate = {
    .name = "simulate",
    .question = QUESTION_TIME,
    .summary = "predict a traced program's time on a machine that you don't have",
    .synopsis = "TRACE --platform TEXT | --machine FILE [--given LIST] [--times FILE] [--sweep PARAMETER=LIST] "
                "[--whole] [--svg FILE]",
    .description =
        "Simulates the traced program on another machine with SimGrid's SMPI, and shows where the time would go: for "
        "each phase and process, computation, communication, and waiting for others. Messages and collectives follow "
        "MPI's protocols on the platform's links, which they share. Computation takes as long as in the trace, times a "
        "factor: of --times, --compute-speed or --speed.\n\n"
        "The first line says whether faster processors or a better network would help more. It comes from simulations "
        "of slightly changed machines. A table says how much longer latencies may be until the program is 1, 2 and "
        "5 % slower.\n\n"
        "By default, firma simulates a sample: of each loop the first and the last iteration, and some between them "
        "with the computation that was measured there. It doubles their number until the predicted time is steady. "
        "So the cost hardly depends on how long the program ran. --whole simulates everything.\n\n"
        "A --platform is text (firma map explains it), or a file of SimGrid or lstopo. The first host of a SimGrid "
        "file counts as fast as the traced machine. Messages of 64 KiB or more wait for their receivers. The interval "
        "contains the choice of occurrences, how much runs of the traced machine differ, and the intervals of a machine "
        "model; it doesn't contain other errors of the platform's description.\n\n"
        "A program that doesn't end on the platform is an error, which says who waits for what.",
    .examples = "firma simulate app.trace --platform 4x8:2us,10GB/s:0.5us,20GB/s   # four nodes of eight cores\n"
                "firma simulate app.trace --platform cluster.xml --compute-speed 1.5\n"
                "firma simulate app.trace --machine machine.json --times times.json --json\n"
                "firma simulate app.trace --platform cluster.xml --sweep latency=0.5,1,2,4 --svg sweep.svg",
    .files = "otf2",
    .options = option_table,
    .run = run,
};
