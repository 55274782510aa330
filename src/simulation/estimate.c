/* SPDX-License-Identifier: BSD-3-Clause */
/* See estimate.h. A simulated occurrence lasts, in a process, from its first event to that of the next
 * simulated one. It stands for as many occurrences as its weight says:
 *
 *     time of a process = startup + Σ weight · duration + shutdown */
#include "simulation/estimate.h"

#include <math.h>

static double seconds(int64_t ns)
{
    return 1e-9 * (double)ns;
}

/* Receives each occurrence of a process. */
typedef struct Visit {
    void *self;
    void (*take)(void *self, uint32_t process, const OccurrenceStart *start, double duration_s);
} Visit;

/* Entries of a process's send-like events, one after the other. */
typedef struct Walk {
    const Event *events;
    uint64_t at, n_events, n_sends;
} Walk;

static int64_t walk_to_send(Walk *walk, uint64_t number)
{
    for (;; walk->at++) {
        if (!event_is_send_like(&walk->events[walk->at]))
            continue;
        if (walk->n_sends++ == number)
            return walk->events[walk->at++].enter_ns;
    }
}

static int64_t end_of(const Event *events, uint64_t n)
{
    return n ? (events[n - 1].kind == EVENT_END ? events[n - 1].enter_ns : events[n - 1].leave_ns) : 0;
}

/* The process's starts are in their order. Returns the time of the process. */
static double visit_process(const Replayed *replayed, const Sample *sample, uint32_t process,
                            const OccurrenceStart *const *starts, size_t n_starts, const Visit *visit)
{
    const RankWork *rank = &replayed->work->ranks[process];
    const Event *events = replayed_events(replayed, process);
    Walk walk = {.events = events, .n_events = rank->events.count};
    int64_t end_ns = end_of(events, rank->events.count);
    if (!n_starts)
        return seconds(end_ns);
    int64_t from_ns = walk_to_send(&walk, starts[0]->send_event), last_ns = events[rank->last_send].enter_ns;
    double sum_s = seconds(from_ns) + seconds(end_ns - last_ns);
    for (size_t i = 0; i < n_starts; i++) {
        int64_t to_ns = i + 1 < n_starts ? walk_to_send(&walk, starts[i + 1]->send_event) : last_ns;
        sum_s += seconds(to_ns - from_ns) * sample->items[starts[i]->occurrence].weight;
        visit->take(visit->self, process, starts[i], seconds(to_ns - from_ns));
        from_ns = to_ns;
    }
    return sum_s;
}

/* Returns the time of the slowest process. process_s may be NULL. */
static double visit_all(const Replayed *replayed, const Sample *sample, const Visit *visit, double *process_s)
{
    const Work *work = replayed->work;
    double slowest_s = 0;
    VEC(const OccurrenceStart *) starts = {0};
    VEC(size_t) firsts = {0};
    for (uint32_t i = 0; i <= work->n_processes; i++)
        *vec_push(&firsts) = 0;
    for (size_t i = 0; i < work->starts.count; i++)
        firsts.items[work->starts.items[i].process + 1]++;
    for (uint32_t i = 0; i < work->n_processes; i++)
        firsts.items[i + 1] += firsts.items[i];
    vec_reserve(&starts, work->starts.count + 1);
    for (size_t i = 0; i < work->starts.count; i++)
        starts.items[firsts.items[work->starts.items[i].process]++] = &work->starts.items[i];
    for (uint32_t i = 0, first = 0; i < work->n_processes; first = (uint32_t)firsts.items[i++]) {
        double time_s = visit_process(replayed, sample, i, starts.items + first, firsts.items[i] - first, visit);
        slowest_s = fmax(slowest_s, time_s);
        if (process_s)
            process_s[i] = time_s;
    }
    vec_free(&starts);
    vec_free(&firsts);
    return slowest_s;
}

static void ignore(void *self, uint32_t process, const OccurrenceStart *start, double duration_s)
{
    (void)self, (void)process, (void)start, (void)duration_s;
}

double estimate_time(const Replayed *replayed, const Sample *sample)
{
    const Visit visit = {NULL, ignore};
    return visit_all(replayed, sample, &visit, NULL);
}

/* ---- by phase ---- */

/* Mean durations of a phase's occurrences that stand for others. */
typedef struct Spread {
    double n, weight, sum_s, squares;
} Spread;

typedef struct Sums {
    const Sample *sample;
    const Signature *signature;
    uint32_t n_processes;
    ProcessTime *durations;
    double *occurrence_s; /* [sample] mean over processes */
    uint32_t *phases;     /* [sample] index of the phase */
} Sums;

static void add_duration(void *self, uint32_t process, const OccurrenceStart *start, double duration_s)
{
    Sums *sums = self;
    uint32_t phase = signature_find_phase(sums->signature, start->phase);
    ProcessTime *time = &sums->durations[(size_t)phase * sums->n_processes + process];
    double weight = sums->sample->items[start->occurrence].weight;
    time->count += (uint64_t)(weight + 0.5);
    time->total_s += weight * duration_s;
    sums->occurrence_s[start->occurrence] += duration_s / sums->n_processes;
    sums->phases[start->occurrence] = phase;
}

/* Occurrences that stand for themselves alone are known. */
static double variance(const Sums *sums, Arena *arena)
{
    Spread *spreads = arena_new_array(arena, Spread, sums->signature->n_phases);
    double sum = 0;
    for (size_t i = 0; i < sums->sample->count; i++) {
        Spread *spread = &spreads[sums->phases[i]];
        double duration_s = sums->occurrence_s[i], weight = sums->sample->items[i].weight;
        if (weight <= 1)
            continue;
        spread->n++;
        spread->weight += weight;
        spread->sum_s += duration_s;
        spread->squares += duration_s * duration_s;
    }
    for (uint32_t i = 0; i < sums->signature->n_phases; i++) {
        const Spread *spread = &spreads[i];
        if (spread->n < 2)
            continue;
        double mean_s = spread->sum_s / spread->n,
               one = fmax(0, (spread->squares - spread->n * mean_s * mean_s) / (spread->n - 1));
        sum += spread->weight * spread->weight * one / spread->n * fmax(0, 1 - spread->n / spread->weight);
    }
    return sum;
}

Estimate estimate_of(const Replayed *replayed, const Sample *sample, const Signature *signature, Arena *arena)
{
    uint32_t n = replayed->work->n_processes;
    Estimate estimate = {.process_s = arena_new_array(arena, double, n),
                         .durations = arena_new_array(arena, ProcessTime, (size_t)signature->n_phases * n)};
    Sums sums = {.sample = sample,
                 .signature = signature,
                 .n_processes = n,
                 .durations = estimate.durations,
                 .occurrence_s = arena_new_array(arena, double, sample->count),
                 .phases = arena_new_array(arena, uint32_t, sample->count)};
    const Visit visit = {&sums, add_duration};
    estimate.application_s = visit_all(replayed, sample, &visit, estimate.process_s);
    estimate.deviation = estimate.application_s > 0 ? sqrt(variance(&sums, arena)) / estimate.application_s : 0;
    return estimate;
}
