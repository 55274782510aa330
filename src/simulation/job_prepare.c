/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the events of a trace such that MPI can be called by them: a posted receive tells its message,
 * requests have slots, and messages of different communicators have different tags. */
#include "simulation/job_file.h"

#include "base/map.h"
#include "simulation/creations.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* ---- requests ---- */

#define NOT_STARTED UINT64_MAX
#define NOT_AWAITED (UINT64_MAX - 1) /* a request that nobody waits for; its slot is 0 */

/* The event that starts each request. */
typedef VEC(uint64_t) Starters;

static void note_starter(Starters *starters, uint64_t request, uint64_t event)
{
    while (starters->count <= request)
        *vec_push(starters) = NOT_STARTED;
    starters->items[request] = event;
}

static bool completes(const Event *event)
{
    return event->kind == EVENT_RECV || event->kind == EVENT_REQUEST_DONE || event->kind == EVENT_RECV_CANCEL;
}

static void take_message(Event *post, const Event *receive)
{
    post->peer = receive->peer;
    post->tag = receive->tag;
    post->comm = receive->comm;
    post->bytes = receive->bytes;
}

/* Receives that never complete are as if they weren't posted: nobody knows their message. Sends and
 * collectives go on without anybody who waits. */
static void drop_open_requests(RankWork *rank, const Starters *starters, const Map *completed)
{
    for (size_t i = 0; i < starters->count; i++)
        if (starters->items[i] != NOT_STARTED && !map_get(completed, (MapKey){i, 0})) {
            Event *event = &rank->events.items[starters->items[i]];
            if (event->kind == EVENT_RECV_POST)
                event->kind = EVENT_RECV_CANCEL;
            event->request = NOT_AWAITED;
        }
    for (size_t i = 0; i < rank->events.count; i++) {
        Event *event = &rank->events.items[i];
        if (event->request == NO_REQUEST && (event->kind == EVENT_REQUEST_DONE))
            event->kind = EVENT_RECV_CANCEL;
        if (event->kind == EVENT_RECV_CANCEL)
            event->request = NO_REQUEST;
    }
}

static void give_slots(RankWork *rank)
{
    VEC(uint64_t) free_slots = {0};
    Map slots = {0};
    uint64_t n = 1;
    for (size_t i = 0; i < rank->events.count; i++) {
        Event *event = &rank->events.items[i];
        bool is_new;
        if (event->request == NOT_AWAITED)
            event->request = 0;
        if (event->request == 0 || event->request == NO_REQUEST)
            continue;
        uint64_t *slot = map_put(&slots, (MapKey){event->request, 0}, &is_new);
        if (is_new)
            *slot = free_slots.count ? free_slots.items[--free_slots.count] : n++;
        event->request = *slot;
        if (completes(event))
            *vec_push(&free_slots) = *slot;
    }
    rank->n_slots = n;
    map_free(&slots);
    vec_free(&free_slots);
}

static void resolve_requests(RankWork *rank)
{
    Starters starters = {0};
    Map completed = {0};
    for (size_t i = 0; i < rank->events.count; i++) {
        Event *event = &rank->events.items[i];
        if (event->request == NO_REQUEST)
            continue;
        if (!completes(event)) {
            note_starter(&starters, event->request, i);
        } else if (event->request < starters.count && starters.items[event->request] != NOT_STARTED) {
            Event *starter = &rank->events.items[starters.items[event->request]];
            if (event->kind == EVENT_RECV)
                take_message(starter, event);
            if (event->kind == EVENT_RECV_CANCEL)
                continue;
            *map_put(&completed, (MapKey){event->request, 0}, NULL) = 1;
        }
    }
    drop_open_requests(rank, &starters, &completed);
    give_slots(rank);
    map_free(&completed);
    vec_free(&starters);
}

/* ---- messages ---- */

/* Messages from one process to another with one tag and communicator, which arrive in their order. */
typedef struct Channel {
    VEC(Event *) sends;
    size_t n_received;
} Channel;

typedef struct Channels {
    Map tags, numbers;
    size_t n_tags;
    VEC(Channel) items;
} Channels;

static Channel *find_channel(Channels *channels, uint32_t from, uint32_t to, uint32_t tag)
{
    size_t at = map_number(&channels->numbers, (MapKey){(uint64_t)from << 32 | to, tag}, channels->items.count);
    if (at == channels->items.count)
        *vec_push(&channels->items) = (Channel){0};
    return &channels->items.items[at];
}

static void number_tag(Channels *channels, Event *event)
{
    size_t number = map_number(&channels->tags, (MapKey){event->comm, event->tag}, channels->n_tags);
    channels->n_tags += number == channels->n_tags;
    event->tag = (uint32_t)number;
}

static bool is_receive(const Event *event)
{
    return event->kind == EVENT_RECV_POST || (event->kind == EVENT_RECV && event->request == NO_REQUEST);
}

static bool check_event(const Event *event, uint32_t process, Err *err)
{
    bool is_neighborhood = event->kind == EVENT_COLLECTIVE && event->collective >= COLLECTIVE_NEIGHBOR_ALLGATHER &&
                           event->collective <= COLLECTIVE_NEIGHBOR_ALLTOALLW;
    if (is_neighborhood)
        return err_set(err, ERR_INPUT, "process %u calls %s: collectives of neighbours can't be simulated", process,
                       collective_name(event->collective));
    return (event->bytes <= INT_MAX && event->bytes_received <= INT_MAX) ||
           err_set(err, ERR_INPUT, "process %u sends or receives more than 2 GiB at once: that can't be simulated",
                   process);
}

static bool collect_sends(Work *work, Channels *channels, Err *err)
{
    for (uint32_t i = 0; i < work->n_processes; i++)
        for (size_t k = 0; k < work->ranks[i].events.count; k++) {
            Event *event = &work->ranks[i].events.items[k];
            if (!check_event(event, i, err))
                return false;
            if (event->kind == EVENT_SEND || event->kind == EVENT_RECV || event->kind == EVENT_RECV_POST)
                number_tag(channels, event);
            if (event->kind == EVENT_SEND)
                *vec_push(&find_channel(channels, i, event->peer, event->tag)->sends) = event;
        }
    return true;
}

/* A receive gets as many bytes as its send has. open_ns: [n_slots] when the sends of posted receives returned. */
static bool match_receives_of(RankWork *rank, uint32_t process, Channels *channels, int64_t *open_ns, Err *err)
{
    rank->sent_ns.count = 0;
    vec_reserve(&rank->sent_ns, rank->events.count);
    for (size_t i = 0; i < rank->events.count; i++) {
        Event *event = &rank->events.items[i];
        *vec_push(&rank->sent_ns) =
            event->kind == EVENT_RECV && event->request != NO_REQUEST ? open_ns[event->request] : 0;
        if (!is_receive(event))
            continue;
        Channel *channel = find_channel(channels, event->peer, process, event->tag);
        if (channel->n_received == channel->sends.count)
            return err_set(err, ERR_INPUT,
                           "process %u receives a message from %u that the trace doesn't show being "
                           "sent (its event %zu)",
                           process, event->peer, i);
        const Event *send = channel->sends.items[channel->n_received++];
        event->bytes = send->bytes;
        if (event->kind == EVENT_RECV)
            rank->sent_ns.items[i] = send->leave_ns;
        else
            open_ns[event->request] = send->leave_ns;
    }
    return true;
}

static bool match_receives(Work *work, Channels *channels, Err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < work->n_processes; i++) {
        int64_t *open_ns = memory_zeroed(work->ranks[i].n_slots, sizeof *open_ns);
        ok = match_receives_of(&work->ranks[i], i, channels, open_ns, err);
        free(open_ns);
    }
    return ok;
}

/* Nobody would wait for them. */
static bool has_unreceived(const Channels *channels)
{
    for (size_t i = 0; i < channels->items.count; i++)
        if (channels->items.items[i].n_received < channels->items.items[i].sends.count)
            return true;
    return false;
}

static void free_channels(Channels *channels)
{
    for (size_t i = 0; i < channels->items.count; i++)
        vec_free(&channels->items.items[i].sends);
    vec_free(&channels->items);
    map_free(&channels->tags);
    map_free(&channels->numbers);
}

bool job_prepare(Work *work, Err *err)
{
    Channels channels = {0};
    creations_prepare(work);
    for (uint32_t i = 0; i < work->n_processes; i++)
        resolve_requests(&work->ranks[i]);
    bool ok = collect_sends(work, &channels, err) && match_receives(work, &channels, err);
    work->has_unreceived = ok && has_unreceived(&channels);
    free_channels(&channels);
    return ok;
}
