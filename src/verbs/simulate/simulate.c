/* SPDX-License-Identifier: BSD-3-Clause */
/* firma simulate: the time of a traced program on a machine that one doesn't have. */
#include "base/files.h"
#include "cli/analysis.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "report/format.h"
#include "report/plot.h"
#include "trace/archive.h"
#include "verbs/map/foreign.h"
#include "verbs/map/platform_options.h"
#include "verbs/simulate/views.h"

static struct {
    char *times, *svg, *data;
    double compute_speed;
    int whole, no_sensitivity, all;
} options;

static CheckedText given = {.check = given_check};
static CheckedWords sweeps = {.check = sweep_check};
static Choice collectives = {.name_at = simulation_collectives_at};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(platform_option_table),
    {"given", '\0', OPTION_CHECKED, &given, 0,
     "rate this mapping: each process's processor, counted from 0 over all nodes, such as 0,0,1,1 or 0:7; or a file "
     "*.map, which `firma map -o` writes; by default process i runs on processor i",
     "LIST"},
    {"times", '\0', OPTION_JSON, &options.times, 0,
     "what the signature measured on a node of that machine (firma measure): computation of each phase is scaled by it",
     "FILE"},
    {"compute-speed", '\0', POPT_ARG_DOUBLE, &options.compute_speed, 0,
     "all processors compute this many times as fast as the traced machine's", "FACTOR"},
    {"collectives", '\0', OPTION_CHOICE, &collectives, 0,
     "collectives of a trace: by the algorithms of this MPI; by default SMPI's", "NAME"},
    {"whole", '\0', POPT_ARG_NONE, &options.whole, 0, "simulate the whole run, not a sample of each loop", NULL},
    {"no-sensitivity", '\0', POPT_ARG_NONE, &options.no_sensitivity, 0,
     "predict the time alone, not what it depends on", NULL},
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

static bool check_options(int n, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "expected one trace, found %d" : "no trace is named", n);
    if (platform_options_are_absent())
        return err_set(err, ERR_USAGE, "expected --platform or --machine") ||
               err_hint(err, "--platform 4x8:2us,10GB/s:0.5us,20GB/s makes a machine up; firma comm measures one");
    if (options.compute_speed < 0 || options.compute_speed > 1e6)
        return err_set(err, ERR_USAGE, "--compute-speed: %g isn't a factor above 0", options.compute_speed);
    if ((options.svg || options.data) && !sweeps.given)
        return err_set(err, ERR_USAGE, "--svg and --data go with --sweep");
    return platform_options_check(err);
}

/* ---- input ---- */

/* The trace, which is read several times. */
typedef struct Traces {
    const char *path;
    Archive *archive;
} Traces;

static bool reopen(void *self, EventSource **completions, Err *err)
{
    Traces *traces = self;
    archive_close(traces->archive);
    traces->archive = NULL;
    if (!archive_open(traces->path, &traces->archive, err))
        return false;
    archive_tell_completions(traces->archive);
    *completions = archive_source(traces->archive);
    return true;
}

static bool find_processors(Cli *cli, const Platform *platform, uint32_t n, const uint32_t **processors, Err *err)
{
    uint32_t *found = arena_new_array(cli->arena, uint32_t, n);
    const Ttig tasks = {.n_nodes = n};
    const MappingProblem problem = {.ttig = &tasks, .platform = platform};
    *processors = found;
    if (given.given)
        return given_parse(given.given, &problem, found, err);
    for (uint32_t i = 0; i < n; i++)
        found[i] = i;
    return n <= platform->n_processors ||
           err_set(err, ERR_INPUT, "the trace has %u processes, and the platform %u processors", n,
                   platform->n_processors) ||
           err_hint(err, "--given lets processes share processors: --given 0,0,1,1");
}

static bool load_times(Cli *cli, uint32_t n, const PhaseTimes **times, Err *err)
{
    PhaseTimes *loaded;
    if (!options.times)
        return true;
    if (!times_load(options.times, cli->arena, &loaded, err))
        return false;
    *times = loaded;
    return loaded->application.n_processes == n || err_set(err, ERR_INPUT, "%s: of %u processes, and the trace has %u",
                                                           options.times, loaded->application.n_processes, n);
}

static bool check_speeds(const Platform *platform, Err *err)
{
    return !platform->simgrid_file || !platform_options_give_speeds() ||
           err_set(err, ERR_USAGE, "--speed: a platform of SimGrid says how fast its hosts are");
}

static const char *computation_text(const SimulationRequest *request, Arena *arena)
{
    const char *speed = request->compute_speed == 1
                            ? "as in the trace"
                            : arena_printf(arena, "%g times as fast as in the trace", request->compute_speed);
    if (request->times)
        return arena_printf(arena, "scaled by %s, phase by phase%s%s", options.times,
                            request->compute_speed == 1 ? "" : ", then ", request->compute_speed == 1 ? "" : speed);
    return speed;
}

/* ---- output ---- */

static void note_approximations(const Cli *cli, const Simulated *simulated)
{
    if (simulated->why_whole)
        cli_note(cli, "everything is simulated, because after leaving out iterations %s", simulated->why_whole);
    if (simulated->has_unreceived)
        cli_note(cli, "the trace holds messages that nobody receives");
    if (simulated->cost_error > 0.01)
        cli_note(
            cli,
            "SimGrid has one shape of message costs for all links; the costs of some differ from the machine model's "
            "by up to %s",
            format_percent(cli->arena, simulated->cost_error));
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

static bool simulate_trace(Cli *cli, const SimulationRequest *request, Sweep *sweep, Err *err)
{
    Simulation *simulation = NULL;
    Simulated simulated;
    bool ok = simulation_run(request, &cli->progress, cli->arena, &simulation, &simulated, err);
    if (ok && !options.no_sensitivity) {
        ok = simulation_find_sensitivity(simulation, simulated.application_s, &cli->progress, &simulated.sensitivity,
                                         err);
        simulated.has_sensitivity = true;
        if (ok)
            simulation_widen_interval(&simulated);
    }
    ok = ok && sweep_run(simulation, &cli->progress, sweep, err);
    cli_progress_end(cli);
    simulation_free(simulation);
    if (!ok)
        return false;
    const SimulateView view = {.simulated = &simulated,
                               .platform = request->platform,
                               .sweep = sweep,
                               .computation = computation_text(request, cli->arena),
                               .all = options.all,
                               .color = cli->color};
    note_approximations(cli, &simulated);
    bool drawn = draw(cli, sweep, err);
    print(cli, &view);
    return drawn;
}

static bool read_and_simulate(Cli *cli, SimulationRequest *request, Sweep *sweep, const char *trace, Err *err)
{
    Reading reading;
    Platform *platform;
    Traces traces = {.path = trace};
    if (!platform_options_find(cli, false, &platform, err) || !check_speeds(platform, err) ||
        !reading_open(cli, trace, &request->order, &reading, err))
        return false;
    uint32_t n = reading.source->trace->application.n_processes;
    request->source = reading.source;
    request->reopen = reopen;
    request->self = &traces;
    request->platform = platform;
    bool ok = find_processors(cli, platform, n, &request->processors, err) &&
              load_times(cli, n, &request->times, err) && simulate_trace(cli, request, sweep, err);
    archive_close(traces.archive);
    reading_close(cli, &reading);
    return ok;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    Sweep sweep;
    SimulationRequest request = {.compute_speed = options.compute_speed > 0 ? options.compute_speed : 1,
                                 .collectives = collectives.given ? collectives.given : "smpi",
                                 .whole = options.whole};
    if (!check_options(n, err) || !sweep_read((const char *const *)sweeps.given, cli->arena, &sweep, err) ||
        !analysis_options_read(&request.parameters, &request.order, cli->arena, err))
        return false;
    const char *const inputs[] = {words[0], platform_options_file(), options.times, given_file(given.given)};
    return outputs_check((const Output[]){{.path = options.data}, {.path = options.svg}}, 2, inputs, 4, cli->arena,
                         err) &&
           read_and_simulate(cli, &request, &sweep, words[0], err);
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
