/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns what durations.h has added up into a signature's phases, milestones and spans
 * (summary.h). */
#include "signature/phases/summary.h"

#include "signature/phases/milestones.h"
#include "signature/phases/strata.h"

static const double NS_PER_S = 1e9;

static const uint64_t *copy_counts(const uint64_t *counts, size_t n, Arena *arena)
{
    return arena_copy_array(arena, counts, n, sizeof *counts);
}

static Phase make_phase(const FoundPhase *found, const Durations *all, size_t i, double application_s, Arena *arena)
{
    const PhaseDurations *durations = &all->phases.items[i];
    uint32_t n = all->n_processes;
    ProcessTime *processes = arena_new_array(arena, ProcessTime, n);
    for (uint32_t p = 0; p < n; p++)
        processes[p] =
            (ProcessTime){durations->processes[p].count, (double)durations->processes[p].total_ns / NS_PER_S};
    Phase phase = {.id = found->id,
                   .n_ticks = found->n_ticks,
                   .n_events = found->n_events,
                   .events = found->events,
                   .weight = durations->weight,
                   .first_occurrence = durations->first_occurrence,
                   .processes = processes,
                   .slowest_total_s = (double)durations->slowest_ns / NS_PER_S};
    if (durations->weight)
        phase.similarity = durations->similarity_sum / (double)durations->weight;
    if (application_s > 0)
        phase.share = (double)durations->total_ns / NS_PER_S / n / application_s;
    strata_fill(&phase, durations->levels.items, durations->levels.count, (double)durations->total_ns / NS_PER_S / n,
                application_s, arena);
    return phase;
}

static void fill_places(Phase *phase, const PhaseDurations *durations, uint32_t n_processes, Arena *arena)
{
    uint32_t n = phase->relevant || !durations->samples.count ? (uint32_t)durations->samples.count : 1;
    PhasePlace *places = arena_new_array(arena, PhasePlace, n);
    for (uint32_t i = 0; i < n; i++)
        places[i] = (PhasePlace){copy_counts(durations->samples.items[i].startpoint, n_processes, arena),
                                 copy_counts(durations->samples.items[i].endpoint, n_processes, arena)};
    phase->n_places = n;
    phase->places = places;
}

/* By the user's choice, or by share and weight. */
static bool is_relevant(const PhaseParameters *parameters, const Phase *phase)
{
    for (uint32_t i = 0; i < parameters->n_only; i++)
        if (parameters->only[i] == phase->id)
            return phase->weight > 0;
    return !parameters->n_only && phase->weight > 0 && phase->weight >= parameters->least_weight &&
           phase->share >= parameters->relevance;
}

static Phase *fill_phases(const FoundPhase *found, const Durations *all, Signature *signature, Arena *arena)
{
    size_t n = all->phases.count;
    Phase *phases = arena_new_array(arena, Phase, n);
    for (size_t i = 0; i < n; i++) {
        phases[i] = make_phase(&found[i], all, i, signature->application_s, arena);
        phases[i].relevant = is_relevant(&signature->parameters, &phases[i]);
        fill_places(&phases[i], &all->phases.items[i], all->n_processes, arena);
        if (phases[i].relevant)
            signature->coverage += phases[i].share;
    }
    signature->n_phases = (uint32_t)n;
    signature->phases = phases;
    return phases;
}

static void fill_spans(const OrderReport *report, uint32_t n_processes, Signature *signature, Arena *arena)
{
    double *startup_s = arena_new_array(arena, double, n_processes);
    double *shutdown_s = arena_new_array(arena, double, n_processes);
    for (uint32_t p = 0; p < n_processes; p++) {
        const ProcessSpan *span = &report->processes[p];
        double application_s = (double)(span->end_ns - span->begin_ns) / NS_PER_S;
        startup_s[p] = (double)(span->first_ns - span->begin_ns) / NS_PER_S;
        shutdown_s[p] = (double)(span->end_ns - span->last_ns) / NS_PER_S;
        if (signature->application_s < application_s)
            signature->application_s = application_s;
    }
    signature->startup_s = startup_s;
    signature->shutdown_s = shutdown_s;
}

static Milestone make_milestone(const Cut *cut, size_t n_phases, uint32_t n_processes, double startup_s, Arena *arena)
{
    double *weight = arena_new_array(arena, double, n_phases);
    double *time_s = arena_new_array(arena, double, n_phases);
    double *path_s = arena_new_array(arena, double, n_phases);
    for (size_t i = 0; i < cut->n_phases; i++) {
        weight[i] = (double)cut->phase_weight[i];
        time_s[i] = (double)cut->phase_time_ns[i] / NS_PER_S / n_processes;
        path_s[i] = (double)cut->phase_path_ns[i] / NS_PER_S / n_processes;
    }
    return (Milestone){.occurrence = cut->occurrence,
                       .time_s = startup_s + (double)cut->time_ns / NS_PER_S / n_processes,
                       .send_events = copy_counts(cut->send_events, n_processes, arena),
                       .phase_weight = weight,
                       .phase_time_s = time_s,
                       .phase_path_s = path_s};
}

static void fill_milestones(const Durations *all, Signature *signature, Arena *arena)
{
    size_t n, done = 0;
    bool *is_chosen = milestones_choose(all, signature->phases, &n);
    Milestone *milestones = arena_new_array(arena, Milestone, n);
    double startup_s = 0;
    for (uint32_t p = 0; p < all->n_processes; p++)
        startup_s += signature->startup_s[p] / all->n_processes;
    for (size_t i = 0; i < all->cuts.count; i++)
        if (is_chosen[i])
            milestones[done++] =
                make_milestone(&all->cuts.items[i], all->phases.count, all->n_processes, startup_s, arena);
    free(is_chosen);
    signature->n_milestones = (uint32_t)n;
    signature->milestones = milestones;
}

static void fill_strata_times(const Durations *all, Phase phases[], const Signature *signature, Arena *arena)
{
    uint32_t n = signature->n_milestones;
    double *before = memory_zeroed(n, sizeof *before);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const PhaseDurations *durations = &all->phases.items[i];
        if (!phases[i].n_strata)
            continue;
        for (uint32_t k = 0; k < n; k++)
            before[k] = signature->milestones[k].phase_weight[i];
        strata_fill_times(&phases[i], durations->levels.items, durations->levels.count,
                          (double)durations->total_ns / NS_PER_S / all->n_processes, before, n, arena);
    }
    free(before);
}

void summary_fill(const PhaseParameters *parameters, const FoundPhase *found, const Durations *durations,
                  const OrderReport *report, Arena *arena, Signature *signature)
{
    signature->parameters = *parameters;
    signature->application_s = signature->coverage = 0;
    fill_spans(report, durations->n_processes, signature, arena);
    Phase *phases = fill_phases(found, durations, signature, arena);
    fill_milestones(durations, signature, arena);
    fill_strata_times(durations, phases, signature, arena);
    signature->n_send_events = durations->n_events;
    signature->n_occurrences = durations->n_occurrences;
}
