/* SPDX-License-Identifier: BSD-3-Clause */
/* See target.h. Of each phase all times change by one factor:
 *
 *     simulated total / traced total      both means over processes
 *
 * Milestones are startup plus the phases before them, as in a traced run. */
#include "simulation/target.h"

static double mean_total_s(const ProcessTime *times, uint32_t n)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < n; i++)
        sum_s += times[i].total_s / n;
    return sum_s;
}

static double *scaled(const double *values, uint32_t n, double factor, Arena *arena)
{
    double *copy = arena_copy_array(arena, values, n, sizeof *values);
    for (uint32_t i = 0; i < n; i++)
        copy[i] *= factor;
    return copy;
}

static const Stratum *scale_strata(const Phase *phase, double factor, Arena *arena)
{
    Stratum *strata = arena_copy_array(arena, phase->strata, phase->n_strata, sizeof *strata);
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        strata[i].total_s *= factor;
        strata[i].path_s *= factor;
        strata[i].time_s = scaled(strata[i].time_s, strata[i].n_milestones, factor, arena);
    }
    return strata;
}

/* Returns the factor of its times. */
static double scale_phase(Phase *phase, const ProcessTime *durations, uint32_t n, double application_s, Arena *arena)
{
    double traced_s = mean_total_s(phase->processes, n), simulated_s = mean_total_s(durations, n),
           factor = traced_s > 0 ? simulated_s / traced_s : 0;
    phase->processes = durations;
    phase->slowest_total_s *= factor;
    phase->share = application_s > 0 ? simulated_s / application_s : 0;
    phase->strata = scale_strata(phase, factor, arena);
    return factor;
}

static const Milestone *scale_milestones(const Signature *signature, const double *factors, double startup_s,
                                         Arena *arena)
{
    Milestone *milestones = arena_copy_array(arena, signature->milestones, signature->n_milestones, sizeof *milestones);
    for (uint32_t i = 0; i < signature->n_milestones; i++) {
        Milestone *at = &milestones[i];
        double *times_s = scaled(at->phase_time_s, signature->n_phases, 1, arena),
               *paths_s = scaled(at->phase_path_s, signature->n_phases, 1, arena);
        at->time_s = startup_s;
        for (uint32_t k = 0; k < signature->n_phases; k++) {
            times_s[k] *= factors[k];
            paths_s[k] *= factors[k];
            at->time_s += times_s[k];
        }
        at->phase_time_s = times_s;
        at->phase_path_s = paths_s;
    }
    return milestones;
}

Signature target_signature(const Signature *signature, const Estimate *estimate, Arena *arena)
{
    Signature target = *signature;
    uint32_t n = signature->application.n_processes;
    Phase *phases = arena_copy_array(arena, signature->phases, signature->n_phases, sizeof *phases);
    double *factors = arena_new_array(arena, double, signature->n_phases), startup_s = 0;
    target.coverage = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        factors[i] = scale_phase(&phases[i], estimate->durations + (size_t)i * n, n, estimate->application_s, arena);
        target.coverage += phases[i].relevant ? phases[i].share : 0;
    }
    for (uint32_t i = 0; i < n; i++)
        startup_s += estimate->startup_s[i] / n;
    target.phases = phases;
    target.application_s = estimate->application_s;
    target.startup_s = estimate->startup_s;
    target.shutdown_s = estimate->shutdown_s;
    target.milestones = scale_milestones(signature, factors, startup_s, arena);
    target.host = "";
    target.n_places = target.n_recorded = target.n_repeats = 0;
    target.ranks_per_processor = target.recording_cost_s = target.slowdown = 0;
    return target;
}
