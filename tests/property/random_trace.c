/* SPDX-License-Identifier: BSD-3-Clause */
/* See random_trace.h. Random processes take steps: send, post a receive (for any or a given source
 * and tag), complete a receive whose message has arrived, cancel another receive, receive blocking,
 * or enter a collective. */
#include "random_trace.h"

#define ANY UINT32_MAX

enum { N_TAGS = 2, N_COMMS = 4 };

typedef struct Message {
    uint32_t comm, source, tag;
    uint64_t bytes;
} Message;

typedef struct Posted {
    uint32_t comm, source, tag; /* ANY for wildcards */
    uint64_t request;
    bool has_message;
    Message message;
} Posted;

typedef struct Peer {
    VEC(Message) under_way; /* sent, but not arrived */
    VEC(Message) unexpected;
    VEC(Posted) posted;
    uint64_t next_request;
} Peer;

typedef struct Simulation {
    MemoryTrace *trace;
    uint32_t n;
    uint64_t random, next_bytes;
    Peer *peers;
} Simulation;

static bool fits(const Posted *posted, const Message *message)
{
    return posted->comm == message->comm && (posted->source == ANY || posted->source == message->source) &&
           (posted->tag == ANY || posted->tag == message->tag);
}

/* The oldest message from some sender arrives. Messages of one sender don't overtake each other. */
static void arrive(Simulation *simulation, Peer *peer)
{
    if (!peer->under_way.count)
        return;
    size_t chosen = random_below(&simulation->random, (uint32_t)peer->under_way.count);
    for (size_t i = 0; i < chosen; i++)
        if (peer->under_way.items[i].source == peer->under_way.items[chosen].source)
            chosen = i;
    Message message = peer->under_way.items[chosen];
    peer->under_way.count--;
    memmove(peer->under_way.items + chosen, peer->under_way.items + chosen + 1,
            (peer->under_way.count - chosen) * sizeof message);
    for (size_t i = 0; i < peer->posted.count; i++) {
        Posted *posted = &peer->posted.items[i];
        if (!posted->has_message && fits(posted, &message)) {
            posted->has_message = true;
            posted->message = message;
            return;
        }
    }
    *vec_push(&peer->unexpected) = message;
}

static bool take_unexpected(Peer *peer, Posted *posted)
{
    for (size_t i = 0; i < peer->unexpected.count; i++) {
        if (!fits(posted, &peer->unexpected.items[i]))
            continue;
        posted->has_message = true;
        posted->message = peer->unexpected.items[i];
        peer->unexpected.count--;
        memmove(peer->unexpected.items + i, peer->unexpected.items + i + 1,
                (peer->unexpected.count - i) * sizeof(Message));
        return true;
    }
    return false;
}

static void record_receive(Simulation *simulation, uint32_t process, const Posted *posted)
{
    memory_trace_add(simulation->trace, process,
                     (Event){.kind = EVENT_RECV,
                             .comm = posted->message.comm,
                             .peer = posted->message.source,
                             .tag = posted->message.tag,
                             .bytes = posted->message.bytes,
                             .request = posted->request});
}

static void drop_posted(Peer *peer, size_t i)
{
    peer->posted.count--;
    memmove(peer->posted.items + i, peer->posted.items + i + 1, (peer->posted.count - i) * sizeof(Posted));
}

static Posted random_pattern(Simulation *simulation)
{
    uint32_t source = random_below(&simulation->random, simulation->n + simulation->n / 2 + 1);
    uint32_t tag = random_below(&simulation->random, N_TAGS + 1);
    return (Posted){.comm = random_below(&simulation->random, 2),
                    .source = source < simulation->n ? source : ANY,
                    .tag = tag < N_TAGS ? tag : ANY};
}

static void send(Simulation *simulation, uint32_t process)
{
    uint32_t destination = random_below(&simulation->random, simulation->n);
    Message message = {random_below(&simulation->random, 2), process, random_below(&simulation->random, N_TAGS),
                       simulation->next_bytes++};
    memory_trace_add(simulation->trace, process,
                     (Event){.kind = EVENT_SEND,
                             .comm = message.comm,
                             .peer = destination,
                             .tag = message.tag,
                             .bytes = message.bytes,
                             .request = NO_REQUEST});
    *vec_push(&simulation->peers[destination].under_way) = message;
}

static void post(Simulation *simulation, uint32_t process)
{
    Peer *peer = &simulation->peers[process];
    Posted posted = random_pattern(simulation);
    posted.request = peer->next_request++;
    add_post(simulation->trace, process, posted.request);
    take_unexpected(peer, &posted);
    *vec_push(&peer->posted) = posted;
}

static void receive_blocking(Simulation *simulation, uint32_t process)
{
    Posted posted = random_pattern(simulation);
    posted.request = NO_REQUEST;
    if (take_unexpected(&simulation->peers[process], &posted))
        record_receive(simulation, process, &posted);
}

static void complete_or_cancel(Simulation *simulation, uint32_t process)
{
    Peer *peer = &simulation->peers[process];
    if (!peer->posted.count)
        return;
    size_t i = random_below(&simulation->random, (uint32_t)peer->posted.count);
    if (peer->posted.items[i].has_message)
        record_receive(simulation, process, &peer->posted.items[i]);
    else if (random_below(&simulation->random, 4) == 0)
        add_cancel(simulation->trace, process, peer->posted.items[i].request);
    else
        return;
    drop_posted(peer, i);
}

static void enter_collective(Simulation *simulation)
{
    uint32_t number = random_below(&simulation->random, N_COMMS);
    const Comm *comm = &simulation->trace->comms.items[number];
    uint64_t bytes = simulation->next_bytes++;
    for (uint32_t i = 0; i < comm->n_members; i++)
        add_collective(simulation->trace, comm->members[i], number, COLLECTIVE_ALLREDUCE, bytes);
}

/* Lets every message arrive, completes or cancels every posted receive, and receives the remaining
 * messages. */
static void settle(Simulation *simulation, uint32_t process)
{
    Peer *peer = &simulation->peers[process];
    while (peer->under_way.count)
        arrive(simulation, peer);
    while (peer->posted.count) {
        if (peer->posted.items[0].has_message)
            record_receive(simulation, process, &peer->posted.items[0]);
        else
            add_cancel(simulation->trace, process, peer->posted.items[0].request);
        drop_posted(peer, 0);
    }
    for (uint32_t comm = 0; comm < 2; comm++) {
        Posted any = {.comm = comm, .source = ANY, .tag = ANY, .request = NO_REQUEST};
        while (take_unexpected(peer, &any))
            record_receive(simulation, process, &any);
    }
}

static void step(Simulation *simulation)
{
    uint32_t process = random_below(&simulation->random, simulation->n);
    uint32_t what = random_below(&simulation->random, 100);
    if (what < 25) {
        send(simulation, process);
    } else if (what < 45) {
        post(simulation, process);
    } else if (what < 65) {
        arrive(simulation, &simulation->peers[process]);
    } else if (what < 83) {
        complete_or_cancel(simulation, process);
    } else if (what < 93) {
        receive_blocking(simulation, process);
    } else if (what < 97) {
        enter_collective(simulation);
    } else {
        memory_trace_add(simulation->trace, process,
                         (Event){.kind = EVENT_ONE_SIDED,
                                 .peer = random_below(&simulation->random, simulation->n),
                                 .bytes = simulation->next_bytes++,
                                 .request = NO_REQUEST});
    }
}

MemoryTrace *random_trace(uint64_t seed, uint32_t n_processes, int n_steps)
{
    Simulation simulation = {.trace = memory_trace_new(n_processes), .n = n_processes, .random = seed, .next_bytes = 1};
    uint32_t *members = memory_resize(NULL, n_processes * sizeof *members);
    for (uint32_t i = 0; i < n_processes; i++)
        members[i] = n_processes - 1 - i;                          /* in another order than the world's */
    memory_trace_add_comm(simulation.trace, members, n_processes); /* messages use this communicator and the world */
    memory_trace_add_comm(simulation.trace, members, (n_processes + 1) / 2);
    memory_trace_add_comm(simulation.trace, members + n_processes / 2, n_processes - n_processes / 2);
    free(members);
    simulation.peers = memory_zeroed(n_processes, sizeof(Peer));
    for (uint32_t i = 0; i < n_processes; i++)
        add_begin(simulation.trace, i);
    for (int i = 0; i < n_steps; i++)
        step(&simulation);
    for (uint32_t i = 0; i < n_processes; i++) {
        settle(&simulation, i);
        add_end(simulation.trace, i);
        vec_free(&simulation.peers[i].under_way);
        vec_free(&simulation.peers[i].unexpected);
        vec_free(&simulation.peers[i].posted);
    }
    free(simulation.peers);
    return simulation.trace;
}

static bool is_send_like(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_COLLECTIVE || event->kind == EVENT_ONE_SIDED;
}

/* by_bytes[b] is the LT of the send with b bytes, or the highest LT that a member's rule gives the
 * collective. UINT64_MAX: not known. */
static bool improve(const MemoryTrace *trace, bool is_lamport, uint64_t **lts, uint64_t *by_bytes)
{
    bool changed = false;
    for (uint32_t p = 0; p < trace->trace.application.n_processes; p++) {
        uint64_t floor = 0;
        for (size_t i = 0; i < trace->processes[p].events.count; i++) {
            const Event *event = &trace->processes[p].events.items[i];
            uint64_t lt;
            if (is_send_like(event)) {
                uint64_t *own = &by_bytes[event->bytes];
                if (*own == UINT64_MAX || *own < floor)
                    *own = floor;
                lt = *own;
                floor = lt + 1;
            } else if (event->kind == EVENT_RECV) {
                if (by_bytes[event->bytes] == UINT64_MAX)
                    continue;
                lt = by_bytes[event->bytes] + 1;
                if (is_lamport && lt < floor)
                    lt = floor;
                if (floor < lt + is_lamport)
                    floor = lt + is_lamport;
            } else {
                continue;
            }
            changed |= lts[p][i] != lt;
            lts[p][i] = lt;
        }
    }
    return changed;
}

uint64_t **reference_times(const MemoryTrace *trace, const char *method)
{
    uint32_t n = trace->trace.application.n_processes;
    uint64_t **lts = memory_zeroed(n, sizeof *lts);
    size_t n_events = 1;
    for (uint32_t p = 0; p < n; p++) {
        n_events += trace->processes[p].events.count;
        lts[p] = memory_resize(NULL, trace->processes[p].events.count * sizeof **lts);
        memset(lts[p], 0xff, trace->processes[p].events.count * sizeof **lts);
    }
    uint64_t *by_bytes = memory_resize(NULL, n_events * sizeof *by_bytes);
    memset(by_bytes, 0xff, n_events * sizeof *by_bytes);
    while (improve(trace, strcmp(method, "lamport") == 0, lts, by_bytes))
        ;
    free(by_bytes);
    return lts;
}
