/* SPDX-License-Identifier: BSD-3-Clause */
/* See estimate.h. A simulated occurrence lasts, in a process, from its first event to that of the next
 * simulated one. It stands for as many occurrences as its weight says:
 *
 *     time of a process = startup + Σ weight · duration + shutdown
 *
 * By how much a process is ahead of others changes from occurrence to occurrence, but doesn't grow if they wait for
 * each other. So the mean process's time is taken. What each process is ahead or behind at the end of the whole run is
 * known on an ideal network. What it is farther ahead or behind in the simulation than in the same sample there is
 * added as it is. */
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

/* Of a process, or how far it is behind the mean process. */
typedef struct Times {
    double weighted_s, simulated_s; /* with the weights, and without them */
    double startup_s, shutdown_s;   /* before its first send-like event, and behind its last one */
    double half_s[2];               /* of the drawn occurrences */
} Times;

static size_t count_drawn(const OccurrenceStart *const *starts, size_t n, const Sample *sample)
{
    size_t n_drawn = 0;
    for (size_t i = 0; i < n; i++)
        n_drawn += sampled_is_drawn(&sample->items[starts[i]->occurrence]);
    return n_drawn;
}

/* The process's starts are in their order. */
static Times visit_process(const Replayed *replayed, const Sample *sample, uint32_t process,
                           const OccurrenceStart *const *starts, size_t n_starts, const Visit *visit)
{
    const RankWork *rank = &replayed->work->ranks[process];
    const Event *events = replayed_events(replayed, process);
    Walk walk = {.events = events, .n_events = rank->events.count};
    int64_t end_ns = end_of(events, rank->events.count);
    if (!n_starts)
        return (Times){.weighted_s = seconds(end_ns), .simulated_s = seconds(end_ns), .startup_s = seconds(end_ns)};
    int64_t from_ns = walk_to_send(&walk, starts[0]->send_event), last_ns = events[rank->last_send].enter_ns;
    double outside_s = seconds(from_ns) + seconds(end_ns - last_ns);
    Times times = {.weighted_s = outside_s,
                   .simulated_s = outside_s,
                   .startup_s = seconds(from_ns),
                   .shutdown_s = seconds(end_ns - last_ns)};
    size_t n_drawn = count_drawn(starts, n_starts, sample), n_seen = 0;
    for (size_t i = 0; i < n_starts; i++) {
        int64_t to_ns = i + 1 < n_starts ? walk_to_send(&walk, starts[i + 1]->send_event) : last_ns;
        const Sampled *sampled = &sample->items[starts[i]->occurrence];
        double duration_s = seconds(to_ns - from_ns);
        times.weighted_s += duration_s * sampled->weight;
        times.simulated_s += duration_s;
        if (sampled_is_drawn(sampled))
            times.half_s[2 * n_seen++ >= n_drawn] += duration_s;
        visit->take(visit->self, process, starts[i], duration_s);
        from_ns = to_ns;
    }
    return times;
}

static void add_times(Times *times, const Times *more, double factor)
{
    times->weighted_s += factor * more->weighted_s;
    times->simulated_s += factor * more->simulated_s;
    for (int half = 0; half < 2; half++)
        times->half_s[half] += factor * more->half_s[half];
}

/* Takes the mean off from all of them, and returns it. */
static Times centre(Times *times, uint32_t n)
{
    Times mean = {0};
    for (uint32_t i = 0; i < n; i++)
        add_times(&mean, &times[i], 1.0 / n);
    for (uint32_t i = 0; i < n; i++)
        add_times(&times[i], &mean, -1);
    return mean;
}

/* 1: processes get out of step in the later half of the sample just as in the first one, because none of them waits
 * for the others. 0: they don't go on getting out of step. */
static double independence(const Times *behind, uint32_t n)
{
    double products = 0, squares[2] = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (int half = 0; half < 2; half++)
            squares[half] += behind[i].half_s[half] * behind[i].half_s[half];
        products += behind[i].half_s[0] * behind[i].half_s[1];
    }
    double most = fmax(squares[0], squares[1]);
    return most > 0 ? fmax(0, products / most) : 0;
}

/* The sample on an ideal network. */
static Times ideal_times(const Work *work, const Sample *sample, uint32_t process, const OccurrenceStart *const *starts,
                         size_t n_starts)
{
    const double end_s = work->ideal.sample_s[process];
    Times times = {.weighted_s = end_s, .simulated_s = end_s};
    size_t n_drawn = count_drawn(starts, n_starts, sample), n_seen = 0;
    for (size_t i = 0; i < n_starts; i++) {
        const Sampled *sampled = &sample->items[starts[i]->occurrence];
        const double duration_s = work->ideal.kept_s[starts[i]->occurrence * work->n_processes + process];
        times.weighted_s += (sampled->weight - 1) * duration_s;
        if (sampled_is_drawn(sampled))
            times.half_s[2 * n_seen++ >= n_drawn] += duration_s;
    }
    return times;
}

/* Returns the time of the slowest process. ideal_s: [n] the run on an ideal network, if `ideal` has the sample there;
 * both may be NULL, and process_s, too. */
static double slowest_of(Times *times, Times *ideal, const double *ideal_s, double pace, uint32_t n, double *process_s)
{
    const Times mean = centre(times, n);
    double slowest_s = 0, ideal_mean_s = 0;
    if (ideal_s)
        centre(ideal, n);
    for (uint32_t i = 0; ideal_s && i < n; i++) {
        ideal_mean_s += ideal_s[i] / n;
        add_times(&times[i], &ideal[i], -pace);
    }
    const double share = independence(times, n);
    for (uint32_t i = 0; i < n; i++) {
        double time_s = mean.weighted_s + share * times[i].weighted_s + (1 - share) * times[i].simulated_s +
                        (ideal_s ? pace * (ideal_s[i] - ideal_mean_s) : 0);
        slowest_s = fmax(slowest_s, time_s);
        if (process_s)
            process_s[i] = time_s;
    }
    return slowest_s;
}

/* Returns the time of the slowest process, and fills in what is known of each one; estimate may be NULL. */
static double visit_all(const Replayed *replayed, const Sample *sample, const Visit *visit, Estimate *estimate)
{
    const Work *work = replayed->work;
    VEC(const OccurrenceStart *) starts = {0};
    VEC(size_t) firsts = {0};
    VEC(Times) times = {0}, ideal = {0};
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
        const OccurrenceStart *const *own = starts.items + first;
        size_t n = firsts.items[i] - first;
        *vec_push(&times) = visit_process(replayed, sample, i, own, n, visit);
        if (work->ideal.run_s)
            *vec_push(&ideal) = ideal_times(work, sample, i, own, n);
    }
    for (uint32_t i = 0; i < work->n_processes && estimate; i++) {
        estimate->startup_s[i] = times.items[i].startup_s;
        estimate->shutdown_s[i] = times.items[i].shutdown_s;
    }
    double slowest_s = slowest_of(times.items, ideal.items, work->ideal.run_s,
                                  work->pace * replayed->file.job.header->compute_factor, work->n_processes,
                                  estimate ? estimate->process_s : NULL);
    vec_free(&starts);
    vec_free(&firsts);
    vec_free(&times);
    vec_free(&ideal);
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
    time->count = sums->signature->phases[phase].processes[process].count;
    time->total_s += weight * duration_s;
    sums->occurrence_s[start->occurrence] += duration_s / sums->n_processes;
    sums->phases[start->occurrence] = phase;
}

/* How a phase's durations depend on the features of its drawn occurrences. */
typedef struct Slopes {
    double products[SAMPLE_FEATURES], squares[SAMPLE_FEATURES];
} Slopes;

static Slopes *find_slopes(const Sums *sums, Arena *arena)
{
    Slopes *slopes = arena_new_array(arena, Slopes, sums->signature->n_phases);
    for (size_t i = 0; i < sums->sample->count; i++)
        for (size_t k = 0; k < SAMPLE_FEATURES; k++) {
            double feature = sums->sample->items[i].features[k];
            slopes[sums->phases[i]].products[k] += feature * sums->occurrence_s[i];
            slopes[sums->phases[i]].squares[k] += feature * feature;
        }
    return slopes;
}

/* What the trace doesn't explain. */
static double unexplained(const Slopes *slopes, const Sampled *sampled, double duration_s)
{
    for (size_t k = 0; k < SAMPLE_FEATURES; k++)
        if (slopes->squares[k] > 0)
            duration_s -= slopes->products[k] / slopes->squares[k] * sampled->features[k];
    return duration_s;
}

/* The drawn blocks of a loop: the time of one iteration in each, and how many they stand for. */
typedef struct Drawn {
    VEC(double) times_s;
    double weight;
} Drawn;

/* Adds what the loop adds to the deviation of the run's time, and to its drift, in seconds. */
static void finish_loop(Drawn *drawn, Deviation *deviation, double *drift_s)
{
    const size_t n = drawn->times_s.count;
    double sum_s = 0, squares = 0, later_s = 0;
    for (size_t i = 0; i < n; i++) {
        sum_s += drawn->times_s.items[i];
        later_s += i >= n / 2 ? drawn->times_s.items[i] : 0;
    }
    for (size_t i = 0; i < n; i++)
        squares += pow(drawn->times_s.items[i] - sum_s / (double)n, 2);
    if (n > 1) {
        const double variance = drawn->weight * drawn->weight * squares / (double)(n - 1) / (double)n *
                                fmax(0, 1 - (double)n / drawn->weight);
        *deviation = deviation_sum(*deviation, (Deviation){variance, (double)(n - 1)});
        *drift_s += drawn->weight * (later_s / (double)(n - n / 2) - sum_s / (double)n);
    }
    drawn->times_s.count = 0;
    drawn->weight = 0;
}

/* Occurrences that stand for themselves alone are known. */
static void find_deviation(const Sums *sums, Estimate *estimate, Arena *arena)
{
    const Slopes *slopes = find_slopes(sums, arena);
    const SampleUnit *before = NULL;
    Drawn drawn = {0};
    Deviation deviation = deviation_of(0);
    double drift_s = 0;
    for (size_t i = 0; i < sums->sample->count; i++) {
        const Sampled *sampled = &sums->sample->items[i];
        const SampleUnit *unit = &sampled->unit;
        if (!sampled_is_drawn(sampled))
            continue;
        if (before && unit->loop != before->loop)
            finish_loop(&drawn, &deviation, &drift_s);
        if (!drawn.times_s.count || unit->iteration != before->iteration) {
            *vec_push(&drawn.times_s) = 0;
            drawn.weight += unit->weight;
        }
        drawn.times_s.items[drawn.times_s.count - 1] +=
            sampled->drawn_weight / unit->weight *
            unexplained(&slopes[sums->phases[i]], sampled, sums->occurrence_s[i]);
        before = unit;
    }
    finish_loop(&drawn, &deviation, &drift_s);
    vec_free(&drawn.times_s);
    if (estimate->application_s <= 0)
        return;
    estimate->deviation = deviation_scaled(deviation, pow(estimate->application_s, -2));
    estimate->drift = drift_s / estimate->application_s;
}

Estimate estimate_of(const Replayed *replayed, const Sample *sample, const Signature *signature, Arena *arena)
{
    uint32_t n = replayed->work->n_processes;
    Estimate estimate = {.process_s = arena_new_array(arena, double, n),
                         .deviation = deviation_of(0),
                         .startup_s = arena_new_array(arena, double, n),
                         .shutdown_s = arena_new_array(arena, double, n),
                         .durations = arena_new_array(arena, ProcessTime, (size_t)signature->n_phases * n)};
    Sums sums = {.sample = sample,
                 .signature = signature,
                 .n_processes = n,
                 .durations = estimate.durations,
                 .occurrence_s = arena_new_array(arena, double, sample->count),
                 .phases = arena_new_array(arena, uint32_t, sample->count)};
    const Visit visit = {&sums, add_duration};
    estimate.application_s = visit_all(replayed, sample, &visit, &estimate);
    find_deviation(&sums, &estimate, arena);
    return estimate;
}
