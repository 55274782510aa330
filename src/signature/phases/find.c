/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole stage, from a trace to its signature (phases.h). */
#include "signature/phases/phases.h"

#include "model/application.h"
#include "signature/phases/finder.h"

/* Stands between the order stage and the finder, and shows both to the watch. */
typedef struct WatchedSink {
    TickSink sink;
    const PhasesWatch *watch;
    PhaseFinder *finder;
    LogicalEvent *row; /* [n_processes] */
    uint64_t n_ticks;
} WatchedSink;

static bool hand_over_occurrences(const WatchedSink *watched, Err *err)
{
    size_t n_starts;
    const OccurrenceStart *starts = phase_finder_occurrences(watched->finder, &n_starts);
    bool ok = !n_starts || watched->watch->occurrences(watched->watch->self, starts, n_starts, err);
    watched->finder->durations.starts.count = 0;
    return ok;
}

static bool watch_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    WatchedSink *watched = (WatchedSink *)sink;
    TickSink *finder = phase_finder_sink(watched->finder);
    const PhasesWatch *watch = watched->watch;
    if (watch->tick && !watch->tick(watch->self, watched->n_ticks++, lt, events, count, err))
        return false;
    if (watch->tick && !finder->wants_receives) { /* such a finder takes no ticks of receives
                                                     alone, either */
        size_t n = 0;
        for (size_t i = 0; i < count; i++)
            if (comm_type_kind(events[i].type) != TYPE_RECV)
                watched->row[n++] = events[i];
        if (!n)
            return true;
        events = watched->row;
        count = n;
    }
    return finder->tick(finder, lt, kind, events, count, err) && hand_over_occurrences(watched, err);
}

static bool find_watched(EventSource *source, const PhasesWatch *watch, PhaseFinder *finder,
                         const PhaseParameters *parameters, const OrderOptions *options, const Progress *progress,
                         Arena *arena, Signature *found, OrderReport *report, Err *err)
{
    WatchedSink watched = {
        .sink = {.wants_receives = watch->tick || phase_finder_sink(finder)->wants_receives, .tick = watch_tick},
        .watch = watch,
        .finder = finder,
        .row = memory_zeroed(found->application.n_processes, sizeof(LogicalEvent))};
    phase_finder_keep_occurrences(finder);
    bool ok = order_trace(parameters->order, source, &watched.sink, options, progress, arena, report, err) &&
              phase_finder_finish(finder, report, arena, found, err) && hand_over_occurrences(&watched, err);
    free(watched.row);
    return ok;
}

/* The trace may know that it is a part of the run; otherwise processes without MPI_Finalize tell. */
static void note_incomplete(const Trace *trace, const OrderReport *report, Signature *signature, Arena *arena)
{
    uint32_t n = signature->application.n_processes, n_unfinished = 0;
    for (uint32_t p = 0; p < n; p++)
        n_unfinished += !report->processes[p].finished;
    signature->complete = !n_unfinished && !trace->n_incomplete;
    signature->n_incomplete = trace->n_incomplete ? trace->n_incomplete : n_unfinished > 0;
    const char **sentences = arena_new_array(arena, const char *, signature->n_incomplete);
    for (uint32_t i = 0; i < trace->n_incomplete; i++)
        sentences[i] = arena_strdup(arena, trace->incomplete[i]);
    if (n_unfinished && !trace->n_incomplete)
        sentences[0] = arena_printf(arena, "%u of %u processes never reached MPI_Finalize", n_unfinished, n);
    signature->incomplete = sentences;
}

int occurrence_start_compare(const void *left, const void *right)
{
    const OccurrenceStart *a = left, *b = right;
    if (a->occurrence != b->occurrence)
        return a->occurrence < b->occurrence ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

bool phases_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                 const Progress *progress, Arena *arena, Signature **signature, OrderReport *report, Err *err)
{
    return phases_find_watched(source, parameters, options, NULL, NULL, progress, arena, signature, report, err);
}

bool phases_find_watched(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                         const Signature *known, const PhasesWatch *watch, const Progress *progress, Arena *arena,
                         Signature **signature, OrderReport *report, Err *err)
{
    if (!phase_similarity_exists(parameters->similarity))
        return err_set(err, ERR_USAGE, "unknown similarity \"%s\"", parameters->similarity) ||
               err_hint(err, "choose one of: phase, block");
    Signature *found = arena_new_array(arena, Signature, 1);
    found->application = application_copy(&source->trace->application, arena);
    PhaseFinder *finder = phase_finder_new(parameters, found->application.n_processes, known ? known->phases : NULL,
                                           known ? known->n_phases : 0);
    bool ok = watch ? find_watched(source, watch, finder, parameters, options, progress, arena, found, report, err)
                    : order_trace(parameters->order, source, phase_finder_sink(finder), options, progress, arena,
                                  report, err) &&
                          phase_finder_finish(finder, report, arena, found, err);
    phase_finder_free(finder);
    if (ok) {
        note_incomplete(source->trace, report, found, arena);
        found->ranks_per_processor = source->trace->ranks_per_processor;
        found->recording_cost_s = source->trace->recording_cost_s;
        found->slowdown = source->trace->slowdown;
        found->n_recorded = source->trace->n_recorded;
        found->recorded_calls =
            arena_copy_array(arena, source->trace->recorded_calls, found->n_recorded, sizeof *found->recorded_calls);
        found->host = arena_strdup(arena, source->trace->host ? source->trace->host : "");
        if (source->trace->places)
            found->places = places_copy(source->trace->places, found->application.n_processes, arena);
        found->n_places = found->places ? found->application.n_processes : 0;
        *signature = found;
    }
    return ok;
}
