/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the ticks of an excerpt (excerpt.h). */
#include "signature/profile/excerpt.h"

#include "base/vec.h"
#include <inttypes.h>

typedef struct Collecting {
    TickSink sink;
    ExcerptRange range;
    uint64_t n_ticks; /* ticks seen so far */
    VEC(ExcerptTick) ticks;
    VEC(LogicalEvent) events;
} Collecting;

static bool collect_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    Collecting *collecting = (Collecting *)sink;
    const ExcerptRange *range = &collecting->range;
    uint64_t number = collecting->n_ticks++;
    if (number < range->first_tick)
        return true;
    if (number >= range->end_tick) {
        sink->done = true;
        return true;
    }
    uint32_t n_processes = range->end_process - range->first_process;
    if ((collecting->ticks.count + 1) * n_processes > EXCERPT_CELL_LIMIT)
        return err_set(err, ERR_USAGE, "ticks %" PRIu64 " to %" PRIu64 " of %u processes are too many to be shown",
                       range->first_tick, number, n_processes) ||
               err_hint(err, "ticks × processes can be at most %u: choose fewer of either", EXCERPT_CELL_LIMIT);
    ExcerptTick tick = {.number = number, .lt = lt, .kind = kind, .first_event = collecting->events.count};
    for (size_t i = 0; i < count; i++)
        if (events[i].process >= range->first_process && events[i].process < range->end_process)
            *vec_push(&collecting->events) = events[i];
    tick.n_events = collecting->events.count - tick.first_event;
    *vec_push(&collecting->ticks) = tick;
    return true;
}

static void keep(const Collecting *collecting, const char *order, Arena *arena, Excerpt *excerpt)
{
    *excerpt = (Excerpt){.range = collecting->range,
                         .order = order,
                         .n_ticks = collecting->ticks.count,
                         .ticks = vec_copy(&collecting->ticks, arena),
                         .events = vec_copy(&collecting->events, arena),
                         .more = collecting->sink.done};
    excerpt->range.end_tick = excerpt->range.first_tick + excerpt->n_ticks;
}

bool excerpt_read(EventSource *source, const char *order, const ExcerptRange *range, const OrderOptions *options,
                  const Progress *progress, Arena *arena, Excerpt *excerpt, Err *err)
{
    Collecting collecting = {.sink = {.wants_receives = range->receives, .tick = collect_tick}, .range = *range};
    OrderReport report;
    bool ok = order_trace(order, source, &collecting.sink, options, progress, arena, &report, err);
    if (ok && !collecting.ticks.count)
        ok = err_set(err, ERR_USAGE,
                     "the trace has %" PRIu64 " ticks in this order: it has none from number %" PRIu64 " on",
                     collecting.n_ticks, range->first_tick);
    if (ok)
        keep(&collecting, order, arena, excerpt);
    vec_free(&collecting.ticks);
    vec_free(&collecting.events);
    return ok;
}
