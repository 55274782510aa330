/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a range of one process's events (profile.h). All events of a call are needed to know its
 * kind, so the last call is read to its end. */
#include "signature/profile/profile.h"

#include "base/vec.h"
#include <inttypes.h>

enum { BATCH_EVENTS = 1024 };

typedef struct EventRange {
    uint64_t from, to;
    uint64_t n_seen, n_sends;
    Lifetime lifetime;
    VEC(Event) call;
    VEC(ProcessEvent) events;
    uint64_t call_number, call_sends; /* before the call's first event */
} EventRange;

static void finish_call(EventRange *range)
{
    const Event *events = range->call.items;
    uint32_t kind = call_kind_of(events, range->call.count);
    uint64_t n_sends = range->call_sends;
    for (size_t i = 0; i < range->call.count; i++) {
        uint64_t number = range->call_number + i;
        if (number >= range->from && number < range->to)
            *vec_push(&range->events) = (ProcessEvent){.number = number,
                                                       .send_event = n_sends,
                                                       .event = events[i],
                                                       .since_ns = events[i].enter_ns - range->lifetime.begin_ns,
                                                       .mpi_ns = i ? 0 : events[i].leave_ns - events[i].enter_ns,
                                                       .kind = kind};
        n_sends += event_is_send_like(&events[i]);
    }
    range->call.count = 0;
}

/* False: the event lies beyond the range. */
static bool take_event(EventRange *range, const Event *event)
{
    lifetime_add(&range->lifetime, event);
    if (event->kind == EVENT_BEGIN || event->kind == EVENT_END)
        return true;
    if (range->call.count && !event_is_of_call(event, range->call.items))
        finish_call(range);
    if (!range->call.count && range->n_seen >= range->to)
        return false;
    if (!range->call.count) {
        range->call_number = range->n_seen;
        range->call_sends = range->n_sends;
    }
    *vec_push(&range->call) = *event;
    range->n_sends += event_is_send_like(event);
    range->n_seen++;
    return true;
}

static bool read_range(EventSource *source, uint32_t process, EventRange *range, bool *more, Err *err)
{
    Event events[BATCH_EVENTS];
    *more = false;
    for (;;) {
        size_t count;
        if (!source->read(source, process, events, BATCH_EVENTS, &count, err))
            return false;
        if (!count)
            break;
        for (size_t i = 0; i < count; i++)
            if (!take_event(range, &events[i])) {
                *more = true;
                return true;
            }
    }
    finish_call(range);
    *more = range->n_seen > range->to;
    return true;
}

bool profile_read_events(EventSource *source, uint32_t process, uint64_t from, uint64_t to, Arena *arena,
                         ProcessEvents *events, Err *err)
{
    EventRange range = {.from = from, .to = to};
    bool more, ok = read_range(source, process, &range, &more, err);
    if (ok && !range.events.count && (from || range.n_seen))
        ok = err_set(err, ERR_USAGE, "process %u has %" PRIu64 " events: it has none from number %" PRIu64 " on",
                     process, range.n_seen, from);
    if (ok)
        *events = (ProcessEvents){process, from, range.events.count, vec_copy(&range.events, arena), more};
    vec_free(&range.call);
    vec_free(&range.events);
    return ok;
}
