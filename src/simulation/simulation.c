/* SPDX-License-Identifier: BSD-3-Clause */
/* See simulation.h. Simulates few iterations of each loop first, and then twice as many, until the
 * predicted time doesn't change any more. */
#include "simulation/simulation.h"

#include "base/files.h"
#include "base/owner.h"
#include "signature/noise/drift.h"
#include "simulation/estimate.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { FIRST_ITERATIONS = 8, MOST_ITERATIONS = 1 << 20 };
/* The time is steady when twice as many iterations change it by no more than this. */
static const double STEADY = 0.005;
/* From this share of all occurrences on, the rest is simulated, too. */
static const double NEARLY_ALL = 0.5;

struct Simulation {
    const SimulationRequest *request;
    Arena *arena;
    const char *directory;
    MachineFiles files;
    Signature *signature;
    Cuts cuts;
    Sample sample;
    Work work;
    uint32_t n_simulations;
};

/* SMPI 3.32 ends with a crash if it is to choose as MPICH does. */
static const struct {
    const char *name, *smpi;
} collectives[] = {{"smpi", "default"}, {"openmpi", "ompi"}, {NULL, NULL}};

const char *simulation_collectives_at(size_t index)
{
    return collectives[index].name;
}

static const char *smpi_collectives(const char *name)
{
    size_t i = 0;
    while (collectives[i].name && strcmp(collectives[i].name, name) != 0)
        i++;
    return collectives[i].smpi;
}

/* ---- computation ---- */

/* How many times as long the phase's computation takes as in the trace, by what a signature measured. */
static double measured_factor(const PhaseTimes *times, uint32_t phase)
{
    for (uint32_t i = 0; i < times->n_phases; i++) {
        const MeasuredPhase *measured = &times->phases[i];
        double total_s = 0, count = 0;
        if (measured->id != phase || measured->reference_s <= 0)
            continue;
        for (uint32_t k = 0; k < times->application.n_processes; k++) {
            total_s += measured->processes[k].total_s;
            count += (double)measured->processes[k].count;
        }
        return count > 0 && total_s > 0 ? total_s / count / measured->reference_s : times_pace(times);
    }
    return times_pace(times);
}

static double *phase_factors(const Simulation *simulation, Arena *arena)
{
    const Sample *sample = &simulation->sample;
    double *factors = arena_new_array(arena, double, sample->count + 1);
    for (size_t i = 0; i < sample->count; i++)
        factors[i] =
            measured_factor(simulation->request->times, simulation->cuts.phases.items[sample->items[i].occurrence]);
    return factors;
}

/* The computation before an event belongs to the occurrence of the event before. */
static void scale_computation(Simulation *simulation)
{
    Arena *arena = arena_new();
    bool has_times = simulation->request->times && simulation->sample.count;
    const double *factors = has_times ? phase_factors(simulation, arena) : NULL;
    for (uint32_t i = 0; i < simulation->work.n_processes; i++) {
        RankWork *rank = &simulation->work.ranks[i];
        for (size_t k = 0; k < rank->events.count; k++) {
            double factor = factors ? factors[rank->occurrences.items[k ? k - 1 : 0]] : 1;
            rank->events.items[k].compute_ns =
                (int64_t)((double)rank->events.items[k].compute_ns * factor / simulation->request->compute_speed + 0.5);
        }
    }
    arena_free(arena);
}

/* ---- one simulation ---- */

static bool replay(Simulation *simulation, MachineFactors factors, Replayed *replayed, Err *err)
{
    const JobMachine machine = {.hosts = simulation->files.hosts,
                                .reference = simulation->files.reference,
                                .latency_factor = factors.latency,
                                .bandwidth_factor = factors.bandwidth,
                                .compute_factor = factors.compute};
    simulation->n_simulations++;
    return replayed_run(&simulation->work, &simulation->files, &machine, simulation->directory, replayed, err);
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

static bool read_work(Simulation *simulation, uint64_t iterations, const Progress *progress, Err *err)
{
    EventSource *source;
    work_free(&simulation->work);
    if (simulation->signature->n_occurrences)
        sample_choose(&simulation->signature->sequence, iterations, &simulation->sample);
    if (!simulation->request->reopen(simulation->request->self, &source, err) ||
        !work_read(source, &simulation->cuts, &simulation->sample, progress, &simulation->work, err))
        return false;
    Err misfit = {0};
    if (!job_prepare(&simulation->work, iterations ? &misfit : err)) {
        if (!iterations)
            return false;
        simulation->work.misfit = "messages are received that no kept iteration sends";
    }
    scale_computation(simulation);
    return true;
}

static bool is_nearly_all(const Simulation *simulation)
{
    return (double)simulation->sample.count >= NEARLY_ALL * (double)simulation->signature->n_occurrences;
}

/* Simulates with more and more iterations. *is_whole: all have to be simulated. */
static bool sample_until_steady(Simulation *simulation, const Progress *progress, bool *is_whole,
                                const char **why_whole, Err *err)
{
    double before_s = 0, time_s = 0;
    *is_whole = false;
    for (uint64_t iterations = FIRST_ITERATIONS; iterations < MOST_ITERATIONS; iterations *= 2) {
        if (!read_work(simulation, iterations, progress, err))
            return false;
        *is_whole = is_nearly_all(simulation) || simulation->work.misfit || simulation->work.has_unreceived;
        if (simulation->work.misfit)
            *why_whole = simulation->work.misfit;
        else if (simulation->work.has_unreceived && !is_nearly_all(simulation))
            *why_whole = "messages are sent that no kept iteration receives";
        if (*is_whole)
            return true;
        progress_report(progress, "simulating", simulation->n_simulations, 0);
        if (!simulation_time(simulation, MACHINE_UNCHANGED, &time_s, err))
            return false;
        if (fabs(time_s - before_s) <= STEADY * time_s)
            return true;
        before_s = time_s;
    }
    *is_whole = true;
    return true;
}

static bool choose_work(Simulation *simulation, const Progress *progress, const char **why_whole, Err *err)
{
    bool is_whole = simulation->request->whole || !simulation->signature->n_occurrences;
    if (!is_whole && !sample_until_steady(simulation, progress, &is_whole, why_whole, err))
        return false;
    return !is_whole || read_work(simulation, 0, progress, err);
}

/* ---- the result ---- */

static Signature target_signature(const Signature *signature, const Estimate *estimate, Arena *arena)
{
    Signature target = *signature;
    uint32_t n = signature->application.n_processes;
    Phase *phases = arena_copy_array(arena, signature->phases, signature->n_phases, sizeof *phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        phases[i].processes = estimate->durations + (size_t)i * n;
    target.phases = phases;
    target.application_s = estimate->application_s;
    return target;
}

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
    const KnownOccurrences known = {work->starts.count, work->starts.items, weights, n_events};
    replayed_rewind(replayed);
    return waits_find_known(&replayed->source, &simulated->target, &known, &simulation->request->order,
                            simulation->arena, &simulated->waits, err);
}

/* Computation's share of the mean process's time. */
static double compute_share(const Simulated *simulated)
{
    uint32_t n = simulated->signature->application.n_processes;
    double compute_s = 0, all_s = 0;
    for (uint32_t i = 0; i < n; i++) {
        all_s += simulated->process_s[i];
        compute_s += 1e-9 * (double)simulated->waits.outside[i].compute_ns;
        for (uint32_t k = 0; k < simulated->signature->n_phases; k++)
            compute_s += 1e-9 * (double)simulated->waits.times[(size_t)k * n + i].compute_ns;
    }
    return all_s > 0 ? fmin(1, compute_s / all_s) : 0;
}

/* The choice of occurrences, and how much runs of a program differ in their computation. */
static void find_interval(const Estimate *estimate, const Signature *traced, Simulated *simulated)
{
    double share = simulated->compute_share;
    Deviation chosen = deviation_of(estimate->deviation * estimate->deviation),
              runs = deviation_scaled(drift_of_machine(traced), share * share);
    double width = deviation_half_width(deviation_sum(chosen, runs));
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

static bool predict(Simulation *simulation, Simulated *simulated, Err *err)
{
    Replayed replayed;
    if (!replay(simulation, MACHINE_UNCHANGED, &replayed, err))
        return false;
    Estimate estimate = estimate_of(&replayed, &simulation->sample, simulation->signature, simulation->arena);
    simulated->signature = simulation->signature;
    simulated->target = target_signature(simulation->signature, &estimate, simulation->arena);
    simulated->process_s = estimate.process_s;
    simulated->application_s = estimate.application_s;
    bool ok = find_waits(simulation, &replayed, simulated, err);
    replayed_free(&replayed);
    if (!ok)
        return false;
    simulated->traced_s = simulation->signature->application_s;
    simulated->compute_share = compute_share(simulated);
    simulated->n_sampled = simulation->sample.count;
    simulated->n_occurrences = simulation->signature->n_occurrences;
    simulated->n_events = simulation->work.n_events;
    simulated->has_unreceived = simulation->work.has_unreceived;
    simulated->cost_error = simulation->files.cost_error;
    look_at_routes(simulation->request, simulation->work.n_processes, simulated);
    find_interval(&estimate, simulation->request->runs ? simulation->request->runs : simulation->signature, simulated);
    return true;
}

static bool prepare(Simulation *simulation, const Progress *progress, Err *err)
{
    const SimulationRequest *request = simulation->request;
    simulation->directory = owner_make_temporary(NULL, "firma-simulate", NULL, simulation->arena);
    if (!simulation->directory)
        return err_set(err, ERR_ENVIRONMENT, "can't make a temporary directory: %s", strerror(errno));
    return machine_files_write(request->platform, request->processors, request->source->trace->application.n_processes,
                               smpi_collectives(request->collectives), simulation->directory, simulation->arena,
                               &simulation->files, err) &&
           cuts_find(request->source, &request->parameters, &request->order, progress, simulation->arena,
                     &simulation->signature, &simulation->cuts, err);
}

bool simulation_run(const SimulationRequest *request, const Progress *progress, Arena *arena, Simulation **simulation,
                    Simulated *simulated, Err *err)
{
    Simulation *made = arena_new_array(arena, Simulation, 1);
    made->request = request;
    made->arena = arena;
    *simulated = (Simulated){0};
    if (!prepare(made, progress, err) || !choose_work(made, progress, &simulated->why_whole, err) ||
        !predict(made, simulated, err)) {
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
