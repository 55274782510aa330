/* SPDX-License-Identifier: BSD-3-Clause */
/* See simulation.h. Simulates few iterations of each loop first, and then twice as many, until their durations are
 * known well enough. On an ideal network, the sample must take as long as the same iterations of the run. */
#include "simulation/simulation.h"

#include "base/files.h"
#include "base/owner.h"
#include "signature/noise/drift.h"
#include "simulation/calibrate.h"
#include "simulation/calls.h"
#include "simulation/computation.h"
#include "simulation/estimate.h"
#include "simulation/scheduling.h"
#include "simulation/surrogate.h"
#include "simulation/target.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { FIRST_ITERATIONS = 40, MOST_ITERATIONS = 1 << 20, FIRST_BLOCK = 8, BLOCKS = 12 };
/* They are known if the half width of the interval isn't larger than the first, and if the later half of the sample
 * tells the same but for the second and for chance. */
static const double KNOWN = 0.01, STEADY = 0.005, CHANCE_DEVIATIONS = 2;
/* A sample that doesn't save at least so much is not worth its error: of the first, and of later ones. */
static const double FIRST_LARGEST_SHARE = 0.2, LARGEST_SHARE = 0.5;

/* How a sample is drawn. */
typedef struct Draw {
    uint64_t iterations, block; /* of sample_choose() */
    bool is_lengthened;         /* beyond the block that is long enough on an ideal network */
} Draw;

struct Simulation {
    const SimulationRequest *request;
    Arena *arena;
    const char *directory;
    MachineFiles files;
    Signature *signature;
    Cuts cuts;
    Sample sample;
    Work work;
    Surrogate surrogate;
    double difference; /* share of the run's time by which the sample differs from it in the trace */
    double context;    /* the same on an ideal network, of the drawn occurrences; surrogate_compare() */
    uint32_t n_simulations;
};

/* ---- one simulation ---- */

static bool replay(Simulation *simulation, MachineFactors factors, Replayed *replayed, Err *err)
{
    const JobMachine machine = {.hosts = simulation->files.hosts,
                                .library = simulation->request->library,
                                .reference = simulation->files.reference,
                                .latency_factor = factors.latency,
                                .bandwidth_factor = factors.bandwidth,
                                .compute_factor = factors.compute};
    simulation->n_simulations++;
    return replayed_run(&simulation->work, &simulation->files, &machine, simulation->directory, replayed, err) ||
           (err->kind == ERR_INPUT && err_prefix(err, "%s", simulation->request->trace_path));
}

bool simulation_time(Simulation *simulation, MachineFactors factors, double *application_s, Err *err)
{
    Replayed replayed;
    if (!replay(simulation, factors, &replayed, err))
        return false;
    *application_s = estimate_time(&replayed, &simulation->sample);
    replayed_free(&replayed);
    return true;
}

/* ---- as much as it takes ---- */

static void scale_work(Simulation *simulation)
{
    const SimulationRequest *request = simulation->request;
    Arena *arena = arena_new();
    const double *factors = computation_factors(request->times, request->compute_speed, &simulation->cuts,
                                                &simulation->sample, &simulation->work, arena);
    computation_scale(&simulation->work, factors);
    calls_cost(&simulation->work, simulation->files.eager_bytes, factors, request->platform, request->processors);
    arena_free(arena);
}

static bool is_large(const Simulation *simulation)
{
    double largest = simulation->n_simulations ? LARGEST_SHARE : FIRST_LARGEST_SHARE;
    return (double)simulation->sample.count >= largest * (double)simulation->signature->n_occurrences;
}

static bool run_surrogate(Simulation *simulation, const Progress *progress, Err *err)
{
    const SimulationRequest *request = simulation->request;
    const uint32_t n = simulation->cuts.n_processes;
    double *factors = arena_new_array(simulation->arena, double, n);
    EventSource *source;
    for (uint32_t i = 0; i < n; i++)
        factors[i] = 1 / request->platform->processors[request->processors[i]].speed;
    simulation->surrogate = (Surrogate){.cuts = &simulation->cuts, .factors = factors};
    return request->reopen(request->self, &source, err) &&
           surrogate_run(&simulation->surrogate, source, progress, simulation->arena, err);
}

static const Draw EVERYTHING = {0, 1, false};

static bool read_work(Simulation *simulation, const Draw *draw, const Progress *progress, Err *err)
{
    const bool is_sample = draw->iterations > 0;
    EventSource *source;
    work_free(&simulation->work);
    if (simulation->signature->n_occurrences)
        sample_choose(&simulation->signature->sequence, draw->iterations, draw->block, &simulation->sample);
    if (is_sample && is_large(simulation))
        return true;
    if (is_sample && !simulation->surrogate.durations_s && !run_surrogate(simulation, progress, err))
        return false;
    if (!simulation->request->reopen(simulation->request->self, &source, err) ||
        !work_read(source, &simulation->cuts, &simulation->sample, progress, &simulation->work, err))
        return false;
    simulation->context =
        is_sample ? surrogate_compare(&simulation->surrogate, &simulation->work, &simulation->sample) : 0;
    Err misfit = {0};
    if (!job_prepare(&simulation->work, is_sample ? &misfit : err)) {
        if (!is_sample)
            return err_prefix(err, "%s", simulation->request->trace_path);
        simulation->work.misfit = "messages are received that no kept iteration sends";
    }
    if (is_sample)
        simulation->difference = calibrate(&simulation->work, &simulation->cuts, &simulation->sample);
    scale_work(simulation);
    return true;
}

static bool is_known(const Estimate *estimate)
{
    return deviation_half_width(estimate->deviation) <= KNOWN &&
           fabs(estimate->drift) <= STEADY + CHANCE_DEVIATIONS * sqrt(estimate->deviation.variance);
}

/* The work, and what came of it on the machine. */
static bool simulate_work(Simulation *simulation, const Progress *progress, Replayed *replayed, Estimate *estimate,
                          Err *err)
{
    progress_report(progress, "simulating", simulation->n_simulations, 0);
    if (!replay(simulation, MACHINE_UNCHANGED, replayed, err))
        return false;
    *estimate = estimate_of(replayed, &simulation->sample, simulation->signature, simulation->arena);
    return true;
}

static bool simulate_whole(Simulation *simulation, const Progress *progress, Replayed *replayed, Estimate *estimate,
                           Err *err)
{
    return read_work(simulation, &EVERYTHING, progress, err) &&
           simulate_work(simulation, progress, replayed, estimate, err);
}

/* Why the sample doesn't do; NULL: nothing is wrong with it. */
static const char *find_misfit(const Simulation *simulation)
{
    if (is_large(simulation))
        return simulation->context > STEADY ? "the others last longer or shorter than in the run" : NULL;
    if (simulation->work.misfit)
        return simulation->work.misfit;
    return simulation->work.has_unreceived ? "messages are sent that no kept iteration receives" : NULL;
}

/* Lengthens the blocks until processes get as far apart in them as they were in the run; and then once more, because
 * messages take time. True: they must become longer. */
static bool lengthen_blocks(const Simulation *simulation, Draw *draw)
{
    const bool is_apart = simulation->context <= STEADY;
    if (is_apart && (draw->block == 1 || draw->is_lengthened))
        return false;
    draw->is_lengthened = is_apart;
    draw->block = draw->block > 1 ? 2 * draw->block : FIRST_BLOCK;
    if (draw->iterations < BLOCKS * draw->block)
        draw->iterations = BLOCKS * draw->block;
    return true;
}

/* Simulates more and more iterations. */
static bool simulate_enough(Simulation *simulation, const Progress *progress, Replayed *replayed, Estimate *estimate,
                            const char **why_whole, Err *err)
{
    bool is_whole = simulation->request->whole || !simulation->signature->n_occurrences;
    for (Draw draw = {FIRST_ITERATIONS, 1, false}; !is_whole;) {
        if (!read_work(simulation, &draw, progress, err))
            return false;
        *why_whole = find_misfit(simulation);
        is_whole = *why_whole || is_large(simulation) || draw.iterations >= MOST_ITERATIONS;
        if (is_whole || lengthen_blocks(simulation, &draw))
            continue;
        draw.iterations *= 2;
        if (simulation->difference > KNOWN)
            continue;
        if (!simulate_work(simulation, progress, replayed, estimate, err))
            return false;
        if (is_known(estimate)) {
            estimate->deviation = deviation_sum(estimate->deviation, deviation_of(pow(simulation->context, 2)));
            return true;
        }
        replayed_free(replayed);
    }
    return simulate_whole(simulation, progress, replayed, estimate, err);
}

/* ---- the result ---- */

static bool find_waits(Simulation *simulation, Replayed *replayed, Simulated *simulated, Err *err)
{
    const Work *work = &simulation->work;
    double *weights = arena_new_array(simulation->arena, double, simulation->sample.count + 1);
    uint64_t *n_events = arena_new_array(simulation->arena, uint64_t, work->n_processes);
    for (size_t i = 0; i < simulation->sample.count; i++)
        weights[i] = simulation->sample.items[i].weight;
    for (uint32_t i = 0; i < work->n_processes; i++)
        for (size_t k = 0; k < work->ranks[i].events.count; k++)
            n_events[i] += event_is_send_like(&work->ranks[i].events.items[k]);
    KnownOccurrences known = {work->starts.count, work->starts.items, weights, n_events, NULL, NULL};
    Scheduling scheduling;
    if (simulation->request->wants_schedule) {
        scheduling_begin(replayed, &simulation->sample, &simulation->cuts, &scheduling);
        known.waited = scheduling_add_wait;
        known.self = &scheduling;
    }
    replayed_rewind(replayed);
    bool ok = waits_find_known(&replayed->source, &simulated->target, &known, &simulation->request->order,
                               simulation->arena, &simulated->waits, err);
    if (simulation->request->wants_schedule)
        simulated->schedule = scheduling_end(&scheduling, simulation->arena);
    return ok;
}

static double waited_s(const PhaseTime *time)
{
    double sum_s = 0;
    for (int i = 0; i < N_WAITS; i++)
        sum_s += 1e-9 * (double)time->waits_ns[i];
    return sum_s;
}

/* The shares of computation and of waiting in the mean process's time. */
static void find_shares(Simulated *simulated)
{
    const Waits *waits = &simulated->waits;
    uint32_t n = simulated->signature->application.n_processes;
    double compute_s = 0, waiting_s = 0, all_s = 0;
    for (uint32_t i = 0; i < n; i++) {
        all_s += simulated->process_s[i];
        compute_s += 1e-9 * (double)waits->outside[i].compute_ns;
        waiting_s += waited_s(&waits->outside[i]);
        for (uint32_t k = 0; k < simulated->signature->n_phases; k++) {
            compute_s += 1e-9 * (double)waits->times[(size_t)k * n + i].compute_ns;
            waiting_s += waited_s(&waits->times[(size_t)k * n + i]);
        }
    }
    simulated->compute_share = all_s > 0 ? fmin(1, compute_s / all_s) : 0;
    simulated->waiting_share = all_s > 0 ? fmin(1 - simulated->compute_share, waiting_s / all_s) : 0;
}

/* By how much the time of messages on real networks differs from their simulated time: root mean square of the relative
 * errors of bench/simulate_links.py (known programs). */
static const double MESSAGES_DEVIATION = 0.09;

/* By how much computation differs where each process has a processor from where several shared one, and its caches:
 * root mean square of the relative errors of bench/simulate_fewer.py. */
static const double SHARED_DEVIATION = 0.15;

/* Whether processes shared processors where their computation was measured. */
static bool has_shared(const PhaseTimes *times, const Signature *traced)
{
    const double more = 1.05;
    return (times ? times->ranks_per_processor : traced->ranks_per_processor) > more;
}

/* The choice of occurrences, how much runs of a program differ in their computation, and what the simulation makes of
 * messages. */
static void find_interval(const Estimate *estimate, const Signature *traced, const PhaseTimes *times,
                          Simulated *simulated)
{
    double share = simulated->compute_share, shared = has_shared(times, traced) ? SHARED_DEVIATION * share : 0;
    Deviation runs = deviation_scaled(drift_of_machine(traced), share * share),
              messages =
                  deviation_scaled(deviation_of(MESSAGES_DEVIATION * MESSAGES_DEVIATION), (1 - share) * (1 - share));
    Deviation computation = deviation_sum(runs, deviation_of(shared * shared));
    double width = deviation_half_width(deviation_sum(deviation_sum(estimate->deviation, computation), messages));
    simulated->low_s = simulated->application_s * exp(-width);
    simulated->high_s = simulated->application_s * exp(width);
}

static double half_width(const Estimated *estimated)
{
    return estimated->value > 0 ? (estimated->high - estimated->low) / 2 / estimated->value : 0;
}

/* The longest latency of a route that messages may take, and how well the machine model knows costs. */
static void look_at_routes(const SimulationRequest *request, uint32_t n, Simulated *simulated)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            const Route *route = platform_route(request->platform, request->processors[i], request->processors[k]);
            if (!route || !route->path->n_segments)
                continue;
            const CostSegment *first = &route->path->segments[0], *last = first + route->path->n_segments - 1;
            simulated->latency_s = fmax(simulated->latency_s, first->latency_s.value);
            simulated->latency_width = fmax(simulated->latency_width, half_width(&first->latency_s));
            simulated->rate_width = fmax(simulated->rate_width, half_width(&last->s_per_byte));
        }
}

void simulation_widen_interval(Simulated *simulated)
{
    double width = simulated->application_s > 0 ? log(simulated->high_s / simulated->application_s) : 0,
           latency = simulated->sensitivity.latency * simulated->latency_width,
           rate = simulated->sensitivity.bandwidth * simulated->rate_width;
    width = sqrt(width * width + latency * latency + rate * rate);
    simulated->low_s = simulated->application_s * exp(-width);
    simulated->high_s = simulated->application_s * exp(width);
}

static bool predict(Simulation *simulation, const Progress *progress, Simulated *simulated, Err *err)
{
    Replayed replayed;
    Estimate estimate;
    if (!simulate_enough(simulation, progress, &replayed, &estimate, &simulated->why_whole, err))
        return false;
    simulated->signature = simulation->signature;
    simulated->target = target_signature(simulation->signature, &estimate, simulation->arena);
    simulated->process_s = estimate.process_s;
    simulated->application_s = estimate.application_s;
    bool ok = find_waits(simulation, &replayed, simulated, err);
    replayed_free(&replayed);
    if (!ok)
        return false;
    simulated->traced_s = simulation->signature->application_s;
    simulated->waits.is_simulated = true;
    find_shares(simulated);
    simulated->n_sampled = simulation->sample.count;
    simulated->n_occurrences = simulation->signature->n_occurrences;
    simulated->n_events = simulation->work.n_events;
    simulated->has_unreceived = simulation->work.has_unreceived;
    simulated->eager_bytes = simulation->files.eager_bytes;
    simulated->eager_source = simulation->files.eager_source;
    look_at_routes(simulation->request, simulation->work.n_processes, simulated);
    find_interval(&estimate, simulation->request->runs ? simulation->request->runs : simulation->signature,
                  simulation->request->times, simulated);
    return true;
}

/* Another run of the program has another time. A file of a signature has 12 digits of it. */
static bool check_runs(const Simulation *simulation, Err *err)
{
    const SimulationRequest *request = simulation->request;
    const Signature *runs = request->runs, *found = simulation->signature;
    return !runs ||
           (runs->n_send_events == found->n_send_events &&
            fabs(runs->application_s - found->application_s) <= 1e-11 * found->application_s) ||
           err_set(err, ERR_INPUT, "%s: wasn't made from the trace %s, which holds another run of the program",
                   request->runs_path, request->trace_path);
}

static bool prepare(Simulation *simulation, const Progress *progress, Err *err)
{
    const SimulationRequest *request = simulation->request;
    simulation->directory = owner_make_temporary(NULL, "firma-simulate", NULL, simulation->arena);
    if (!simulation->directory)
        return err_set(err, ERR_ENVIRONMENT, "can't make a temporary directory (TMPDIR): %s", strerror(errno));
    return machine_files_write(request->platform, request->processors, request->source->trace->application.n_processes,
                               request->eager_bytes, simulation->directory, simulation->arena, &simulation->files,
                               err) &&
           cuts_find(request->source, &request->parameters, &request->order, progress, simulation->arena,
                     &simulation->signature, &simulation->cuts, err) &&
           signature_check_chosen(simulation->signature, request->trace_path, err) && check_runs(simulation, err);
}

bool simulation_run(const SimulationRequest *request, const Progress *progress, Arena *arena, Simulation **simulation,
                    Simulated *simulated, Err *err)
{
    Simulation *made = arena_new_array(arena, Simulation, 1);
    made->request = request;
    made->arena = arena;
    *simulated = (Simulated){0};
    if (!prepare(made, progress, err) || !predict(made, progress, simulated, err)) {
        simulation_free(made);
        return false;
    }
    simulated->n_simulations = made->n_simulations;
    *simulation = made;
    return true;
}

void simulation_free(Simulation *simulation)
{
    if (!simulation)
        return;
    if (simulation->directory)
        files_remove_tree(simulation->directory);
    cuts_drop(&simulation->cuts);
    vec_free(&simulation->sample);
    work_free(&simulation->work);
}
