/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept.h. The first pass counts messages and collectives, and leaves the events in a spool. The second pass takes
 * one process at a time into memory. */
#include "formats/kept.h"

#include "base/map.h"
#include "base/spool.h"

enum { BATCH_EVENTS = 4096, SPOOL_BYTES = 256 << 20, SHARES_LIMIT = 1 << 26 };

#define NO_CALL UINT64_MAX

/* The messages from a process to another in one communicator, under one tag. MPI keeps their order. */
typedef struct Channel {
    uint64_t n_sent, n_received; /* by the first pass */
    uint64_t sends, receives;    /* of them, seen by the second pass */
    uint64_t first;              /* number of its first message, in the second pass */
    bool is_numbered;
} Channel;

typedef struct Call {
    uint32_t comm, root, n_here;
    uint8_t collective;
    bool is_disputed, has_shares;
    size_t first_share;
} Call;

typedef struct CommCalls {
    VEC(size_t) calls; /* index into KeptTrace.calls */
} CommCalls;

/* What the current process has done so far in a communicator. */
typedef struct Membership {
    uint32_t place;
    uint64_t n_calls;
} Membership;

struct KeptTrace {
    const Trace *trace;
    Spool *spool;
    uint32_t process; /* the next one of the second pass */
    Map channel_of;
    VEC(Channel) channels;
    uint64_t n_messages;
    CommCalls *comms; /* [n_comms] */
    VEC(Call) calls;
    VEC(MemberShare) shares;
    Map member_of;
    VEC(Membership) members;
    VEC(KeptEvent) events; /* of a process, in the second pass */
    uint64_t n_open_posts, n_foreign;
};

/* NULL: the process isn't a member. */
static Membership *membership_in(KeptTrace *kept, uint32_t process, uint32_t comm)
{
    if (comm >= kept->trace->n_comms)
        return NULL;
    const size_t number = map_number(&kept->member_of, (MapKey){0, comm}, kept->members.count);
    if (number == kept->members.count)
        *vec_push(&kept->members) = (Membership){.place = comm_place(&kept->trace->comms[comm], process)};
    Membership *member = &kept->members.items[number];
    return member->place < kept->trace->comms[comm].n_members ? member : NULL;
}

static void forget_memberships(KeptTrace *kept)
{
    map_free(&kept->member_of);
    kept->members.count = 0;
}

static bool is_message(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_RECV;
}

/* NULL: the other process isn't in the trace. */
static Channel *channel_of(KeptTrace *kept, uint32_t process, const Event *event)
{
    const bool sends = event->kind == EVENT_SEND;
    const uint64_t from = sends ? process : event->peer, to = sends ? event->peer : process;
    if (event->peer >= kept->trace->application.n_processes)
        return NULL;
    const MapKey key = {from << 32 | to, (uint64_t)event->comm << 32 | event->tag};
    const size_t number = map_number(&kept->channel_of, key, kept->channels.count);
    if (number == kept->channels.count)
        *vec_push(&kept->channels) = (Channel){0};
    return &kept->channels.items[number];
}

/* ---- First pass ---- */

static void count_message(KeptTrace *kept, uint32_t process, const Event *event)
{
    Channel *channel = channel_of(kept, process, event);
    if (!channel)
        kept->n_foreign++;
    else if (event->kind == EVENT_SEND)
        channel->n_sent++;
    else
        channel->n_received++;
}

static bool needs_shares(Collective collective)
{
    return collective_needs_shares(collective) || collective == COLLECTIVE_REDUCE_SCATTER;
}

static bool add_shares(KeptTrace *kept, Call *call, Err *err)
{
    const uint32_t n = kept->trace->comms[call->comm].n_members;
    if (kept->shares.count + n > SHARES_LIMIT)
        return err_set(err, ERR_INPUT,
                       "the collectives in which members' shares differ have more than %d shares in all", SHARES_LIMIT);
    call->has_shares = true;
    call->first_share = kept->shares.count;
    vec_reserve(&kept->shares, n);
    memset(kept->shares.items + kept->shares.count, 0, n * sizeof(MemberShare));
    kept->shares.count += n;
    return true;
}

/* The process's next call in the communicator. */
static Call *next_call(KeptTrace *kept, Membership *member, const Event *event)
{
    CommCalls *calls = &kept->comms[event->comm];
    if (member->n_calls == calls->calls.count) {
        *vec_push(&calls->calls) = kept->calls.count;
        *vec_push(&kept->calls) = (Call){.comm = event->comm, .root = event->peer, .collective = event->collective};
    }
    return &kept->calls.items[calls->calls.items[member->n_calls++]];
}

static bool count_collective(KeptTrace *kept, uint32_t process, const Event *event, Err *err)
{
    Membership *member = membership_in(kept, process, event->comm);
    if (!member) {
        kept->n_foreign++;
        return true;
    }
    Call *call = next_call(kept, member, event);
    call->is_disputed |= call->collective != event->collective || call->root != event->peer;
    call->n_here++;
    if (needs_shares(event->collective) && !call->has_shares && !add_shares(kept, call, err))
        return false;
    if (call->has_shares)
        kept->shares.items[call->first_share + member->place] =
            (MemberShare){(double)event->bytes, (double)event->bytes_received};
    return true;
}

static bool keep_event(KeptTrace *kept, uint32_t process, const Event *event, Err *err)
{
    if (is_message(event))
        count_message(kept, process, event);
    if (event->kind == EVENT_COLLECTIVE && !count_collective(kept, process, event, err))
        return false;
    return spool_write(kept->spool, process, event, err);
}

static bool keep_process(KeptTrace *kept, EventSource *source, uint32_t process, Err *err)
{
    Event *batch = memory_resize(NULL, BATCH_EVENTS * sizeof *batch);
    bool ok = true;
    forget_memberships(kept);
    for (size_t count = 1; ok && count;) {
        ok = source->read(source, process, batch, BATCH_EVENTS, &count, err);
        for (size_t i = 0; ok && i < count; i++)
            ok = keep_event(kept, process, &batch[i], err);
    }
    free(batch);
    return ok;
}

bool kept_read(EventSource *source, const Progress *progress, KeptTrace **kept, Err *err)
{
    const uint32_t n = source->trace->application.n_processes;
    KeptTrace *trace = memory_zeroed(1, sizeof *trace);
    trace->trace = source->trace;
    trace->spool = spool_new(n, sizeof(Event), SPOOL_BYTES);
    trace->comms = memory_zeroed((size_t)source->trace->n_comms + 1, sizeof(CommCalls));
    bool ok = true;
    for (uint32_t process = 0; ok && process < n; process++) {
        ok = keep_process(trace, source, process, err);
        progress_report(progress, "reading events", process + 1, n);
    }
    forget_memberships(trace);
    if (ok)
        *kept = trace;
    else
        kept_free(trace);
    return ok;
}

void kept_free(KeptTrace *kept)
{
    if (!kept)
        return;
    for (uint32_t i = 0; i < kept->trace->n_comms; i++)
        vec_free(&kept->comms[i].calls);
    forget_memberships(kept);
    map_free(&kept->channel_of);
    vec_free(&kept->channels);
    vec_free(&kept->calls);
    vec_free(&kept->shares);
    vec_free(&kept->members);
    vec_free(&kept->events);
    spool_free(kept->spool);
    free(kept->comms);
    free(kept);
}

/* ---- Second pass ---- */

static bool load_events(KeptTrace *kept, Err *err)
{
    bool is_there = true;
    kept->events.count = 0;
    spool_start(kept->spool, kept->process);
    while (is_there) {
        KeptEvent *event = vec_push(&kept->events);
        *event = (KeptEvent){.is_whole = true};
        if (!spool_read(kept->spool, &event->event, &is_there, err))
            return false;
    }
    kept->events.count--;
    return true;
}

/* Finds the event that completes each request. `request_of`: pending requests -> index + 1 of the event that made
 * them. Posts learn from their receives what they receive. */
static void resolve_request(KeptTrace *kept, KeptEvent *event, size_t at, Map *request_of)
{
    uint64_t *maker = map_put(request_of, (MapKey){0, event->event.request}, NULL);
    switch ((EventKind)event->event.kind) {
    case EVENT_SEND:
    case EVENT_RECV_POST:
    case EVENT_COLLECTIVE:
        *maker = at + 1;
        break;
    case EVENT_RECV:
        if (*maker) {
            Event *post = &kept->events.items[*maker - 1].event;
            kept->events.items[*maker - 1].completes = true;
            post->peer = event->event.peer;
            post->comm = event->event.comm;
            post->tag = event->event.tag;
            post->bytes = event->event.bytes;
            event->number = *maker - 1;
        } else {
            event->event.request = NO_REQUEST;
        }
        *maker = 0;
        break;
    case EVENT_REQUEST_DONE:
    case EVENT_RECV_CANCEL:
        if (*maker && event->event.kind == EVENT_REQUEST_DONE)
            kept->events.items[*maker - 1].completes = true;
        *maker = 0;
        break;
    default:
        break;
    }
}

static void resolve_requests(KeptTrace *kept)
{
    Map request_of = {0};
    for (size_t i = 0; i < kept->events.count; i++)
        if (kept->events.items[i].event.request != NO_REQUEST)
            resolve_request(kept, &kept->events.items[i], i, &request_of);
    map_free(&request_of);
}

/* Numbers a send, a post or a blocking receive among those of its channel. */
static void number_message(KeptTrace *kept, KeptEvent *event)
{
    Event ends = event->event;
    ends.kind = ends.kind == EVENT_SEND ? EVENT_SEND : EVENT_RECV;
    Channel *channel = channel_of(kept, kept->process, &ends);
    event->is_whole = channel != NULL;
    if (!channel)
        return;
    if (!channel->is_numbered) {
        channel->is_numbered = true;
        channel->first = kept->n_messages;
        kept->n_messages += channel->n_sent > channel->n_received ? channel->n_sent : channel->n_received;
    }
    const uint64_t own = ends.kind == EVENT_SEND ? channel->sends++ : channel->receives++;
    event->number = channel->first + own;
    event->is_whole = own < channel->n_sent && own < channel->n_received;
}

static void number_collective(KeptTrace *kept, KeptEvent *event)
{
    Membership *member = membership_in(kept, kept->process, event->event.comm);
    event->is_whole = false;
    event->number = NO_CALL;
    if (!member)
        return;
    const Call *call = next_call(kept, member, &event->event);
    event->number = (uint64_t)(call - kept->calls.items);
    event->place = member->place;
    event->is_whole = call->n_here == kept->trace->comms[call->comm].n_members && !call->is_disputed;
}

static void number_event(KeptTrace *kept, KeptEvent *event)
{
    switch ((EventKind)event->event.kind) {
    case EVENT_RECV_POST:
        if (!event->completes) {
            event->is_whole = false;
            kept->n_open_posts++;
            break;
        }
        number_message(kept, event);
        break;
    case EVENT_RECV:
        if (event->event.request != NO_REQUEST) {
            const KeptEvent *post = &kept->events.items[event->number];
            event->is_whole = post->is_whole;
            event->number = post->number;
            break;
        }
        number_message(kept, event);
        break;
    case EVENT_SEND:
        number_message(kept, event);
        break;
    case EVENT_COLLECTIVE:
        number_collective(kept, event);
        break;
    default:
        break;
    }
}

bool kept_next(KeptTrace *kept, KeptProcess *process, Err *err)
{
    forget_memberships(kept);
    if (!load_events(kept, err))
        return false;
    resolve_requests(kept);
    for (size_t i = 0; i < kept->events.count; i++)
        number_event(kept, &kept->events.items[i]);
    kept->process++;
    *process = (KeptProcess){kept->events.items, kept->events.count};
    return true;
}

KeptCall kept_call(const KeptTrace *kept, uint64_t number)
{
    const Call *call = &kept->calls.items[number];
    return (KeptCall){.comm = call->comm,
                      .root = call->root,
                      .collective = call->collective,
                      .is_disputed = call->is_disputed,
                      .n_here = call->n_here,
                      .shares = call->has_shares ? kept->shares.items + call->first_share : NULL};
}

static void count_halves(const KeptTrace *kept, uint64_t *n_sends, uint64_t *n_receives)
{
    *n_sends = *n_receives = 0;
    for (size_t i = 0; i < kept->channels.count; i++) {
        const Channel *channel = &kept->channels.items[i];
        *n_sends += channel->n_sent > channel->n_received ? channel->n_sent - channel->n_received : 0;
        *n_receives += channel->n_received > channel->n_sent ? channel->n_received - channel->n_sent : 0;
    }
}

void kept_note_arrows(const KeptTrace *kept, Notes *notes)
{
    uint64_t n_sends, n_receives;
    count_halves(kept, &n_sends, &n_receives);
    if (n_sends + n_receives)
        notes_add(notes, "%lu messages have no arrow, because the trace doesn't have both their sides",
                  (unsigned long)(n_sends + n_receives));
}

void kept_note(const KeptTrace *kept, Notes *notes)
{
    uint64_t n_sends, n_receives, n_partial = 0, n_disputed = 0;
    count_halves(kept, &n_sends, &n_receives);
    for (size_t i = 0; i < kept->calls.count; i++) {
        const Call *call = &kept->calls.items[i];
        n_disputed += call->is_disputed;
        n_partial += !call->is_disputed && call->n_here < kept->trace->comms[call->comm].n_members;
    }
    if (n_receives)
        notes_add(notes, "%lu receives are left out, because their sends aren't in the trace",
                  (unsigned long)n_receives);
    if (n_sends)
        notes_add(notes, "%lu sends are left out, because they were never received", (unsigned long)n_sends);
    if (kept->n_open_posts)
        notes_add(notes, "%lu posted receives are left out, because they never completed",
                  (unsigned long)kept->n_open_posts);
    if (n_partial)
        notes_add(notes, "%lu collectives are left out, because not all members came to them",
                  (unsigned long)n_partial);
    if (n_disputed)
        notes_add(notes, "%lu collectives are left out, because members disagree on what they are",
                  (unsigned long)n_disputed);
    if (kept->n_foreign)
        notes_add(notes,
                  "%lu messages and collectives are left out, because they name processes that aren't in the "
                  "trace, or not in the communicator",
                  (unsigned long)kept->n_foreign);
}
