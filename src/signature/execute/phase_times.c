/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the durations of an executed stretch, by phase and by stratum. The stratum of an
 * occurrence follows from its ordinal. The ordinal is the same in every run whose order is the
 * signature's. */
#include "signature/execute/windows.h"

#include <math.h>

/* The sums of a stratum, or of a phase without strata. */
typedef struct Sums {
    uint64_t occurrences;
    double slowest_s, mean_s, squares, compute_s;
    ProcessTime *processes;
} Sums;

typedef struct PhaseSums {
    uint64_t before, within; /* number of occurrences before the stretch, and in it */
    Sums strata[STRATA_LIMIT];
} PhaseSums;

/* An occurrence in one process: how long it lasted, and computed. */
typedef struct Stay {
    double duration_s; /* negative: its end isn't known */
    double compute_s;
} Stay;

/* Of each start. */
static Stay *find_stays(const ExecutedRun *run, uint32_t n_processes)
{
    Stay *stays = memory_zeroed(run->n_starts, sizeof *stays);
    const OccurrenceStart **next = memory_zeroed(n_processes, sizeof(OccurrenceStart *));
    for (size_t i = run->n_starts; i-- > 0;) {
        const OccurrenceStart *start = &run->starts[i], *end = next[start->process];
        stays[i] = end ? (Stay){(double)(end->enter_ns - start->enter_ns) * 1e-9,
                                (double)(end->computed_ns - start->computed_ns) * 1e-9}
                       : (Stay){.duration_s = -1};
        next[start->process] = start;
    }
    free(next);
    return stays;
}

/* Adds one occurrence, given by the starts of its processes. */
static void add_occurrence(Sums *sums, const OccurrenceStart *starts, const Stay *stays, size_t count,
                           uint32_t n_processes, Arena *arena)
{
    double slowest_s = 0, total_s = 0;
    uint32_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (stays[i].duration_s < 0)
            continue;
        if (!sums->processes)
            sums->processes = arena_new_array(arena, ProcessTime, n_processes);
        sums->processes[starts[i].process].count++;
        sums->processes[starts[i].process].total_s += stays[i].duration_s;
        sums->compute_s += stays[i].compute_s;
        slowest_s = fmax(slowest_s, stays[i].duration_s);
        total_s += stays[i].duration_s;
        n++;
    }
    if (!n)
        return;
    double mean_s = total_s / n;
    sums->occurrences++;
    sums->slowest_s += slowest_s;
    sums->mean_s += mean_s;
    sums->squares += mean_s * mean_s;
}

static void sum_phases(const Signature *signature, const ExecutedRun *run, uint64_t from, uint64_t to, PhaseSums *sums,
                       Arena *arena)
{
    uint32_t n_processes = signature->application.n_processes;
    Stay *stays = find_stays(run, n_processes);
    for (uint32_t i = 0; run->n_dropped && i < signature->n_phases; i++)
        sums[i].before = run->n_dropped[i];
    for (size_t i = 0, count; i < run->n_starts && run->starts[i].occurrence < to; i += count) {
        const OccurrenceStart *start = &run->starts[i];
        for (count = 1; i + count < run->n_starts && run->starts[i + count].occurrence == start->occurrence;)
            count++;
        uint32_t at = signature_find_phase(signature, start->phase);
        if (at == signature->n_phases)
            continue;
        if (start->occurrence < from) {
            sums[at].before++;
            continue;
        }
        const Phase *phase = &signature->phases[at];
        uint32_t stratum = strata_find(phase->strata, phase->n_strata, sums[at].before + sums[at].within++);
        add_occurrence(&sums[at].strata[stratum], start, stays + i, count, n_processes, arena);
    }
    free(stays);
}

/* Standard deviation over occurrences of the mean over processes. */
static double deviation_s(const Sums *sums)
{
    double count = (double)sums->occurrences, mean_s = sums->mean_s / count;
    return count > 1 ? sqrt(fmax(0, (sums->squares - count * mean_s * mean_s) / (count - 1))) : 0;
}

/* Adds up all strata of a phase. */
static Sums add_up(const PhaseSums *phase, uint32_t n_processes, Arena *arena)
{
    Sums all = {.processes = arena_new_array(arena, ProcessTime, n_processes)};
    for (uint32_t i = 0; i < STRATA_LIMIT; i++) {
        const Sums *part = &phase->strata[i];
        all.occurrences += part->occurrences;
        all.slowest_s += part->slowest_s;
        all.mean_s += part->mean_s;
        all.squares += part->squares;
        all.compute_s += part->compute_s;
        for (uint32_t p = 0; part->processes && p < n_processes; p++) {
            all.processes[p].count += part->processes[p].count;
            all.processes[p].total_s += part->processes[p].total_s;
        }
    }
    return all;
}

static const MeasuredStratum *make_strata(const PhaseSums *phase, uint32_t n_strata, uint32_t n_processes, Arena *arena)
{
    MeasuredStratum *strata = arena_new_array(arena, MeasuredStratum, n_strata);
    for (uint32_t i = 0; i < n_strata; i++) {
        const Sums *sums = &phase->strata[i];
        strata[i] = (MeasuredStratum){
            .occurrences = sums->occurrences,
            .slowest_mean_s = sums->occurrences ? sums->slowest_s / (double)sums->occurrences : 0,
            .sd_s = deviation_s(sums),
            .processes = sums->processes ? sums->processes : arena_new_array(arena, ProcessTime, n_processes)};
    }
    return strata;
}

void phase_times_fill(const Signature *signature, const ExecutedRun *run, uint64_t from, uint64_t to, Arena *arena,
                      PhaseTimes *times)
{
    uint32_t n = signature->application.n_processes;
    PhaseSums *sums = memory_zeroed(signature->n_phases, sizeof *sums);
    sum_phases(signature, run, from, to, sums, arena);
    MeasuredPhase *phases = arena_new_array(arena, MeasuredPhase, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        Sums all = add_up(&sums[i], n, arena);
        if (!all.occurrences)
            continue;
        double count = (double)all.occurrences;
        double traced_before = signature_phase_weight(signature, i, (double)from),
               traced_within = signature_phase_weight(signature, i, (double)to) - traced_before;
        double traced_s =
            signature_phase_time_s(signature, i, (double)to) - signature_phase_time_s(signature, i, (double)from);
        MeasuredPhase *phase = &phases[times->n_phases++];
        *phase = (MeasuredPhase){.id = signature->phases[i].id,
                                 .occurrences = all.occurrences,
                                 .processes = all.processes,
                                 .slowest_mean_s = all.slowest_s / count,
                                 .sd_s = deviation_s(&all),
                                 .reference_s = traced_within > 0 ? traced_s / traced_within : 0,
                                 .compute_s = all.compute_s / count};
        /* Ordinals are comparable only if the phase occurred as often as in the traced run. */
        if (signature->phases[i].n_strata && (double)sums[i].before == traced_before &&
            (double)sums[i].within == traced_within) {
            phase->n_strata = signature->phases[i].n_strata;
            phase->strata = make_strata(&sums[i], phase->n_strata, n, arena);
        }
    }
    times->phases = phases;
    free(sums);
}
