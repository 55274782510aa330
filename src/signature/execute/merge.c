/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the times of several measurements into one: of restored states (states_merge() in spread.h),
 * or of a prefix that was run several times (prefixes_merge() in measure.h). */
#include "signature/execute/measure.h"
#include "signature/execute/spread.h"

#include "signature/execute/cuts.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static void add_processes(ProcessTime *sums, const ProcessTime *processes, uint32_t n)
{
    for (uint32_t p = 0; p < n; p++) {
        sums[p].count += processes[p].count;
        sums[p].total_s += processes[p].total_s;
    }
}

static const MeasuredPhase *find(const PhaseTimes *part, uint32_t id)
{
    for (uint32_t i = 0; i < part->n_phases; i++)
        if (part->phases[i].id == id)
            return &part->phases[i];
    return NULL;
}

static double mean_duration_s(const ProcessTime *processes, uint32_t n_processes)
{
    double total_s = 0, count = 0;
    for (uint32_t p = 0; p < n_processes; p++) {
        total_s += processes[p].total_s;
        count += (double)processes[p].count;
    }
    return count > 0 ? total_s / count : 0;
}

/* Standard deviation over all occurrences of a stratum: within the parts, and between their means. */
static double deviation_s(const PhaseTimes *const *parts, uint32_t n_parts, uint32_t id, uint32_t stratum,
                          uint32_t n_processes)
{
    double n = 0, sum_s = 0, squares = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        const MeasuredPhase *phase = find(parts[i], id);
        const MeasuredStratum *part = phase ? &phase->strata[stratum] : NULL;
        if (!part || !part->occurrences)
            continue;
        double count = (double)part->occurrences, mean_s = mean_duration_s(part->processes, n_processes);
        n += count;
        sum_s += count * mean_s;
        squares += (count - 1) * part->sd_s * part->sd_s + count * mean_s * mean_s;
    }
    return n > 1 ? sqrt(fmax(0, (squares - sum_s * sum_s / n) / (n - 1))) : 0;
}

/* Number of strata of the merged phase: 0 unless all parts distinguish the same strata. */
static uint32_t common_strata(const PhaseTimes *const *parts, uint32_t n_parts, uint32_t id)
{
    uint32_t common = UINT32_MAX;
    for (uint32_t i = 0; i < n_parts; i++) {
        const MeasuredPhase *phase = find(parts[i], id);
        if (phase && common != UINT32_MAX && phase->n_strata != common)
            return 0;
        if (phase)
            common = phase->n_strata;
    }
    return common == UINT32_MAX ? 0 : common;
}

static const MeasuredStratum *merge_strata(const PhaseTimes *const *parts, uint32_t n_parts,
                                           const MeasuredPhase *merged, uint32_t n_processes, Arena *arena)
{
    MeasuredStratum *strata = arena_new_array(arena, MeasuredStratum, merged->n_strata);
    for (uint32_t k = 0; k < merged->n_strata; k++) {
        ProcessTime *processes = arena_new_array(arena, ProcessTime, n_processes);
        strata[k].processes = processes;
        for (uint32_t i = 0; i < n_parts; i++) {
            const MeasuredPhase *phase = find(parts[i], merged->id);
            if (!phase)
                continue;
            const MeasuredStratum *part = &phase->strata[k];
            strata[k].occurrences += part->occurrences;
            strata[k].slowest_mean_s += part->slowest_mean_s * (double)part->occurrences;
            add_processes(processes, part->processes, n_processes);
        }
        strata[k].slowest_mean_s /= fmax(1, (double)strata[k].occurrences);
        strata[k].sd_s = deviation_s(parts, n_parts, merged->id, k, n_processes);
    }
    return strata;
}

/* Standard deviation of the parts' mean durations; if only one part has the phase, that within the
 * part. */
static double spread_s(const PhaseTimes *const *parts, uint32_t n_parts, uint32_t id, uint32_t n_processes)
{
    double sum = 0, squares = 0, n = 0, within_s = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        const MeasuredPhase *phase = find(parts[i], id);
        if (!phase)
            continue;
        double mean_s = mean_duration_s(phase->processes, n_processes);
        within_s = phase->sd_s;
        sum += mean_s;
        squares += mean_s * mean_s;
        n++;
    }
    return n > 1 ? sqrt(fmax(0, (squares - sum * sum / n) / (n - 1))) : within_s;
}

static MeasuredPhase merge_phase(const PhaseTimes *const *parts, uint32_t n_parts, uint32_t id, uint32_t n_processes,
                                 Arena *arena)
{
    ProcessTime *processes = arena_new_array(arena, ProcessTime, n_processes);
    MeasuredPhase merged = {.id = id, .processes = processes};
    for (uint32_t i = 0; i < n_parts; i++) {
        const MeasuredPhase *phase = find(parts[i], id);
        if (!phase)
            continue;
        merged.occurrences += phase->occurrences;
        merged.slowest_mean_s += phase->slowest_mean_s * (double)phase->occurrences;
        merged.reference_s += phase->reference_s * (double)phase->occurrences;
        merged.compute_s += phase->compute_s * (double)phase->occurrences;
        add_processes(processes, phase->processes, n_processes);
    }
    merged.slowest_mean_s /= fmax(1, (double)merged.occurrences);
    merged.reference_s /= fmax(1, (double)merged.occurrences);
    merged.compute_s /= fmax(1, (double)merged.occurrences);
    merged.sd_s = spread_s(parts, n_parts, id, n_processes);
    merged.n_strata = common_strata(parts, n_parts, id);
    merged.strata = merge_strata(parts, n_parts, &merged, n_processes, arena);
    return merged;
}

/* If the order varied in some part, its phases are unknown. Then no phase counts. */
static void merge_phases(const Signature *signature, const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena,
                         PhaseTimes *times)
{
    MeasuredPhase *phases = arena_new_array(arena, MeasuredPhase, signature->n_phases);
    times->phases = phases;
    for (uint32_t i = 0; i < n_parts; i++)
        if (parts[i]->agreement < AGREEMENT_NEEDED)
            return;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        MeasuredPhase merged =
            merge_phase(parts, n_parts, signature->phases[i].id, signature->application.n_processes, arena);
        if (merged.occurrences)
            phases[times->n_phases++] = merged;
    }
}

static void merge_windows(const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena, PhaseTimes *times)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_parts; i++)
        n += parts[i]->n_windows;
    Window *windows = arena_new_array(arena, Window, n);
    for (uint32_t i = 0; i < n_parts; i++) {
        memcpy(windows + times->n_windows, parts[i]->windows, parts[i]->n_windows * sizeof *windows);
        times->n_windows += parts[i]->n_windows;
    }
    /* A part's windows stay together, in their order: insertion is stable, and parts mostly are in
     * order. */
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k && windows[k - 1].state > windows[k].state; k--) {
            Window swap = windows[k];
            windows[k] = windows[k - 1];
            windows[k - 1] = swap;
        }
    times->windows = windows;
}

/* Each part counts by the number of occurrences in its windows. */
static void merge_counts(const PhaseTimes *const *parts, uint32_t n_parts, PhaseTimes *times)
{
    double all = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        const PhaseTimes *part = parts[i];
        double length = 0;
        for (uint32_t k = 0; k < part->n_windows; k++)
            length += (double)(part->windows[k].to_occurrence - part->windows[k].from_occurrence);
        all += length;
        times->agreement += length * part->agreement;
        times->event_agreement += length * part->event_agreement;
        times->partner_agreement += length * part->partner_agreement;
        times->recording_cost_s += part->recording_cost_s / n_parts;
        times->warmup_occurrences += part->warmup_occurrences;
        times->costs.restart_s += part->costs.restart_s;
        times->costs.warmup_s += part->costs.warmup_s;
        times->costs.traced_warmup_s += part->costs.traced_warmup_s;
        times->costs.window_s += part->costs.window_s;
    }
    times->agreement /= fmax(1, all);
    times->event_agreement /= fmax(1, all);
    times->partner_agreement /= fmax(1, all);
    times->places = parts[0]->places;
    times->n_places = parts[0]->n_places;
    times->ranks_per_processor = parts[0]->ranks_per_processor;
}

/* What all parts have in common. */
static PhaseTimes *merge(const Signature *signature, const char *mode, const PhaseTimes *const *parts, uint32_t n_parts,
                         Arena *arena)
{
    assert(n_parts);
    PhaseTimes *times = arena_new_array(arena, PhaseTimes, 1);
    *times = (PhaseTimes){.mode = mode,
                          .application = parts[0]->application,
                          .accepted_difference = parts[0]->accepted_difference ? parts[0]->accepted_difference : "",
                          .command = parts[0]->command ? parts[0]->command : "",
                          .host = parts[0]->host ? parts[0]->host : ""};
    merge_windows(parts, n_parts, arena, times);
    merge_counts(parts, n_parts, times);
    merge_phases(signature, parts, n_parts, arena, times);
    return times;
}

static const double *scaled_startup(const Signature *signature, double factor, Arena *arena)
{
    double *startup_s = arena_new_array(arena, double, signature->application.n_processes);
    for (uint32_t p = 0; p < signature->application.n_processes; p++)
        startup_s[p] = signature->startup_s[p] * factor;
    return startup_s;
}

PhaseTimes *states_merge(const Signature *signature, const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena)
{
    PhaseTimes *times = merge(signature, "checkpoint", parts, n_parts, arena);
    times->signature_s = times->costs.restart_s + times->costs.warmup_s + times->costs.window_s;
    times->startup_s = times->prefix_s = scaled_startup(signature, times_pace(times), arena);
    return times;
}

PhaseTimes *prefixes_merge(const Signature *signature, const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena)
{
    PhaseTimes *times = merge(signature, "prefix", parts, n_parts, arena);
    uint32_t n_processes = signature->application.n_processes;
    double *prefix_s = arena_new_array(arena, double, n_processes),
           *startup_s = arena_new_array(arena, double, n_processes);
    for (uint32_t i = 0; i < n_parts; i++) {
        const PhaseTimes *part = parts[i];
        times->signature_s += part->signature_s;
        times->prefix_occurrences += part->prefix_occurrences;
        times->n_processors = part->n_processors;
        times->busy_processors = fmax(times->busy_processors, part->busy_processors);
        times->throttles += part->throttles;
        for (uint32_t p = 0; p < n_processes; p++) {
            prefix_s[p] += part->prefix_s[p] / n_parts;
            startup_s[p] += part->startup_s[p] / n_parts;
        }
    }
    times->prefix_occurrences /= n_parts;
    times->warmup_occurrences /= n_parts;
    times->prefix_s = prefix_s;
    times->startup_s = startup_s;
    return times;
}
