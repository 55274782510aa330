/* SPDX-License-Identifier: BSD-3-Clause */
/* See event_places.h. A receive follows its send by exactly one, and a thread sends at most once at
 * a logical time. So a message's ends find each other by process, time, and what tells messages of
 * threads apart (communicator and tag):
 *
 *     process 2   | 7: +5      |        the send at 7 to process 5 …
 *     process 5   |     8: -2  |        … is what this process received from process 2 at 8
 *
 * The order stage gets each event with its number and this mark in the place of its computation
 * time, and hands them on. */
#include "signature/profile/event_places.h"

#include "base/map.h"
#include <stdlib.h>

typedef struct Numbered {
    EventSource source;
    EventSource *inner;
    uint64_t *counts; /* [n_processes] */
} Numbered;

enum { MARK_BITS = 24 };

static uint64_t mark_of(const Event *event)
{
    const MapKey key = hash_word((MapKey){event->comm, 0}, event->tag);
    return (key.low ^ key.high) & ((UINT64_C(1) << MARK_BITS) - 1);
}

typedef struct Finding {
    TickSink sink;
    const ProcessEvents *events;
    EventPlace *places;
    Map ends; /* (process, direction and mark; logical time) -> number of the event + 1, of messages from or
                 to the events' process */
    uint64_t n_ticks, last_lt;
    size_t n_left; /* events without a place */
} Finding;

static bool read_numbered(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count,
                          Err *err)
{
    Numbered *numbered = (Numbered *)source;
    if (!numbered->inner->read(numbered->inner, process, events, capacity, count, err))
        return false;
    for (size_t i = 0; i < *count; i++) {
        Event *event = &events[i];
        bool has_number = event->kind != EVENT_BEGIN && event->kind != EVENT_END;
        bool is_placed = has_number && event_is_in_order(event);
        uint64_t number = numbered->counts[process];
        event->compute_ns = is_placed ? (int64_t)(number << MARK_BITS | mark_of(event)) : 0;
        event->lost = 0;
        numbered->counts[process] += has_number;
    }
    return true;
}

static MapKey end_key(uint32_t process, bool is_send, uint64_t mark, uint64_t lt)
{
    return (MapKey){((uint64_t)process << 1 | is_send) << MARK_BITS | mark, lt};
}

static bool is_message(CommType type)
{
    return comm_type_kind(type) == TYPE_SEND || comm_type_kind(type) == TYPE_RECV;
}

static void take_event(Finding *finding, uint64_t lt, const LogicalEvent *event)
{
    const ProcessEvents *events = finding->events;
    uint64_t number = (uint64_t)event->compute_ns >> MARK_BITS;
    uint64_t mark = (uint64_t)event->compute_ns & ((UINT64_C(1) << MARK_BITS) - 1);
    if (is_message(event->type) && comm_type_peer(event->type) == events->process)
        *map_put(&finding->ends, end_key(event->process, comm_type_kind(event->type) == TYPE_SEND, mark, lt), NULL) =
            number + 1;
    if (event->process != events->process || number < events->from || number - events->from >= events->count)
        return;
    finding->places[number - events->from] = (EventPlace){lt, finding->n_ticks, NO_PLACE};
    finding->last_lt = lt;
    finding->n_left--;
}

static bool take_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)kind, (void)err;
    Finding *finding = (Finding *)sink;
    for (size_t i = 0; i < count; i++)
        take_event(finding, lt, &events[i]);
    finding->n_ticks++;
    sink->done = !finding->n_left && lt > finding->last_lt + 1;
    return true;
}

static void find_partners(const Finding *finding)
{
    for (size_t i = 0; i < finding->events->count; i++) {
        const Event *event = &finding->events->events[i].event;
        EventPlace *place = &finding->places[i];
        bool is_send = event->kind == EVENT_SEND;
        if (place->lt == NO_PLACE || (!is_send && event->kind != EVENT_RECV))
            continue;
        const uint64_t *number = map_get(
            &finding->ends, end_key(event->peer, !is_send, mark_of(event), is_send ? place->lt + 1 : place->lt - 1));
        if (number)
            place->partner = *number - 1;
    }
}

bool event_places_find(EventSource *source, const ProcessEvents *events, const OrderOptions *options,
                       const Progress *progress, EventPlace *places, Err *err)
{
    uint32_t n_processes = source->trace->application.n_processes;
    Numbered numbered = {.source = {.trace = source->trace, .read = read_numbered},
                         .inner = source,
                         .counts = memory_zeroed(n_processes, sizeof(uint64_t))};
    Finding finding = {.sink = {.wants_receives = true, .tick = take_tick}, .events = events, .places = places};
    for (size_t i = 0; i < events->count; i++) {
        places[i] = (EventPlace){NO_PLACE, NO_PLACE, NO_PLACE};
        finding.n_left += event_is_in_order(&events->events[i].event);
    }
    Arena *arena = arena_new();
    OrderReport report;
    bool ok = order_trace("pas2p", &numbered.source, &finding.sink, options, progress, arena, &report, err);
    if (ok)
        find_partners(&finding);
    arena_free(arena);
    map_free(&finding.ends);
    free(numbered.counts);
    return ok;
}
