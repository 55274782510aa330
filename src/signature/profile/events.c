/* SPDX-License-Identifier: BSD-3-Clause */
/* A stretch of one process's events. A call's kind shows in all its events, so the last call is read to its end. */
#include "signature/profile/profile.h"

#include "base/vec.h"
#include <inttypes.h>

enum { BATCH_EVENTS = 1024 };

typedef struct Stretch {
    uint64_t from, to;
    uint64_t n_seen, n_sends;
    Lifetime lifetime;
    VEC(Event) call;
    VEC(ProcessEvent) events;
    uint64_t call_number, call_sends; /* of the call's first event */
} Stretch;

static void finish_call(Stretch *stretch)
{
    const Event *events = stretch->call.items;
    uint32_t kind = call_kind_of(events, stretch->call.count);
    uint64_t n_sends = stretch->call_sends;
    for (size_t i = 0; i < stretch->call.count; i++) {
        uint64_t number = stretch->call_number + i;
        if (number >= stretch->from && number < stretch->to)
            *vec_push(&stretch->events) = (ProcessEvent){.number = number,
                                                         .send_event = n_sends,
                                                         .event = events[i],
                                                         .since_ns = events[i].enter_ns - stretch->lifetime.begin_ns,
                                                         .mpi_ns = i ? 0 : events[i].leave_ns - events[i].enter_ns,
                                                         .kind = kind};
        n_sends += event_is_send_like(&events[i]);
    }
    stretch->call.count = 0;
}

/* False: behind the stretch. */
static bool take_event(Stretch *stretch, const Event *event)
{
    lifetime_add(&stretch->lifetime, event);
    if (event->kind == EVENT_BEGIN || event->kind == EVENT_END)
        return true;
    if (stretch->call.count && !event_is_of_call(event, stretch->call.items))
        finish_call(stretch);
    if (!stretch->call.count && stretch->n_seen >= stretch->to)
        return false;
    if (!stretch->call.count) {
        stretch->call_number = stretch->n_seen;
        stretch->call_sends = stretch->n_sends;
    }
    *vec_push(&stretch->call) = *event;
    stretch->n_sends += event_is_send_like(event);
    stretch->n_seen++;
    return true;
}

static bool read_stretch(EventSource *source, uint32_t process, Stretch *stretch, bool *more, Err *err)
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
            if (!take_event(stretch, &events[i])) {
                *more = true;
                return true;
            }
    }
    finish_call(stretch);
    *more = stretch->n_seen > stretch->to;
    return true;
}

bool profile_read_events(EventSource *source, uint32_t process, uint64_t from, uint64_t to, Arena *arena,
                         ProcessEvents *events, Err *err)
{
    Stretch stretch = {.from = from, .to = to};
    bool more, ok = read_stretch(source, process, &stretch, &more, err);
    if (ok && !stretch.events.count && (from || stretch.n_seen))
        ok = err_set(err, ERR_USAGE, "process %u has %" PRIu64 " events: there is none from %" PRIu64 " on", process,
                     stretch.n_seen, from);
    if (ok)
        *events = (ProcessEvents){process, from, stretch.events.count, vec_copy(&stretch.events, arena), more};
    vec_free(&stretch.call);
    vec_free(&stretch.events);
    return ok;
}
