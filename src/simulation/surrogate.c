/* SPDX-License-Identifier: BSD-3-Clause */
/* See surrogate.h. Only differences between the same occurrences count, in the sample and in the run. So it doesn't
 * matter which occurrences were drawn. */
#include "simulation/surrogate.h"

#include "signature/replay/replay.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- durations ---- */

typedef struct Place {
    uint64_t n_sends, occurrence;
    double from_ns;
} Place;

typedef struct Timing {
    const Cuts *cuts;
    Place *places;       /* [n_processes] */
    double *durations_s; /* [n_occurrences × n_columns] */
    uint32_t n_columns;  /* one for each process, or one for all together */
} Timing;

/* The time between two send-like events belongs to the occurrence of the first one. */
static void take_send(void *self, uint32_t process, double ideal_ns)
{
    Timing *timing = self;
    Place *place = &timing->places[process];
    const Cuts *cuts = timing->cuts;
    if (place->n_sends > cut_at(cuts, 0, process))
        timing->durations_s[place->occurrence * timing->n_columns + process % timing->n_columns] +=
            1e-9 * (ideal_ns - place->from_ns);
    while (place->occurrence + 1 < cuts->n_occurrences &&
           cut_at(cuts, place->occurrence + 1, process) <= place->n_sends)
        place->occurrence++;
    place->from_ns = ideal_ns;
    place->n_sends++;
}

/* durations_s: zeros. process_s: [n_processes] */
static bool find_durations(EventSource *source, const Surrogate *surrogate, Timing timing, const Progress *progress,
                           double *process_s, Err *err)
{
    const uint32_t n = timing.cuts->n_processes;
    const ReplayWatch watch = {&timing, take_send, surrogate->factors};
    ReplayResult result = {.processes = memory_zeroed(n, sizeof(ReplayProcess))};
    timing.places = memory_zeroed(n, sizeof(Place));
    bool ok = replay_run(source, &watch, progress, &result, err);
    for (uint32_t i = 0; ok && i < n; i++)
        process_s[i] = 1e-9 * (double)result.processes[i].ideal_ns;
    free(result.processes);
    free(timing.places);
    return ok;
}

bool surrogate_run(Surrogate *surrogate, EventSource *source, const Progress *progress, Arena *arena, Err *err)
{
    const Cuts *cuts = surrogate->cuts;
    double *durations_s = arena_new_array(arena, double, cuts->n_occurrences);
    surrogate->process_s = arena_new_array(arena, double, cuts->n_processes);
    if (!find_durations(source, surrogate, (Timing){cuts, NULL, durations_s, 1}, progress, surrogate->process_s, err))
        return false;
    surrogate->durations_s = durations_s;
    for (uint64_t i = 0; i < cuts->n_occurrences; i++)
        surrogate->all_s += durations_s[i];
    return true;
}

/* ---- the sample ---- */

typedef struct WorkSource {
    EventSource source; /* the first member, so that pointers to both convert */
    const Work *work;
    uint64_t *n_read; /* [n_processes] */
} WorkSource;

static bool read_work(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    WorkSource *of = (WorkSource *)source;
    const RankWork *rank = &of->work->ranks[process];
    const size_t left = rank->events.count - of->n_read[process];
    (void)err;
    *count = left < capacity ? left : capacity;
    if (*count)
        memcpy(events, rank->events.items + of->n_read[process], *count * sizeof *events);
    of->n_read[process] += *count;
    return true;
}

/* Where kept occurrences begin among the kept events. */
static void find_cuts(const Work *work, Cuts *cuts)
{
    VEC(uint64_t) n_events = {0};
    *cuts = (Cuts){.n_processes = work->n_processes};
    cuts_add(cuts, work->starts.items, work->starts.count);
    for (uint32_t i = 0; i < work->n_processes; i++) {
        *vec_push(&n_events) = 0;
        for (size_t k = 0; k < work->ranks[i].events.count; k++)
            n_events.items[i] += event_is_send_like(&work->ranks[i].events.items[k]);
    }
    cuts_complete(cuts, n_events.items);
    vec_free(&n_events);
}

/* By how much longer each block's drawn occurrences last in the sample, times their weights. */
static double context_of(const Surrogate *surrogate, const Work *work, const Sample *sample)
{
    const SampleUnit *before = NULL;
    VEC(double) longer_s = {0};
    double sum_s = 0, squares = 0;
    for (size_t i = 0; i < sample->count; i++) {
        const Sampled *sampled = &sample->items[i];
        if (!sampled_is_drawn(sampled))
            continue;
        if (!before || sampled->unit.iteration != before->iteration)
            *vec_push(&longer_s) = 0;
        longer_s.items[longer_s.count - 1] +=
            sampled->drawn_weight * 1e-9 * (work->kept[i].ideal_ns - work->traced[sampled->occurrence].ideal_ns);
        before = &sampled->unit;
    }
    const double n = (double)longer_s.count;
    for (size_t i = 0; i < longer_s.count; i++)
        sum_s += longer_s.items[i];
    for (size_t i = 0; i < longer_s.count; i++)
        squares += pow(longer_s.items[i] - sum_s / n, 2);
    vec_free(&longer_s);
    return n > 1 && surrogate->all_s > 0 ? sqrt(sum_s * sum_s + squares * n / (n - 1)) / surrogate->all_s : 0;
}

static bool replay_sample(const Surrogate *surrogate, Work *work, const Sample *sample, Err *err)
{
    const uint32_t n = work->n_processes;
    IdealTimes *ideal = &work->ideal;
    WorkSource source = {{work->trace, read_work}, work, memory_zeroed(n, sizeof(uint64_t))};
    Cuts cuts;
    find_cuts(work, &cuts);
    *ideal = (IdealTimes){memory_zeroed(n, sizeof(double)), memory_zeroed(n, sizeof(double)),
                          memory_zeroed(sample->count * n, sizeof(double))};
    memcpy(ideal->run_s, surrogate->process_s, n * sizeof(double));
    bool ok =
        find_durations(&source.source, surrogate, (Timing){&cuts, NULL, ideal->kept_s, n}, NULL, ideal->sample_s, err);
    cuts_drop(&cuts);
    free(source.n_read);
    return ok;
}

double surrogate_compare(const Surrogate *surrogate, Work *work, const Sample *sample)
{
    Err misfit = {0};
    if (!replay_sample(surrogate, work, sample, &misfit))
        return HUGE_VAL;
    for (uint64_t i = 0; i < surrogate->cuts->n_occurrences; i++)
        work->traced[i].ideal_ns = 1e9 * surrogate->durations_s[i];
    for (size_t i = 0; i < sample->count; i++)
        for (uint32_t k = 0; k < work->n_processes; k++)
            work->kept[i].ideal_ns += 1e9 * work->ideal.kept_s[i * work->n_processes + k];
    return context_of(surrogate, work, sample);
}
