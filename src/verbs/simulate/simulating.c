/* SPDX-License-Identifier: BSD-3-Clause */
/* See simulating.h. */
#include "verbs/simulate/simulating.h"

#include "cli/analysis.h"
#include "cli/option_values.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "report/format.h"
#include "trace/archive.h"
#include "verbs/map/foreign.h"
#include "verbs/map/platform_options.h"
#include <string.h>

static struct {
    int whole, no_sensitivity;
} options;

static CheckedText given = {.check = given_check};
static NumberList eager = {.option = "--eager", .has_units = true, .least = 1, .most = INT32_MAX};
static const char *const collectives_names[] = {
    [LIBRARY_OPENMPI] = "openmpi", [LIBRARY_MPICH] = "mpich", [LIBRARY_SMPI] = "smpi", [LIBRARY_COUNT] = NULL};
static Choice collectives = {.names = collectives_names};

const struct poptOption simulating_option_table[] = {
    SHARED_OPTIONS(platform_option_table),
    {"given", '\0', OPTION_CHECKED, &given, 0,
     "rate this mapping: each process's processor, counted from 0 over all nodes, such as 0,0,1,1 or 0:7; or a file "
     "*.map, which `firma map -o` writes; by default process i runs on processor i",
     "LIST"},
    SHARED_OPTIONS(computation_option_table),
    {"collectives", '\0', OPTION_CHOICE, &collectives, 0,
     "collectives of a trace: by the algorithms of this MPI (openmpi, mpich, smpi); by default of the MPI that was traced",
     "NAME"},
    {"eager", '\0', OPTION_NUMBERS, &eager, 0,
     "messages of this many bytes or more wait for their receivers; by default from where on the machine model's costs "
     "show it, or SMPI's 64k",
     "SIZE"},
    {"whole", '\0', POPT_ARG_NONE, &options.whole, 0, "simulate the whole run, not a sample of each loop", NULL},
    {"no-sensitivity", '\0', POPT_ARG_NONE, &options.no_sensitivity, 0,
     "predict the time alone, not what it depends on", NULL},
    POPT_TABLEEND};

const char *simulating_options_given(void)
{
    const char *of_machine = platform_options_given(), *of_computation = computation_options_given();
    return of_machine               ? of_machine
           : given.given            ? "--given"
           : of_computation         ? of_computation
           : collectives.given      ? "--collectives"
           : eager.given            ? "--eager"
           : options.whole          ? "--whole"
           : options.no_sensitivity ? "--no-sensitivity"
                                    : NULL;
}

bool simulating_options_check(const char *times, Err *err)
{
    const char *option = simulating_options_given();
    if (platform_options_are_absent())
        return err_set(err, ERR_USAGE, option ? "%s needs --platform or --machine" : "expected --platform or --machine",
                       option) ||
               err_hint(err, "--platform 4x8:2us,10GB/s:0.5us,20GB/s makes a machine up; firma comm measures one");
    return platform_options_check(err) && computation_options_check(times, err);
}

void simulating_options_files(const char *files[SIMULATING_FILES])
{
    files[0] = platform_options_file();
    files[1] = given_file(given.given);
    computation_options_files(files + 2);
}

/* ---- input ---- */

/* The trace, which is read several times. */
typedef struct Traces {
    const char *path;
    Archive *archive;
} Traces;

static bool reopen_trace(void *self, EventSource **completions, Err *err)
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

/* As the signature's phases were found, or as the options say. */
static bool find_parameters(const Traced *traced, SimulationRequest *request, Arena *arena, Err *err)
{
    if (!analysis_options_read(&request->parameters, &request->order, arena, err))
        return false;
    if (traced->signature) {
        request->parameters = traced->signature->parameters;
        request->parameters.compute_floor_given = true;
    }
    return true;
}

/* Opens the trace for a request. */
static bool open_trace(Cli *cli, const Traced *traced, Traces *traces, SimulationRequest *request, Reading *reading,
                       Err *err)
{
    traces->path = request->trace_path = traced->trace;
    request->runs = traced->signature;
    request->runs_path = traced->signature_path;
    request->reopen = reopen_trace;
    request->self = traces;
    if (!find_parameters(traced, request, cli->arena, err) ||
        !reading_open(cli, traces->path, &request->order, reading, err))
        return false;
    request->source = reading->source;
    return true;
}

static void close_trace(Cli *cli, Traces *traces, Reading *reading)
{
    archive_close(traces->archive);
    reading_close(cli, reading);
}

static bool check_speeds(const Platform *platform, Err *err)
{
    return !platform->simgrid_file || !platform_options_give_speeds() ||
           err_set(err, ERR_USAGE, "--speed: a platform of SimGrid says how fast its hosts are");
}

bool simulating_find_platform(Cli *cli, Platform **platform, Err *err)
{
    return simulation_check_engine(err) && platform_options_find(cli, false, platform, err) &&
           check_speeds(*platform, err);
}

static bool find_processors(Cli *cli, const char *trace, const Platform *platform, uint32_t n,
                            const uint32_t **processors, Err *err)
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
           err_set(err, ERR_INPUT, "%s: the trace has %u processes, and the platform %u processors (%s)", trace, n,
                   platform->n_processors, platform->description) ||
           err_hint(err, "--given lets processes share processors: --given 0,0,1,1");
}

bool simulating_check_processes(Cli *cli, const char *name, const Platform *platform, uint32_t n, Err *err)
{
    const uint32_t *processors;
    return find_processors(cli, name, platform, n, &processors, err) &&
           simulation_check_processors(platform, processors, n, err);
}

static bool load_times(Cli *cli, const char *path, const Application *application, const PhaseTimes **times, Err *err)
{
    PhaseTimes *loaded;
    if (!path)
        return true;
    if (!times_load(path, cli->arena, &loaded, err))
        return false;
    *times = loaded;
    return times_check_application(loaded, application, cli->arena, err) || err_prefix(err, "%s", path);
}

/* ---- the simulation ---- */

static void note_approximations(const Cli *cli, const Simulated *simulated)
{
    if (simulated->why_whole)
        cli_note(cli, "everything is simulated, because after leaving out iterations %s", simulated->why_whole);
    if (simulated->has_unreceived)
        cli_note(cli, "the trace holds messages that nobody receives");
}

static bool simulate_trace(Cli *cli, const SimulationRequest *request, Sweep *sweep, Simulated *simulated, Err *err)
{
    Simulation *simulation = NULL;
    bool ok = simulation_run(request, &cli->progress, cli->arena, &simulation, simulated, err);
    if (ok && !options.no_sensitivity) {
        ok = simulation_find_sensitivity(simulation, simulated->application_s, &cli->progress, &simulated->sensitivity,
                                         err);
        simulated->has_sensitivity = true;
        if (ok)
            simulation_widen_interval(simulated);
    }
    ok = ok && sweep_run(simulation, &cli->progress, sweep, err);
    cli_progress_end(cli);
    simulation_free(simulation);
    return ok;
}

/* The library of this name; NULL: that of the trace. */
static CollectiveLibrary library_of(const Trace *trace, const char *name)
{
    const char *traced = trace->application.mpi_library;
    CollectiveLibrary library = 0;
    while (name && strcmp(collectives_names[library], name) != 0)
        library++;
    return name ? library : collective_library(traced ? traced : "");
}

/* What an open trace has to agree with. */
static bool read_inputs(Cli *cli, const Simulating *simulating, SimulationRequest *request, Computation *computation,
                        Err *err)
{
    const Trace *trace = request->source->trace;
    uint32_t n = trace->application.n_processes;
    if (!traced_check(&simulating->traced, trace, cli->arena, err) ||
        !computation_find(trace, simulating->times, cli->arena, computation, err))
        return false;
    request->compute_speed = computation->speed;
    return find_processors(cli, simulating->traced.trace, simulating->platform, n, &request->processors, err) &&
           load_times(cli, simulating->times, &trace->application, &request->times, err);
}

bool simulating_run(Cli *cli, const Simulating *simulating, SimulateView *view, Err *err)
{
    Reading reading;
    Traces traces = {0};
    Computation computation;
    Simulated *simulated = arena_new_array(cli->arena, Simulated, 1);
    SimulationRequest request = {
        .platform = simulating->platform, .whole = options.whole, .wants_schedule = simulating->wants_schedule};
    if (!size_option_parse(&eager, cli->arena, &request.eager_bytes, err) ||
        !open_trace(cli, &simulating->traced, &traces, &request, &reading, err))
        return false;
    request.library = library_of(reading.source->trace, collectives.given);
    bool ok = read_inputs(cli, simulating, &request, &computation, err) &&
              simulate_trace(cli, &request, simulating->sweep, simulated, err);
    close_trace(cli, &traces, &reading);
    if (!ok)
        return false;
    note_approximations(cli, simulated);
    *view = (SimulateView){.simulated = simulated,
                           .platform = simulating->platform,
                           .sweep = simulating->sweep,
                           .computation = computation,
                           .color = cli->color};
    return true;
}

bool simulating_source(Cli *cli, EventSource *source, bool (*reopen)(void *self, EventSource **completions, Err *err),
                       void *self, const char *name, const Platform *platform, Simulated *simulated, Err *err)
{
    Computation computation;
    Simulation *simulation = NULL;
    SimulationRequest request = {.source = source,
                                 .reopen = reopen,
                                 .self = self,
                                 .platform = platform,
                                 .trace_path = name,
                                 .library = library_of(source->trace, collectives.given),
                                 .whole = options.whole};
    if (!size_option_parse(&eager, cli->arena, &request.eager_bytes, err) ||
        !analysis_options_read(&request.parameters, &request.order, cli->arena, err) ||
        !computation_find(source->trace, NULL, cli->arena, &computation, err) ||
        !find_processors(cli, name, platform, source->trace->application.n_processes, &request.processors, err))
        return false;
    request.compute_speed = computation.speed;
    bool ok = simulation_run(&request, &cli->progress, cli->arena, &simulation, simulated, err);
    cli_progress_end(cli);
    simulation_free(simulation);
    return ok;
}

bool simulating_time(Cli *cli, const char *trace, const Platform *platform, const uint32_t *processors,
                     double *application_s, Err *err)
{
    Reading reading;
    const Traced traced = {.trace = trace};
    Traces traces = {0};
    Simulation *simulation = NULL;
    Simulated simulated;
    SimulationRequest request = {.platform = platform, .processors = processors, .compute_speed = 1};
    if (!simulation_check_engine(err) || !open_trace(cli, &traced, &traces, &request, &reading, err))
        return false;
    request.library = library_of(reading.source->trace, NULL);
    bool ok = simulation_run(&request, &cli->progress, cli->arena, &simulation, &simulated, err);
    cli_progress_end(cli);
    simulation_free(simulation);
    close_trace(cli, &traces, &reading);
    if (ok)
        *application_s = simulated.application_s;
    return ok;
}
