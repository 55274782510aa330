/* SPDX-License-Identifier: BSD-3-Clause */
/* A made-up program whose phases have one tick. Its traced run, with given durations of
 * occurrences, becomes a signature. A second run is given as the result of its analysis. */
#pragma once

#include "signature/execute/windows.h"
#include <string.h>

enum { PROCESSES = 2, OCCURRENCES = 1000, PHASES = 3, MILESTONES = 201, STEP = OCCURRENCES / (MILESTONES - 1) };

typedef uint32_t PhaseAt(uint64_t occurrence);
typedef double DurationAt(uint64_t occurrence);

static inline const PhaseEvent *phase_events(Arena *arena, uint32_t id)
{
    PhaseEvent *events = arena_new_array(arena, PhaseEvent, PROCESSES);
    for (uint32_t p = 0; p < PROCESSES; p++)
        events[p] = (PhaseEvent){0, p, comm_type_message(TYPE_SEND, 1 - p), 1000 * id};
    return events;
}

/* The signature of a traced run with occurrences phase_at(0), phase_at(1), … of durations
 * duration_at(…). */
static inline Signature *make_signature(Arena *arena, PhaseAt *phase_at, DurationAt *duration_at)
{
    Signature *s = arena_new_array(arena, Signature, 1);
    Phase *phases = arena_new_array(arena, Phase, PHASES);
    Milestone *milestones = arena_new_array(arena, Milestone, MILESTONES);
    Loop *leaves = arena_new_array(arena, Loop, OCCURRENCES);
    double weight[PHASES] = {0}, time_s[PHASES] = {0}, now_s = 0;
    uint64_t first[PHASES] = {0};
    for (uint64_t o = 0; o <= OCCURRENCES; o++) {
        if (o % STEP == 0) {
            double *weights = arena_new_array(arena, double, PHASES), *times_s = arena_new_array(arena, double, PHASES);
            uint64_t *events = arena_new_array(arena, uint64_t, PROCESSES);
            memcpy(weights, weight, sizeof weight);
            memcpy(times_s, time_s, sizeof time_s);
            for (int p = 0; p < PROCESSES; p++)
                events[p] = o;
            milestones[o / STEP] = (Milestone){o, now_s, events, weights, times_s, times_s};
        }
        if (o == OCCURRENCES)
            break;
        leaves[o] = (Loop){1, phase_at(o), 0, NULL};
        if (!weight[phase_at(o) - 1])
            first[phase_at(o) - 1] = o;
        weight[phase_at(o) - 1]++;
        time_s[phase_at(o) - 1] += duration_at(o);
        now_s += duration_at(o);
    }
    for (uint32_t i = 0; i < PHASES; i++) {
        phases[i] = (Phase){.id = i + 1, .n_ticks = 1, .weight = (uint64_t)weight[i], .share = time_s[i] / now_s};
        phases[i].relevant = phases[i].share >= 0.01;
        phases[i].first_occurrence = first[i];
        phases[i].n_events = PROCESSES;
        phases[i].events = phase_events(arena, i + 1);
        ProcessTime *processes = arena_new_array(arena, ProcessTime, PROCESSES);
        for (int p = 0; p < PROCESSES; p++)
            processes[p] = (ProcessTime){phases[i].weight, time_s[i]};
        phases[i].processes = processes;
        s->coverage += phases[i].relevant ? phases[i].share : 0;
    }
    s->application =
        (Application){.executable = "app", .build_id = "", .mpi_library = "SMPI Version 3", .n_processes = PROCESSES};
    s->application_s = now_s;
    s->startup_s = s->shutdown_s = arena_new_array(arena, double, PROCESSES);
    s->parameters.volume_tolerance = 0.05;
    s->n_occurrences = OCCURRENCES;
    s->n_phases = PHASES;
    s->phases = phases;
    s->sequence = (Loop){1, 0, OCCURRENCES, leaves};
    s->n_milestones = MILESTONES;
    s->milestones = milestones;
    return s;
}

/* Gives phase 1 these strata. All occurrences of a stratum take equally long. */
static inline void set_strata(Signature *s, Stratum *strata, uint32_t n_strata, Arena *arena)
{
    for (uint32_t k = 0; k < n_strata; k++) {
        double *times_s = arena_new_array(arena, double, s->n_milestones);
        for (uint32_t i = 0; i < s->n_milestones; i++) {
            uint64_t before = (uint64_t)s->milestones[i].phase_weight[0];
            times_s[i] =
                strata[k].total_s * (double)strata_count(strata, n_strata, k, before) / (double)strata[k].count;
        }
        strata[k].n_milestones = s->n_milestones;
        strata[k].time_s = times_s;
    }
    Phase *phases = arena_new_array(arena, Phase, s->n_phases);
    memcpy(phases, s->phases, s->n_phases * sizeof *phases);
    phases[0].n_strata = n_strata;
    phases[0].strata = strata;
    s->phases = phases;
}

/* A run of `count` occurrences, with the starts that its analysis would find. Half of the time is computation. */
static inline ExecutedRun make_run(Arena *arena, uint64_t count, PhaseAt *phase_at, DurationAt *duration_at)
{
    OccurrenceStart *starts = arena_new_array(arena, OccurrenceStart, count * PROCESSES);
    ProcessSpan *spans = arena_new_array(arena, ProcessSpan, PROCESSES);
    /* Its communication: each phase is one tick of sends, whose volume is the phase's number. */
    Signature *executed = arena_new_array(arena, Signature, 1);
    Phase *phases = arena_new_array(arena, Phase, PHASES + 1);
    for (uint32_t i = 0; i <= PHASES; i++)
        phases[i] = (Phase){.id = i + 1, .n_events = PROCESSES, .events = phase_events(arena, i + 1)};
    for (uint64_t o = 0; o < count; o++)
        phases[phase_at(o) - 1].weight++;
    executed->n_phases = PHASES + 1;
    executed->phases = phases;
    double now_s = 5;
    for (int p = 0; p < PROCESSES; p++)
        spans[p].begin_ns = 4000000000;
    for (uint64_t o = 0; o < count; o++) {
        for (uint32_t p = 0; p < PROCESSES; p++)
            starts[o * PROCESSES + p] =
                (OccurrenceStart){o, p, phase_at(o), (int64_t)(now_s * 1e9 + 0.5), o, 0, (int64_t)(now_s * 0.5e9)};
        now_s += duration_at(o);
    }
    return (ExecutedRun){starts, count * PROCESSES, NULL, spans, executed};
}
