/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates collectives and one-sided operations among the records of a location; see events.h.
 * firma's own attributes describe a collective at its request. In other tools' archives, only the
 * record of its end does. There, the event of a nonblocking collective is held back until the
 * collective completes. */
#include "trace/reader/events.h"

#include "trace/otf2_callbacks.h"
#include "trace/reader/ranks.h"
#include <string.h>

/* What is known about a collective, from one of these sources. */
typedef struct CollectiveFacts {
    uint8_t collective;
    OTF2_CommRef comm;
    uint32_t root;
    uint64_t bytes, bytes_received;
} CollectiveFacts;

static const uint8_t collective_of_operation[] = {
    [OTF2_COLLECTIVE_OP_BARRIER] = COLLECTIVE_BARRIER,
    [OTF2_COLLECTIVE_OP_BCAST] = COLLECTIVE_BCAST,
    [OTF2_COLLECTIVE_OP_GATHER] = COLLECTIVE_GATHER,
    [OTF2_COLLECTIVE_OP_GATHERV] = COLLECTIVE_GATHERV,
    [OTF2_COLLECTIVE_OP_SCATTER] = COLLECTIVE_SCATTER,
    [OTF2_COLLECTIVE_OP_SCATTERV] = COLLECTIVE_SCATTERV,
    [OTF2_COLLECTIVE_OP_ALLGATHER] = COLLECTIVE_ALLGATHER,
    [OTF2_COLLECTIVE_OP_ALLGATHERV] = COLLECTIVE_ALLGATHERV,
    [OTF2_COLLECTIVE_OP_ALLTOALL] = COLLECTIVE_ALLTOALL,
    [OTF2_COLLECTIVE_OP_ALLTOALLV] = COLLECTIVE_ALLTOALLV,
    [OTF2_COLLECTIVE_OP_ALLTOALLW] = COLLECTIVE_ALLTOALLW,
    [OTF2_COLLECTIVE_OP_ALLREDUCE] = COLLECTIVE_ALLREDUCE,
    [OTF2_COLLECTIVE_OP_REDUCE] = COLLECTIVE_REDUCE,
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = COLLECTIVE_REDUCE_SCATTER,
    [OTF2_COLLECTIVE_OP_SCAN] = COLLECTIVE_SCAN,
    [OTF2_COLLECTIVE_OP_EXSCAN] = COLLECTIVE_EXSCAN,
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = COLLECTIVE_REDUCE_SCATTER_BLOCK,
    [OTF2_COLLECTIVE_OP_CREATE_HANDLE] = COLLECTIVE_CREATE_HANDLE,
    [OTF2_COLLECTIVE_OP_DESTROY_HANDLE] = COLLECTIVE_DESTROY_HANDLE,
    [OTF2_COLLECTIVE_OP_ALLOCATE] = COLLECTIVE_CREATE_HANDLE,
    [OTF2_COLLECTIVE_OP_DEALLOCATE] = COLLECTIVE_DESTROY_HANDLE,
    [OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE] = COLLECTIVE_CREATE_HANDLE,
    [OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE] = COLLECTIVE_DESTROY_HANDLE,
};

_Static_assert(COLLECTIVE_COUNT <= UINT8_MAX, "a Collective fits into an Event");

/* The kind of a collective, from an attribute, the region's name, or OTF2's operation. */
static inline uint8_t kind_of_collective(const Location *location, const OTF2_AttributeList *attributes,
                                         uint32_t region, OTF2_CollectiveOp operation)
{
    const Archive *archive = location->archive;
    uint8_t kind;
    if (archive->attribute_collective != OTF2_UNDEFINED_ATTRIBUTE &&
        OTF2_AttributeList_GetNumberOfElements(attributes) &&
        OTF2_AttributeList_GetUint8(attributes, archive->attribute_collective, &kind) == OTF2_SUCCESS)
        return kind < COLLECTIVE_COUNT ? kind : COLLECTIVE_OTHER;
    if (region >> REGION_KIND_BITS)
        return (uint8_t)((region >> REGION_KIND_BITS) - 1);
    return operation < sizeof collective_of_operation ? collective_of_operation[operation] : COLLECTIVE_OTHER;
}

static OTF2_CallbackCode fill_collective(Location *location, Event *event, const CollectiveFacts *facts)
{
    const ReadComm *comm = location_find_comm(location, facts->comm);
    if (!comm)
        return OTF2_CALLBACK_INTERRUPT;
    event->collective = facts->collective;
    event->comm = location_comm_index(location, comm);
    event->bytes = facts->bytes;
    event->bytes_received = facts->bytes_received;
    if (facts->root == OTF2_COLLECTIVE_ROOT_SELF)
        event->peer = location->process;
    else if (facts->root == OTF2_COLLECTIVE_ROOT_NONE || facts->root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
        event->peer = NO_ROOT;
    else if (!location_world_rank(location, comm, facts->root, &event->peer))
        return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

static bool facts_from_attributes(const Archive *archive, const OTF2_AttributeList *attributes, CollectiveFacts *facts)
{
    if (archive->attribute_comm == OTF2_UNDEFINED_ATTRIBUTE || OTF2_AttributeList_GetNumberOfElements(attributes) < 5)
        return false;
    bool all =
        OTF2_AttributeList_GetUint8(attributes, archive->attribute_collective, &facts->collective) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetCommRef(attributes, archive->attribute_comm, &facts->comm) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetUint32(attributes, archive->attribute_root, &facts->root) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetUint64(attributes, archive->attribute_sent, &facts->bytes) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetUint64(attributes, archive->attribute_received, &facts->bytes_received) == OTF2_SUCCESS;
    if (facts->collective >= COLLECTIVE_COUNT)
        facts->collective = COLLECTIVE_OTHER;
    return all;
}

static OTF2_CallbackCode on_collective_begin(EVENT_RECORD)
{
    Location *location = user;
    CollectiveFacts facts;
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->begin_ns = location->last_ns;
    if (!facts_from_attributes(location->archive, attributes, &facts))
        return OTF2_CALLBACK_SUCCESS;
    return fill_collective(location, location_add_event(location, EVENT_COLLECTIVE, location->last_ns), &facts);
}

static OTF2_CallbackCode on_collective_end(EVENT_RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
                                           uint64_t bytes_sent, uint64_t bytes_received)
{
    Location *location = user;
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    CollectiveFacts facts = {
        .collective = kind_of_collective(location, attributes, location->depth ? location->region : 0, operation),
        .comm = comm,
        .root = root,
        .bytes = bytes_sent,
        .bytes_received = bytes_received,
    };
    return fill_collective(location, location_add_event(location, EVENT_COLLECTIVE, location->begin_ns), &facts);
}

static OTF2_CallbackCode on_collective_request(EVENT_RECORD, uint64_t request)
{
    Location *location = user;
    CollectiveFacts facts;
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = location_add_event(location, EVENT_COLLECTIVE, location->last_ns);
    event->request = request;
    if (facts_from_attributes(location->archive, attributes, &facts))
        return fill_collective(location, event, &facts);
    event->collective = kind_of_collective(location, attributes, location->depth ? location->region : 0, UINT8_MAX);
    vec_push(&location->held)[0] = (struct HeldCollective){.request = request, .event = location->count - 1};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_complete(EVENT_RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                                uint32_t root, uint64_t bytes_sent, uint64_t bytes_received,
                                                uint64_t request)
{
    Location *location = user;
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (location->archive->tells_completions)
        location_add_event(location, EVENT_REQUEST_DONE, location->last_ns)->request = request;
    for (size_t i = 0; i < location->held.count; i++) {
        if (location->held.items[i].request != request)
            continue;
        Event *event = &location->events[location->held.items[i].event];
        uint8_t kind = kind_of_collective(location, attributes, 0, operation);
        CollectiveFacts facts = {
            .collective = event->collective == COLLECTIVE_OTHER ? kind : event->collective,
            .comm = comm,
            .root = root,
            .bytes = bytes_sent,
            .bytes_received = bytes_received,
        };
        location->held.count--;
        memmove(&location->held.items[i], &location->held.items[i + 1],
                (location->held.count - i) * sizeof *location->held.items);
        return fill_collective(location, event, &facts);
    }
    return OTF2_CALLBACK_SUCCESS; /* the attributes of its request have described it already */
}

/* Returns NULL, and reading fails, if the window isn't defined. */
static const ReadComm *find_window(Location *location, OTF2_RmaWinRef window)
{
    uint32_t i = ref_table_get(&location->archive->windows, window);
    if (i != NOT_FOUND)
        return &location->archive->read_comms.items[i];
    location_fail(location, "an event refers to RMA window %u, which isn't defined for MPI", window);
    return NULL;
}

/* What a put, a get or an atomic operation moves. `request`: OTF2's matching number; 0: none. */
typedef struct Access {
    uint64_t bytes, bytes_received, request;
} Access;

static OTF2_CallbackCode add_one_sided(Location *location, OTF2_TimeStamp time, OTF2_RmaWinRef window, uint32_t remote,
                                       Access access)
{
    uint32_t world;
    const ReadComm *comm;
    if (!location_take_time(location, time) || !(comm = find_window(location, window)) ||
        !location_world_rank(location, comm, remote, &world))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = location_add_event(location, EVENT_ONE_SIDED, location->last_ns);
    event->comm = location_comm_index(location, comm);
    event->peer = world;
    event->bytes = access.bytes;
    event->bytes_received = access.bytes_received;
    event->request = access.request ? access.request : NO_REQUEST;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_put(EVENT_RECORD, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    return add_one_sided(user, time, window, remote, (Access){.bytes = bytes, .request = matching});
}

static OTF2_CallbackCode on_get(EVENT_RECORD, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    return add_one_sided(user, time, window, remote, (Access){.bytes_received = bytes, .request = matching});
}

static OTF2_CallbackCode on_atomic(EVENT_RECORD, OTF2_RmaWinRef window, uint32_t remote, UNUSED OTF2_RmaAtomicType type,
                                   uint64_t bytes_sent, uint64_t bytes_received, uint64_t matching)
{
    return add_one_sided(user, time, window, remote, (Access){bytes_sent, bytes_received, matching});
}

/* remote: OTF2_UNDEFINED_UINT32 is every member. */
static OTF2_CallbackCode add_sync(Location *location, OTF2_TimeStamp time, OTF2_RmaWinRef window, WindowSync sync,
                                  uint32_t remote, uint64_t request)
{
    uint32_t peer = EVERY_PEER;
    const ReadComm *comm;
    if (!location_take_time(location, time) || !(comm = find_window(location, window)) ||
        (remote != OTF2_UNDEFINED_UINT32 && !location_world_rank(location, comm, remote, &peer)))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = location_add_event(location, EVENT_WINDOW_SYNC, location->last_ns);
    event->collective = sync;
    event->comm = location_comm_index(location, comm);
    event->peer = peer;
    event->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_sync(EVENT_RECORD, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type)
{
    WindowSync sync = type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT  ? WINDOW_SYNC_NOTIFY
                      : type == OTF2_RMA_SYNC_TYPE_NOTIFY_IN ? WINDOW_SYNC_AWAIT
                                                             : WINDOW_SYNC_COMPLETE;
    return add_sync(user, time, window, sync, remote, NO_REQUEST);
}

static OTF2_CallbackCode on_unlock(EVENT_RECORD, OTF2_RmaWinRef window, uint32_t remote, UNUSED uint64_t lock)
{
    return add_sync(user, time, window, WINDOW_SYNC_COMPLETE, remote, NO_REQUEST);
}

static OTF2_CallbackCode on_access_complete(EVENT_RECORD, OTF2_RmaWinRef window, uint64_t matching)
{
    return add_sync(user, time, window, WINDOW_SYNC_COMPLETE, OTF2_UNDEFINED_UINT32, matching);
}

static OTF2_CallbackCode on_window_collective_end(EVENT_RECORD, OTF2_CollectiveOp operation,
                                                  UNUSED OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root,
                                                  uint64_t bytes_sent, uint64_t bytes_received)
{
    Location *location = user;
    const ReadComm *comm;
    if (!location_take_time(location, time) || !(comm = find_window(location, window)))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = location_add_event(location, EVENT_COLLECTIVE, location->begin_ns);
    event->collective = kind_of_collective(location, attributes, 0, operation);
    event->comm = location_comm_index(location, comm);
    event->bytes = bytes_sent;
    event->bytes_received = bytes_received;
    if (root < OTF2_COLLECTIVE_ROOT_THIS_GROUP && !location_world_rank(location, comm, root, &event->peer))
        return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

void reader_set_collective_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(callbacks, on_sync);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_unlock);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_access_complete);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_access_complete);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_access_complete);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_window_collective_end);
}
