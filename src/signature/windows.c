/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase times of an executed prefix.
 *
 *     occurrence  0 …… warm-up …… a ───window───┬───window───┬─ … ─┬───window─── b …(stopped)
 *
 * The windows lie between milestones of the signature, so that the traced run's time of the same stretch is known.
 * Where a milestone stands in the executed run is told in one of two ways:
 *
 *   by occurrences  a cut in each process at the entry of its first event in the milestone's occurrence or a later one.
 *   by events       for programs whose order of communication varies from run to run (master and workers, say): the
 * moment at which all processes together have done as many events. Phases are then not what they were in the trace, and
 * are not measured: the windows' pace remains. */
#include "signature/windows.h"

#include "base/map.h"
#include "base/vec.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { WINDOWS_LIMIT = 12, WINDOWS_LEAST = 4 };
/* Below this share of common phases the order varies from run to run: then phases are mixed up too much to be timed, and
 * who was slow in which of them is chance. Below this share of common events, the program is another one. */
static const double PHASES_NEEDED = 0.9, EVENTS_NEEDED = 0.5;
/* The first windows are warm-up as well while they go slower than the rest by more than this many deviations, and this
 * share. */
static const double WARMUP_DEVIATIONS = 3, WARMUP_EXCESS = 0.02;

typedef struct ProcessStarts {
    VEC(OccurrenceStart) list; /* by occurrence */
} ProcessStarts;

/* All processes together had done so many events at that moment. */
typedef struct EventTotal {
    int64_t time_ns;
    uint64_t count;
} EventTotal;

typedef struct Evaluation {
    const Signature *signature;
    const PrefixRun *run;
    uint32_t n;
    ProcessStarts *starts; /* [n] */
    uint64_t n_occurrences;
    bool by_events;
    EventTotal *totals; /* [run->n_starts] by time; only by events */
} Evaluation;

static void split_by_process(Evaluation *evaluation)
{
    evaluation->starts = memory_zeroed(evaluation->n, sizeof *evaluation->starts);
    for (size_t i = 0; i < evaluation->run->n_starts; i++) {
        const OccurrenceStart *start = &evaluation->run->starts[i];
        *vec_push(&evaluation->starts[start->process].list) = *start;
        evaluation->n_occurrences = start->occurrence + 1;
    }
}

static void release(Evaluation *evaluation)
{
    for (uint32_t process = 0; process < evaluation->n; process++)
        vec_free(&evaluation->starts[process].list);
    free(evaluation->starts);
    free(evaluation->totals);
}

static int by_time(const void *left, const void *right)
{
    const OccurrenceStart *a = left, *b = right;
    if (a->enter_ns != b->enter_ns)
        return a->enter_ns < b->enter_ns ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* From here on milestones are found by events. */
static void count_events(Evaluation *evaluation)
{
    size_t n = evaluation->run->n_starts;
    OccurrenceStart *sorted = memory_zeroed(n, sizeof *sorted);
    uint64_t *done = memory_zeroed(evaluation->n, sizeof *done), total = 0;
    memcpy(sorted, evaluation->run->starts, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_time);
    evaluation->totals = memory_zeroed(n, sizeof *evaluation->totals);
    for (size_t i = 0; i < n; i++) {
        total += sorted[i].send_event - done[sorted[i].process];
        done[sorted[i].process] = sorted[i].send_event;
        evaluation->totals[i] = (EventTotal){sorted[i].enter_ns, total};
    }
    free(sorted);
    free(done);
    evaluation->by_events = true;
}

static uint64_t events_before(const Evaluation *evaluation, uint32_t milestone)
{
    uint64_t sum = 0;
    for (uint32_t process = 0; process < evaluation->n; process++)
        sum += evaluation->signature->milestones[milestone].send_events[process];
    return sum;
}

/* The moment at which the processes together had done as many events as before the milestone. */
static int64_t moment_ns(const Evaluation *evaluation, uint32_t milestone)
{
    uint64_t needed = events_before(evaluation, milestone);
    size_t low = 0, high = evaluation->run->n_starts - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (evaluation->totals[middle].count < needed)
            low = middle + 1;
        else
            high = middle;
    }
    return evaluation->totals[low].time_ns;
}

/* Entry of the process's first event in the occurrence or a later one; INT64_MIN if it has none. */
static int64_t cut_ns(const Evaluation *evaluation, uint32_t process, uint64_t occurrence)
{
    const OccurrenceStart *items = evaluation->starts[process].list.items;
    size_t low = 0, high = evaluation->starts[process].list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].occurrence < occurrence)
            low = middle + 1;
        else
            high = middle;
    }
    return low < evaluation->starts[process].list.count ? items[low].enter_ns : INT64_MIN;
}

/* Seconds from MPI_Init to the milestone; a process that has nothing behind the cut takes the latest of the others. */
static void times_of_milestone(const Evaluation *evaluation, uint32_t milestone, double *seconds)
{
    uint64_t occurrence = evaluation->signature->milestones[milestone].occurrence;
    int64_t moment = evaluation->by_events ? moment_ns(evaluation, milestone) : 0;
    double latest = 0;
    for (uint32_t process = 0; process < evaluation->n; process++) {
        int64_t at = evaluation->by_events ? moment : cut_ns(evaluation, process, occurrence);
        seconds[process] = at == INT64_MIN ? -1 : (double)(at - evaluation->run->spans[process].begin_ns) * 1e-9;
        latest = fmax(latest, seconds[process]);
    }
    for (uint32_t process = 0; process < evaluation->n; process++)
        if (seconds[process] < 0)
            seconds[process] = latest;
}

static double mean_time_of_milestone(const Evaluation *evaluation, uint32_t milestone, double *scratch)
{
    times_of_milestone(evaluation, milestone, scratch);
    return gsl_stats_mean(scratch, 1, evaluation->n);
}

/* [n_phases] Phases of blocks may hold receives alone: where they are in another run can't be told. */
static bool *phases_with_sends(const Signature *signature, Arena *scratch)
{
    bool *found = arena_new_array(scratch, bool, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_events && !found[i]; k++)
            found[i] = comm_type_kind(signature->phases[i].events[k].type) != TYPE_RECV;
    return found;
}

/* Share of the first `count` occurrences that the signature has there too, whatever their order. */
static double agreement(const Evaluation *evaluation, uint64_t count, Arena *scratch)
{
    const Signature *signature = evaluation->signature;
    uint32_t *ids = arena_new_array(scratch, uint32_t, count);
    uint64_t n_ids = signature_expand(signature, count, ids), n_expected = 0, common = 0, last = UINT64_MAX;
    uint64_t *expected = arena_new_array(scratch, uint64_t, signature->n_phases + 1);
    const bool *has_sends = phases_with_sends(signature, scratch);
    for (uint64_t i = 0; i < n_ids; i++) {
        uint32_t at = signature_find_phase(signature, ids[i]);
        expected[at] += has_sends[at];
        n_expected += has_sends[at];
    }
    for (size_t i = 0; i < evaluation->run->n_starts && evaluation->run->starts[i].occurrence < count; i++) {
        const OccurrenceStart *start = &evaluation->run->starts[i];
        if (start->occurrence == last)
            continue;
        last = start->occurrence;
        uint32_t at = signature_find_phase(signature, start->phase);
        if (at < signature->n_phases && expected[at]) {
            expected[at]--;
            common++;
        }
    }
    return n_expected ? (double)common / (double)n_expected : 0;
}

/* Volumes that a process's communication of one type has in the signature. */
typedef struct VolumeRange {
    uint64_t least, most;
} VolumeRange;

static MapKey place_of(const PhaseEvent *event)
{
    return (MapKey){event->process, event->type};
}

static bool is_near(double bytes, double known, double tolerance)
{
    return fabs(bytes - known) <= tolerance * fmax(bytes, known);
}

/* Share of the executed events that the signature has in the same process, with the same partner and volume, in
 * whatever phase. */
static double event_agreement(const Evaluation *evaluation)
{
    const Signature *signature = evaluation->signature, *executed = evaluation->run->executed;
    Map places = {0};
    VEC(VolumeRange) ranges = {0};
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_events; k++) {
            const PhaseEvent *event = &signature->phases[i].events[k];
            bool is_new;
            uint64_t *at = map_put(&places, place_of(event), &is_new);
            if (is_new) {
                *at = ranges.count;
                *vec_push(&ranges) = (VolumeRange){event->bytes, event->bytes};
            }
            VolumeRange *range = &ranges.items[*at];
            range->least = event->bytes < range->least ? event->bytes : range->least;
            range->most = event->bytes > range->most ? event->bytes : range->most;
        }
    double known = 0, all = 0, tolerance = signature->parameters.volume_tolerance;
    for (uint32_t i = 0; i < executed->n_phases; i++)
        for (uint32_t k = 0; k < executed->phases[i].n_events; k++) {
            const PhaseEvent *event = &executed->phases[i].events[k];
            const uint64_t *at = map_get(&places, place_of(event));
            const VolumeRange *range = at ? &ranges.items[*at] : NULL;
            double bytes = (double)event->bytes, weight = (double)executed->phases[i].weight;
            bool fits = range && ((event->bytes >= range->least && event->bytes <= range->most) ||
                                  is_near(bytes, (double)range->least, tolerance) ||
                                  is_near(bytes, (double)range->most, tolerance));
            known += fits ? weight : 0;
            all += weight;
        }
    map_free(&places);
    vec_free(&ranges);
    return all > 0 ? known / all : 0;
}

/* The last milestone that every process has passed. */
static uint32_t reached(const Evaluation *evaluation, const PrefixPlan *plan)
{
    uint32_t milestone = plan->stop;
    const uint64_t total = evaluation->by_events ? evaluation->totals[evaluation->run->n_starts - 1].count : 0;
    while (milestone > 0 && (evaluation->by_events
                                 ? events_before(evaluation, milestone) > total
                                 : evaluation->signature->milestones[milestone].occurrence > evaluation->n_occurrences))
        milestone--;
    return milestone;
}

/* Cuts [from, to] (milestones) into windows of about the same traced time, each whole periods of the sequence unless
 * there is no period. */
static uint32_t make_windows(const Evaluation *evaluation, const SequencePeriod *period, uint32_t from, uint32_t to,
                             Window windows[WINDOWS_LIMIT], double *scratch)
{
    const Milestone *milestones = evaluation->signature->milestones;
    double step_s = (milestones[to].time_s - milestones[from].time_s) / WINDOWS_LIMIT;
    uint32_t count = 0, begin = from;
    for (uint32_t end = from + 1; end <= to && count < WINDOWS_LIMIT; end++) {
        bool full = milestones[end].time_s - milestones[from].time_s >= step_s * (count + 1) * (1 - 1e-9);
        bool whole = !period || signature_is_whole_periods(evaluation->signature, period, begin, end);
        if (end < to && !(full && whole))
            continue;
        windows[count++] = (Window){.from_occurrence = milestones[begin].occurrence,
                                    .to_occurrence = milestones[end].occurrence,
                                    .elapsed_s = mean_time_of_milestone(evaluation, end, scratch) -
                                                 mean_time_of_milestone(evaluation, begin, scratch),
                                    .reference_s = milestones[end].time_s - milestones[begin].time_s};
        begin = end;
    }
    return count;
}

static double pace(const Window *window)
{
    return window->reference_s > 0 ? window->elapsed_s / window->reference_s : 1;
}

/* How many of the first windows are warm-up on this machine too, though the traced run had done with it. */
static uint32_t count_warmup(const Window *windows, uint32_t count)
{
    double paces[WINDOWS_LIMIT];
    for (uint32_t i = 0; i < count; i++)
        paces[i] = pace(&windows[i]);
    uint32_t skipped = 0;
    while (count - skipped > WINDOWS_LEAST && skipped < count / 2) {
        const double *rest = paces + skipped + 1;
        size_t n = count - skipped - 1;
        double mean = gsl_stats_mean(rest, 1, n), deviation = gsl_stats_sd_m(rest, 1, n, mean);
        if (paces[skipped] <= mean * (1 + WARMUP_EXCESS) || paces[skipped] <= mean + WARMUP_DEVIATIONS * deviation)
            break;
        skipped++;
    }
    return skipped;
}

static bool too_little(const Evaluation *evaluation, const PrefixPlan *plan, Err *err)
{
    return err_set(
        err, ERR_INPUT,
        "the program communicated too little to be measured: %lu occurrences of phases, where the plan needs %lu",
        (unsigned long)evaluation->n_occurrences,
        (unsigned long)evaluation->signature->milestones[plan->stop].occurrence);
}

/* Is it the signature's communication, and in the signature's order? */
static bool compare(Evaluation *evaluation, uint64_t n_occurrences, PhaseTimes *times, Err *err)
{
    Arena *scratch = arena_new();
    times->agreement = agreement(evaluation, n_occurrences, scratch);
    arena_free(scratch);
    times->event_agreement = event_agreement(evaluation);
    if (times->agreement >= PHASES_NEEDED)
        return true;
    if (times->event_agreement >= EVENTS_NEEDED) {
        count_events(evaluation);
        return true;
    }
    err_set(err, ERR_INPUT,
            "the program's communication isn't the signature's: only %.0f %% of its events are the same",
            100 * times->event_agreement);
    return err_hint(err, "make a new signature: firma trace, firma phases");
}

static bool evaluate(Evaluation *evaluation, const PrefixPlan *plan, Arena *arena, PhaseTimes *times, Err *err)
{
    const Milestone *milestones = evaluation->signature->milestones;
    uint32_t stop = reached(evaluation, plan);
    if (evaluation->run->n_starts == 0)
        return too_little(evaluation, plan, err);
    if (!compare(evaluation, milestones[stop].occurrence, times, err))
        return false;
    stop = reached(evaluation, plan);
    if (stop == 0)
        return too_little(evaluation, plan, err);
    uint32_t warmup = plan->warmup < stop ? plan->warmup : 0;
    double *prefix_s = arena_new_array(arena, double, evaluation->n),
           *startup_s = arena_new_array(arena, double, evaluation->n);
    Window *windows = arena_new_array(arena, Window, WINDOWS_LIMIT);
    SequencePeriod period = signature_period(evaluation->signature);
    uint32_t count = make_windows(evaluation, &period, warmup, stop, windows, prefix_s);
    if (count < WINDOWS_LEAST) /* their spread says more of the interval than whole periods would */
        count = make_windows(evaluation, NULL, warmup, stop, windows, prefix_s);
    uint32_t skipped = count_warmup(windows, count);
    times->windows = windows + skipped;
    times->n_windows = count - skipped;
    times->warmup_occurrences = windows[skipped].from_occurrence;
    times->prefix_occurrences = windows[count - 1].to_occurrence;
    times_of_milestone(evaluation, stop, prefix_s);
    times_of_milestone(evaluation, 0, startup_s);
    times->prefix_s = prefix_s;
    times->startup_s = startup_s;
    if (!evaluation->by_events)
        phase_times_fill(evaluation->signature, evaluation->run, times->warmup_occurrences, times->prefix_occurrences,
                         arena, times);
    return true;
}

bool windows_evaluate(const Signature *signature, const PrefixPlan *plan, const PrefixRun *run, Arena *arena,
                      PhaseTimes *times, Err *err)
{
    Evaluation evaluation = {.signature = signature, .run = run, .n = signature->application.n_processes};
    split_by_process(&evaluation);
    bool ok = evaluate(&evaluation, plan, arena, times, err);
    release(&evaluation);
    return ok;
}
