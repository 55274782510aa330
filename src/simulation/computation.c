/* SPDX-License-Identifier: BSD-3-Clause */
/* See computation.h. A signature tells how long its phases computed on processors in the measured
 * occurrences, and the trace how long the same occurrences did. How long phases lasted doesn't matter: it
 * contains messages, and other processes on the same processor. */
#include "simulation/computation.h"

#include "base/map.h"

/* Of the occurrences that were measured, in seconds. */
typedef struct Computed {
    double measured_s, traced_s; /* of a phase: means of an occurrence */
    uint64_t n_traced;
} Computed;

typedef struct Paces {
    const PhaseTimes *times;
    Map numbers; /* of phase ids: index into phases, which is that of the measured phase */
    VEC(Computed) phases;
    Computed all; /* all windows together; sums over processes */
} Paces;

static void add_traced(Paces *paces, const Cuts *cuts, const Work *work)
{
    for (uint32_t i = 0; work->traced && i < paces->times->n_windows; i++) {
        const Window *window = &paces->times->windows[i];
        for (uint64_t k = window->from_occurrence; k < window->to_occurrence && k < cuts->n_occurrences; k++) {
            const uint64_t *at = map_get(&paces->numbers, (MapKey){cuts->phases.items[k], 0});
            double compute_s = 1e-9 * work->traced[k].compute_ns;
            paces->all.traced_s += compute_s;
            if (at)
                paces->phases.items[*at].traced_s += compute_s, paces->phases.items[*at].n_traced++;
        }
        paces->all.measured_s += window->compute_s * work->n_processes;
    }
    for (size_t i = 0; i < paces->phases.count; i++)
        if (paces->phases.items[i].n_traced)
            paces->phases.items[i].traced_s /= (double)paces->phases.items[i].n_traced;
}

static void find_paces(const PhaseTimes *times, const Cuts *cuts, const Work *work, Paces *paces)
{
    *paces = (Paces){.times = times};
    for (uint32_t i = 0; i < times->n_phases; i++) {
        map_number(&paces->numbers, (MapKey){times->phases[i].id, 0}, i);
        *vec_push(&paces->phases) = (Computed){.measured_s = times->phases[i].compute_s};
    }
    add_traced(paces, cuts, work);
}

static bool is_known(const Computed *computed)
{
    return computed->measured_s > 0 && computed->traced_s > 0;
}

/* How many times as long the phase computes as in the trace. */
static double pace_of(const Paces *paces, uint32_t phase)
{
    const uint64_t *at = map_get(&paces->numbers, (MapKey){phase, 0});
    const Computed *computed = at && is_known(&paces->phases.items[*at]) ? &paces->phases.items[*at] : &paces->all;
    return is_known(computed) ? computed->measured_s / computed->traced_s : times_pace(paces->times);
}

double *computation_factors(const PhaseTimes *times, double compute_speed, const Cuts *cuts, const Sample *sample,
                            const Work *work, Arena *arena)
{
    Paces paces = {0};
    double *factors = arena_new_array(arena, double, sample->count + 1);
    if (times)
        find_paces(times, cuts, work, &paces);
    for (size_t i = 0; i <= sample->count; i++) {
        uint32_t phase = i < sample->count ? cuts->phases.items[sample->items[i].occurrence] : 0;
        factors[i] = (times ? pace_of(&paces, phase) : 1) / compute_speed;
    }
    vec_free(&paces.phases);
    map_free(&paces.numbers);
    return factors;
}

/* The computation before an event belongs to the occurrence of the event before. */
void computation_scale(Work *work, const double *factors)
{
    double traced_ns = 0, scaled_ns = 0;
    for (uint32_t i = 0; i < work->n_processes; i++) {
        RankWork *rank = &work->ranks[i];
        for (size_t k = 0; k < rank->events.count; k++) {
            double factor = factors[rank->occurrences.items[k ? k - 1 : 0]];
            traced_ns += (double)rank->events.items[k].compute_ns;
            rank->events.items[k].compute_ns = (int64_t)((double)rank->events.items[k].compute_ns * factor + 0.5);
            scaled_ns += (double)rank->events.items[k].compute_ns;
        }
    }
    work->pace = traced_ns > 0 ? scaled_ns / traced_ns : 1;
}
