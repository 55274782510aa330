/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's part in a collective: as such, if the format knows it, or as messages. */
#include "formats/walk_state.h"

#include <assert.h>

typedef struct Cut {
    MessageSink sink;
    TraceWalk *walk;
    const Comm *comm;
    int32_t tag;
    VEC(struct OpenSend {
        uint32_t peer;
        uint64_t handle;
    })
    open;
} Cut;

static void put_cut_message(MessageSink *sink, StepKind kind, uint32_t place, double bytes, bool blocks)
{
    Cut *cut = (Cut *)sink;
    assert(place < cut->comm->n_members);
    const uint32_t peer = cut->comm->members[place];
    const uint64_t handle = cut->walk->handle++;
    if (kind == STEP_SEND && !blocks)
        *vec_push(&cut->open) = (struct OpenSend){peer, handle};
    cut->walk->sink->message(cut->walk->sink,
                             kind == STEP_RECV ? MESSAGE_RECV
                             : blocks          ? MESSAGE_SEND
                                               : MESSAGE_ISEND,
                             peer, cut->tag, bytes, handle);
}

static double received_by_all(const KeptCall *call, uint32_t n)
{
    double received = 0;
    for (uint32_t i = 0; call->shares && i < n; i++)
        received += call->shares[i].received;
    return received;
}

static void put_messages(TraceWalk *walk, const KeptCall *call, const CollectivePart *part,
                         const CollectiveAlgorithm *algorithm)
{
    Cut cut = {.sink = {put_cut_message},
               .walk = walk,
               .comm = &walk->trace->comms[call->comm],
               .tag = walk_tag(walk, call->comm, COLLECTIVE_TAG)};
    algorithm->put_messages(part, &cut.sink);
    for (size_t i = 0; i < cut.open.count; i++)
        walk->sink->wait(walk->sink, false, cut.open.items[i].peer, cut.tag, cut.open.items[i].handle);
    vec_free(&cut.open);
    walk->counts.n_cut += part->n > 1 && part->place == 0;
}

/* False: its messages aren't known. */
static bool cut_up(TraceWalk *walk, const KeptEvent *event, const KeptCall *call)
{
    const Comm *comm = &walk->trace->comms[call->comm];
    const Collective collective = event->event.collective;
    CollectivePart part = {.n = comm->n_members,
                           .place = event->place,
                           .root = NO_ROOT,
                           .own = {(double)event->event.bytes, (double)event->event.bytes_received},
                           .shares = collective_needs_shares(collective) ? call->shares : NULL,
                           .received = received_by_all(call, comm->n_members),
                           .library = walk->options.library,
                           .neighbours = comm->neighbours ? &comm->neighbours[event->place] : NULL};
    const CollectiveAlgorithm *algorithm = collective_algorithm_in(part.library, collective, comm, part.own);
    if (collective_has_root(collective))
        part.root = comm_place(comm, call->root);
    if (!algorithm || part.root == comm->n_members)
        return false;
    put_messages(walk, call, &part, algorithm);
    return true;
}

/* False: the format doesn't know it. */
static bool tell_world(TraceWalk *walk, const KeptEvent *event, const KeptCall *call)
{
    const Collective collective = event->event.collective;
    const WorldCollective told = {.collective = collective,
                                  .n = walk->trace->comms[call->comm].n_members,
                                  .place = event->place,
                                  .root = collective_has_root(collective) ? call->root : NO_ROOT,
                                  .sent = (double)event->event.bytes,
                                  .received = (double)event->event.bytes_received,
                                  .shares = call->shares};
    return walk->sink->collective(walk->sink, &told);
}

void walk_collective(TraceWalk *walk, const KeptEvent *event)
{
    const KeptCall call = kept_call(walk->kept, event->number);
    const Collective collective = event->event.collective;
    const bool has_root = !collective_has_root(collective) || call.root != NO_ROOT;
    const bool is_told = has_root && !walk->options.leaves_out_collectives;
    if (collective == COLLECTIVE_DESTROY_HANDLE)
        return;
    walk_flush(walk);
    if (is_told && walk->sink->collective && walk_is_world(walk, call.comm) && tell_world(walk, event, &call))
        return;
    if (is_told && cut_up(walk, event, &call))
        return;
    walk->counts.n_left_out[collective] += event->place == 0;
}
