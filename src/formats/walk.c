/* SPDX-License-Identifier: BSD-3-Clause */
/* See walk.h. */
#include "formats/walk_state.h"

#include <inttypes.h>

/* Tags from here on are given to communicators other than the first. */
enum { OWN_TAGS = 1 << 30 };

void walk_flush(TraceWalk *walk)
{
    if (walk->compute_ns > 0)
        walk->sink->compute(walk->sink, 1e-9 * walk->compute_ns);
    walk->compute_ns = 0;
}

int32_t walk_tag(TraceWalk *walk, uint32_t comm, uint32_t tag)
{
    if (comm == 0 && tag < OWN_TAGS)
        return (int32_t)tag;
    return (int32_t)(OWN_TAGS + map_number(&walk->tag_of, (MapKey){comm, tag}, walk->tag_of.count));
}

bool walk_is_world(const TraceWalk *walk, uint32_t comm)
{
    const Comm *members = &walk->trace->comms[comm];
    return members->group == 0 && members->n_members == walk->trace->application.n_processes;
}

/* ---- Events ---- */

static uint64_t handle_of(const KeptEvent *event)
{
    return 2 * event->number + (event->event.kind != EVENT_SEND);
}

static void tell_message(TraceWalk *walk, MessageKind kind, const KeptEvent *kept)
{
    const Event *event = &kept->event;
    walk_flush(walk);
    walk->sink->message(walk->sink, kind, event->peer, walk_tag(walk, event->comm, event->tag), (double)event->bytes,
                        handle_of(kept));
}

static void tell_wait(TraceWalk *walk, const KeptEvent *kept)
{
    const Event *event = &kept->event;
    walk_flush(walk);
    walk->sink->wait(walk->sink, event->kind != EVENT_SEND, event->peer, walk_tag(walk, event->comm, event->tag),
                     handle_of(kept));
}

/* Whether the process also receives in the call of this blocking send, as by MPI_Sendrecv. */
static bool receives_beside(const KeptProcess *events, size_t at)
{
    for (size_t i = at + 1; i < events->n; i++) {
        const Event *event = &events->events[i].event;
        if (!event_is_of_call(event, &events->events[at].event))
            return false;
        if (event->kind == EVENT_RECV && event->request == NO_REQUEST)
            return true;
    }
    return false;
}

static void tell_send(TraceWalk *walk, size_t at)
{
    const KeptEvent *kept = &walk->events.events[at];
    const bool has_request = kept->event.request != NO_REQUEST;
    const bool is_beside = !has_request && receives_beside(&walk->events, at);
    tell_message(walk, has_request || is_beside ? MESSAGE_ISEND : MESSAGE_SEND, kept);
    if (has_request)
        *map_put(&walk->sends, (MapKey){0, kept->event.request}, NULL) = at + 1;
    if (is_beside)
        *vec_push(&walk->beside) = at;
}

/* Tells posted collectives, in the order of posting, up to the index `until`. All processes post the collectives of a
 * communicator in the same order, but may complete them in another. */
static void tell_posted(TraceWalk *walk, bool is_world, uint32_t comm, size_t until)
{
    size_t n_left = 0;
    for (size_t i = 0; i < walk->collectives.count; i++) {
        const Posted posted = walk->collectives.items[i];
        const KeptEvent *event = &walk->events.events[posted.event];
        if (posted.event <= until && (is_world ? posted.is_world : event->event.comm == comm))
            walk_collective(walk, event);
        else
            walk->collectives.items[n_left++] = posted;
    }
    walk->collectives.count = n_left;
}

static void tell_collective(TraceWalk *walk, size_t at)
{
    const KeptEvent *event = &walk->events.events[at];
    const bool is_world = walk_is_world(walk, event->event.comm);
    if (event->event.request != NO_REQUEST) {
        *vec_push(&walk->collectives) = (Posted){at, is_world};
        *map_put(&walk->sends, (MapKey){0, event->event.request}, NULL) = 0;
        walk->counts.n_nonblocking += event->place == 0;
        return;
    }
    tell_posted(walk, is_world, event->event.comm, at);
    walk_collective(walk, event);
}

static void complete_request(TraceWalk *walk, uint64_t request)
{
    uint64_t *send = map_get(&walk->sends, (MapKey){0, request});
    if (send && *send) {
        tell_wait(walk, &walk->events.events[*send - 1]);
        *send = 0;
        return;
    }
    for (size_t i = walk->collectives.count; i-- > 0;) {
        const Posted posted = walk->collectives.items[i];
        const Event *event = &walk->events.events[posted.event].event;
        if (event->request == request) {
            tell_posted(walk, posted.is_world, event->comm, posted.event);
            return;
        }
    }
}

static void wait_beside(TraceWalk *walk)
{
    for (size_t i = 0; i < walk->beside.count; i++)
        tell_wait(walk, &walk->events.events[walk->beside.items[i]]);
    walk->beside.count = 0;
}

static void tell_event(TraceWalk *walk, size_t at)
{
    const KeptEvent *kept = &walk->events.events[at];
    const Event *event = &kept->event;
    if (walk->beside.count && !event_is_of_call(event, &walk->events.events[walk->beside.items[0]].event))
        wait_beside(walk);
    walk->compute_ns += (double)event->compute_ns;
    walk->counts.n_one_sided += event->kind == EVENT_ONE_SIDED;
    walk->counts.n_window_syncs += event->kind == EVENT_WINDOW_SYNC;
    if (!kept->is_whole)
        return;
    switch ((EventKind)event->kind) {
    case EVENT_SEND:
        tell_send(walk, at);
        break;
    case EVENT_RECV_POST:
        tell_message(walk, MESSAGE_IRECV, kept);
        break;
    case EVENT_RECV:
        if (event->request == NO_REQUEST)
            tell_message(walk, MESSAGE_RECV, kept);
        else
            tell_wait(walk, kept);
        break;
    case EVENT_COLLECTIVE:
        tell_collective(walk, at);
        break;
    case EVENT_REQUEST_DONE:
        complete_request(walk, event->request);
        break;
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_RECV_CANCEL:
    case EVENT_ONE_SIDED:
    case EVENT_WINDOW_SYNC:
        break;
    }
}

/* Completes what no event has completed. */
static void tell_rest(TraceWalk *walk)
{
    wait_beside(walk);
    for (size_t i = 0; i < walk->events.n; i++) {
        const KeptEvent *send = &walk->events.events[i];
        if (send->event.kind != EVENT_SEND || send->event.request == NO_REQUEST || send->completes || !send->is_whole)
            continue;
        tell_wait(walk, send);
        walk->counts.n_open_sends++;
    }
    for (size_t i = 0; i < walk->collectives.count; i++)
        walk_collective(walk, &walk->events.events[walk->collectives.items[i].event]);
    walk_flush(walk);
}

bool walk_next(TraceWalk *walk, ActionSink *sink, Err *err)
{
    walk->sink = sink;
    if (!kept_next(walk->kept, &walk->events, err))
        return false;
    for (size_t i = 0; i < walk->events.n; i++)
        tell_event(walk, i);
    tell_rest(walk);
    map_free(&walk->sends);
    walk->collectives.count = 0;
    walk->process++;
    return true;
}

/* ---- The whole trace ---- */

static bool check_threads(const Trace *trace, Err *err)
{
    for (uint32_t i = 0; trace->n_sequences && i < trace->application.n_processes; i++)
        if (trace->n_sequences[i] > 1)
            return err_set(err, ERR_INPUT,
                           "threads of process %u communicate at the same time; a simulated process has one sequence "
                           "of actions",
                           i) ||
                   err_hint(err, "`firma export --to perfetto` draws each thread");
    return true;
}

bool walk_read(EventSource *source, const WalkOptions *options, const Progress *progress, TraceWalk **walk, Err *err)
{
    KeptTrace *kept;
    if (!check_threads(source->trace, err) || !kept_read(source, progress, &kept, err))
        return false;
    *walk = memory_zeroed(1, sizeof **walk);
    (*walk)->trace = source->trace;
    (*walk)->options = *options;
    (*walk)->kept = kept;
    (*walk)->handle = UINT64_MAX / 2;
    return true;
}

void walk_free(TraceWalk *walk)
{
    if (!walk)
        return;
    kept_free(walk->kept);
    map_free(&walk->tag_of);
    map_free(&walk->sends);
    vec_free(&walk->collectives);
    vec_free(&walk->beside);
    free(walk);
}

void walk_note(const TraceWalk *walk, Notes *notes)
{
    const WalkCounts *counts = &walk->counts;
    kept_note(walk->kept, notes);
    if (counts->n_one_sided)
        notes_add(notes, "%" PRIu64 " one-sided operations are left out", counts->n_one_sided);
    if (counts->n_window_syncs)
        notes_add(notes, "%" PRIu64 " synchronisations with some members of a window are left out",
                  counts->n_window_syncs);
    for (int i = 0; i < COLLECTIVE_COUNT; i++)
        if (counts->n_left_out[i])
            notes_add(notes, "left out: %" PRIu64 " collectives of the kind %s", counts->n_left_out[i],
                      collective_name((Collective)i));
    if (counts->n_cut)
        notes_add(notes, "%" PRIu64 " collectives have become messages", counts->n_cut);
    if (counts->n_nonblocking)
        notes_add(notes, "%" PRIu64 " nonblocking collectives are blocking ones where they complete",
                  counts->n_nonblocking);
    if (counts->n_open_sends)
        notes_add(notes,
                  "%" PRIu64 " nonblocking sends are waited for at the end, because the trace doesn't tell when they "
                  "completed",
                  counts->n_open_sends);
}
