/* SPDX-License-Identifier: BSD-3-Clause */
/* Events from an archive: OTF2's records of a location, a batch at a time, become events in the location's buffer.
 *
 * An event is handed on when the MPI call that it happened in has returned, as only then its leave_ns is known:
 *
 *   events: | handed on | ready ……… | of the call at hand … | free
 *                       head        ready                   count
 *
 * Computation. The time between calls counts as computation, as far as the samples of the processor's time allow: of
 * the time between two samples that the thread was not on a processor, what exceeds the time spent in MPI calls was
 * lost outside of them, and is taken off. Computation before calls without an event goes to the next event. */
#include "trace/reader.h"

#include "trace/otf2_errors.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__extension__ typedef unsigned __int128 Wide;

#define TIME_LIMIT_NS (UINT64_C(1) << 61)
enum { HELD_EVENTS_LIMIT = 1 << 22, SPARE_EVENTS = 4 };

const char *location_path(const Location *location, char path[4096])
{
    snprintf(path, 4096, "%s/%lu.evt%s", location->archive->events_path, (unsigned long)location->ref,
             location->archive->compressed ? ".z" : "");
    return path;
}

static OTF2_CallbackCode fail(Location *location, const char *format, ...) __attribute__((format(printf, 2, 3)));

static OTF2_CallbackCode fail(Location *location, const char *format, ...)
{
    char what[512], path[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    err_set(&location->err, ERR_INPUT, "%s: %s", location_path(location, path), what);
    location->failed = true;
    return OTF2_CALLBACK_INTERRUPT;
}

/* The time of a record in ns since the trace's origin; the location's clock never goes back. */
static inline bool take_time(Location *location, OTF2_TimeStamp time)
{
    const Archive *archive = location->archive;
    uint64_t ns = time > archive->offset ? time - archive->offset : 0;
    if (archive->resolution != 1000000000u) {
        Wide scaled = (Wide)ns * 1000000000u / archive->resolution;
        ns = scaled < TIME_LIMIT_NS ? (uint64_t)scaled : TIME_LIMIT_NS;
    }
    if (__builtin_expect(ns >= TIME_LIMIT_NS, 0)) {
        fail(location, "the time %lu lies too far from the trace's start", (unsigned long)time);
        return false;
    }
    if (ns > location->last_ns)
        location->last_ns = ns;
    return true;
}

static inline Event *push_event(Location *location, EventKind kind, uint64_t enter_ns)
{
    Event *event = &location->events[location->count++];
    *event = (Event){.kind = (uint8_t)kind,
                     .peer = NO_ROOT,
                     .request = NO_REQUEST,
                     .enter_ns = (int64_t)enter_ns,
                     .leave_ns = (int64_t)location->last_ns};
    return event;
}

/* A trace without MPI_Init starts with its first call. */
static inline void start_location(Location *location)
{
    if (location->started)
        return;
    location->started = true;
    location->free_since_ns = location->last_ns;
    if (location->is_main && !location->archive->has_init)
        push_event(location, EVENT_BEGIN, location->last_ns);
}

static inline void enter_call(Location *location, uint32_t region)
{
    start_location(location);
    if (location->depth++ > 0)
        return;
    location->compute_ns += location->last_ns - location->free_since_ns;
    location->enter_ns = location->last_ns;
    location->region = region;
    location->call_first = location->count;
    if ((region & 3) == REGION_FINALIZE && location->is_main)
        push_event(location, EVENT_END, location->enter_ns);
}

/* The events of the call that returns, or is cut off, now. */
static inline void finish_events(Location *location)
{
    if (location->call_first == location->count)
        return;
    location->events[location->call_first].compute_ns = (int64_t)location->compute_ns;
    location->compute_ns = 0;
    for (size_t i = location->call_first; i < location->count; i++)
        location->events[i].leave_ns = (int64_t)location->last_ns;
}

static inline void leave_call(Location *location)
{
    if (location->depth == 0 || --location->depth > 0)
        return;
    uint64_t since_ns = location->sample_time_ns > location->enter_ns ? location->sample_time_ns : location->enter_ns;
    location->mpi_ns += location->last_ns - since_ns;
    finish_events(location);
    location->free_since_ns = location->last_ns;
    if ((location->region & 3) == REGION_INIT && location->is_main) {
        push_event(location, EVENT_BEGIN, location->enter_ns);
        location->compute_ns = 0;
    }
    location->call_first = location->count;
}

/* The entry of an event that stands outside any MPI region was at `since_ns`. */
static inline Event *add_event(Location *location, EventKind kind, uint64_t since_ns)
{
    if (__builtin_expect(location->depth > 0, 1))
        return push_event(location, kind, location->enter_ns);
    start_location(location);
    if (since_ns < location->free_since_ns)
        since_ns = location->free_since_ns;
    Event *event = push_event(location, kind, since_ns);
    event->compute_ns = (int64_t)(location->compute_ns + since_ns - location->free_since_ns);
    location->compute_ns = 0;
    location->free_since_ns = location->last_ns;
    location->call_first = location->count;
    return event;
}

static inline const ReadComm *find_comm(Location *location, OTF2_CommRef ref)
{
    uint32_t i = ref_table_get(&location->archive->comms, ref);
    if (__builtin_expect(i != NOT_FOUND, 1))
        return &location->archive->read_comms.items[i];
    fail(location, "an event refers to communicator %u, which isn't defined", ref);
    return NULL;
}

static inline uint32_t comm_index(const Location *location, const ReadComm *comm)
{
    return comm->is_self ? comm->first + location->process : comm->first;
}

/* The world rank of a rank that an event of this location names. */
static inline bool world_rank(Location *location, const ReadComm *comm, uint32_t rank, uint32_t *world)
{
    const uint32_t *members = comm->a;
    uint32_t n = comm->n_a;
    if (__builtin_expect(comm->is_self || comm->is_inter, 0)) {
        if (comm->is_self) {
            members = &location->process;
            n = 1;
        } else if (comm->in_a[location->process / 8] >> location->process % 8 & 1) {
            members = comm->b;
            n = comm->n_b;
        }
    }
    if (__builtin_expect(rank >= n, 0)) {
        fail(location, "an event names rank %u of a communicator of %u", rank, n);
        return false;
    }
    *world = members[rank];
    return true;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    uint32_t kind = ref_table_get(&location->archive->regions, region);
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (kind == NOT_FOUND)
        return fail(location, "an event refers to region %u, which isn't defined", region);
    if (kind != REGION_OTHER)
        enter_call(location, kind);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    uint32_t kind = ref_table_get(&location->archive->regions, region);
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (kind == NOT_FOUND)
        return fail(location, "an event refers to region %u, which isn't defined", region);
    if (kind != REGION_OTHER)
        leave_call(location);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context_enter(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                          OTF2_AttributeList *attributes, OTF2_CallingContextRef context,
                                          uint32_t unwind_distance)
{
    (void)ref;
    (void)position;
    (void)attributes;
    (void)unwind_distance;
    Location *location = user;
    uint32_t kind = ref_table_get(&location->archive->contexts, context);
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (kind != REGION_OTHER && kind != NOT_FOUND)
        enter_call(location, kind);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context_leave(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                          OTF2_AttributeList *attributes, OTF2_CallingContextRef context)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    uint32_t kind = ref_table_get(&location->archive->contexts, context);
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (kind != REGION_OTHER && kind != NOT_FOUND)
        leave_call(location);
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode add_message(Location *location, OTF2_TimeStamp time, EventKind kind, uint32_t peer,
                                            OTF2_CommRef ref, uint32_t tag, uint64_t bytes, uint64_t request)
{
    uint32_t world;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (peer == OTF2_UNDEFINED_UINT32) /* to nobody */
        return OTF2_CALLBACK_SUCCESS;
    const ReadComm *comm = find_comm(location, ref);
    if (!comm || !world_rank(location, comm, peer, &world))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = add_event(location, kind, location->last_ns);
    event->comm = comm_index(location, comm);
    event->peer = world;
    event->tag = tag;
    event->bytes = bytes;
    event->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                 OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes)
{
    (void)ref;
    (void)position;
    (void)attributes;
    return add_message(user, time, EVENT_SEND, receiver, comm, tag, bytes, NO_REQUEST);
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                  OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t request)
{
    (void)ref;
    (void)position;
    (void)attributes;
    return add_message(user, time, EVENT_SEND, receiver, comm, tag, bytes, request);
}

static OTF2_CallbackCode on_recv(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                 OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes)
{
    (void)ref;
    (void)position;
    (void)attributes;
    return add_message(user, time, EVENT_RECV, sender, comm, tag, bytes, NO_REQUEST);
}

static OTF2_CallbackCode on_irecv(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                  OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t request)
{
    (void)ref;
    (void)position;
    (void)attributes;
    return add_message(user, time, EVENT_RECV, sender, comm, tag, bytes, request);
}

static OTF2_CallbackCode on_irecv_request(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                          OTF2_AttributeList *attributes, uint64_t request)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    add_event(location, EVENT_RECV_POST, location->last_ns)->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                      OTF2_AttributeList *attributes, uint64_t request)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    add_event(location, EVENT_RECV_CANCEL, location->last_ns)->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

/* What a collective is, from whichever record tells. */
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

/* An attribute says the kind, or the region's name, or the operation. */
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

static bool fill_collective(Location *location, Event *event, const CollectiveFacts *facts)
{
    const ReadComm *comm = find_comm(location, facts->comm);
    if (!comm)
        return false;
    event->collective = facts->collective;
    event->comm = comm_index(location, comm);
    event->bytes = facts->bytes;
    event->bytes_received = facts->bytes_received;
    if (facts->root == OTF2_COLLECTIVE_ROOT_SELF)
        event->peer = location->process;
    else if (facts->root == OTF2_COLLECTIVE_ROOT_NONE || facts->root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
        event->peer = NO_ROOT;
    else
        return world_rank(location, comm, facts->root, &event->peer);
    return true;
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

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                             OTF2_AttributeList *attributes)
{
    (void)ref;
    (void)position;
    Location *location = user;
    CollectiveFacts facts;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->begin_ns = location->last_ns;
    if (!facts_from_attributes(location->archive, attributes, &facts))
        return OTF2_CALLBACK_SUCCESS;
    Event *event = add_event(location, EVENT_COLLECTIVE, location->last_ns);
    return fill_collective(location, event, &facts) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static inline OTF2_CallbackCode add_collective(Location *location, const CollectiveFacts *facts)
{
    Event *event = add_event(location, EVENT_COLLECTIVE, location->begin_ns);
    return fill_collective(location, event, facts) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_collective_end(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                           OTF2_AttributeList *attributes, OTF2_CollectiveOp operation,
                                           OTF2_CommRef comm, uint32_t root, uint64_t bytes_sent,
                                           uint64_t bytes_received)
{
    (void)ref;
    (void)position;
    Location *location = user;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    CollectiveFacts facts = {
        .collective = kind_of_collective(location, attributes, location->depth ? location->region : 0, operation),
        .comm = comm,
        .root = root,
        .bytes = bytes_sent,
        .bytes_received = bytes_received,
    };
    return add_collective(location, &facts);
}

static OTF2_CallbackCode on_collective_request(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                               OTF2_AttributeList *attributes, uint64_t request)
{
    (void)ref;
    (void)position;
    Location *location = user;
    CollectiveFacts facts;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = add_event(location, EVENT_COLLECTIVE, location->last_ns);
    event->request = request;
    if (facts_from_attributes(location->archive, attributes, &facts))
        return fill_collective(location, event, &facts) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
    event->collective = kind_of_collective(location, attributes, location->depth ? location->region : 0, UINT8_MAX);
    vec_push(&location->held)[0] = (struct HeldCollective){.request = request, .event = location->count - 1};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_complete(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position,
                                                void *user, OTF2_AttributeList *attributes, OTF2_CollectiveOp operation,
                                                OTF2_CommRef comm, uint32_t root, uint64_t bytes_sent,
                                                uint64_t bytes_received, uint64_t request)
{
    (void)ref;
    (void)position;
    Location *location = user;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
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
        return fill_collective(location, event, &facts) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
    }
    return OTF2_CALLBACK_SUCCESS; /* its request told all */
}

static OTF2_CallbackCode add_one_sided(Location *location, OTF2_TimeStamp time, OTF2_RmaWinRef window, uint32_t remote,
                                       uint64_t bytes, uint64_t bytes_received)
{
    uint32_t world, i = ref_table_get(&location->archive->windows, window);
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (i == NOT_FOUND)
        return fail(location, "an event refers to RMA window %u, which isn't defined for MPI", window);
    const ReadComm *comm = &location->archive->read_comms.items[i];
    if (!world_rank(location, comm, remote, &world))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = add_event(location, EVENT_ONE_SIDED, location->last_ns);
    event->comm = comm_index(location, comm);
    event->peer = world;
    event->bytes = bytes;
    event->bytes_received = bytes_received;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_put(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                OTF2_AttributeList *attributes, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes,
                                uint64_t matching)
{
    (void)ref;
    (void)position;
    (void)attributes;
    (void)matching;
    return add_one_sided(user, time, window, remote, bytes, 0);
}

static OTF2_CallbackCode on_get(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                OTF2_AttributeList *attributes, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes,
                                uint64_t matching)
{
    (void)ref;
    (void)position;
    (void)attributes;
    (void)matching;
    return add_one_sided(user, time, window, remote, bytes, 0);
}

static OTF2_CallbackCode on_atomic(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                   OTF2_AttributeList *attributes, OTF2_RmaWinRef window, uint32_t remote,
                                   OTF2_RmaAtomicType type, uint64_t bytes_sent, uint64_t bytes_received,
                                   uint64_t matching)
{
    (void)ref;
    (void)position;
    (void)attributes;
    (void)type;
    (void)matching;
    return add_one_sided(user, time, window, remote, bytes_sent, bytes_received);
}

static OTF2_CallbackCode on_window_collective_begin(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position,
                                                    void *user, OTF2_AttributeList *attributes)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->begin_ns = location->last_ns;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window_collective_end(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position,
                                                  void *user, OTF2_AttributeList *attributes,
                                                  OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level,
                                                  OTF2_RmaWinRef window, uint32_t root, uint64_t bytes_sent,
                                                  uint64_t bytes_received)
{
    (void)ref;
    (void)position;
    (void)level;
    Location *location = user;
    uint32_t i = ref_table_get(&location->archive->windows, window);
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (i == NOT_FOUND)
        return fail(location, "an event refers to RMA window %u, which isn't defined for MPI", window);
    CollectiveFacts facts = {
        .collective = kind_of_collective(location, attributes, 0, operation),
        .root = root,
        .bytes = bytes_sent,
        .bytes_received = bytes_received,
    };
    Event *event = add_event(location, EVENT_COLLECTIVE, location->begin_ns);
    const ReadComm *comm = &location->archive->read_comms.items[i];
    event->collective = facts.collective;
    event->comm = comm_index(location, comm);
    event->bytes = bytes_sent;
    event->bytes_received = bytes_received;
    if (root < OTF2_COLLECTIVE_ROOT_THIS_GROUP && !world_rank(location, comm, root, &event->peer))
        return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric(OTF2_LocationRef ref, OTF2_TimeStamp time, uint64_t position, void *user,
                                   OTF2_AttributeList *attributes, OTF2_MetricRef metric, uint8_t n,
                                   const OTF2_Type *types, const OTF2_MetricValue *values)
{
    (void)ref;
    (void)position;
    (void)attributes;
    Location *location = user;
    if (metric != location->archive->cpu_metric || n != 1 || types[0] != OTF2_TYPE_UINT64)
        return OTF2_CALLBACK_SUCCESS;
    if (!take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    uint64_t now_ns = location->last_ns, cpu_ns = values[0].unsigned_int, mpi_ns = location->mpi_ns;
    if (location->depth > 0)
        mpi_ns +=
            now_ns - (location->sample_time_ns > location->enter_ns ? location->sample_time_ns : location->enter_ns);
    else if (location->started) {
        location->compute_ns += now_ns - location->free_since_ns;
        location->free_since_ns = now_ns;
    }
    if (location->sampled && cpu_ns >= location->sample_cpu_ns) {
        uint64_t elapsed_ns = now_ns - location->sample_time_ns, ran_ns = cpu_ns - location->sample_cpu_ns;
        uint64_t idle_ns = elapsed_ns > ran_ns ? elapsed_ns - ran_ns : 0;
        uint64_t lost_ns = idle_ns > mpi_ns ? idle_ns - mpi_ns : 0;
        location->compute_ns -= lost_ns < location->compute_ns ? lost_ns : location->compute_ns;
    }
    location->mpi_ns = 0;
    location->sample_time_ns = now_ns;
    location->sample_cpu_ns = cpu_ns;
    location->sampled = true;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_EvtReaderCallbacks *archive_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (!callbacks)
        return NULL;
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_window_collective_begin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_window_collective_end);
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
    return callbacks;
}

static bool broken_events(const Location *location, OTF2_ErrorCode status, Err *err)
{
    char path[4096];
    const char *cause = otf2_errors_first();
    return err_set(err, ERR_INPUT, "%s: cannot read the events: %s", location_path(location, path),
                   *cause ? cause : OTF2_Error_GetDescription(status));
}

static void unlink_reader(Location *location)
{
    Archive *archive = location->archive;
    *(location->newer ? &location->newer->older : &archive->newest) = location->older;
    *(location->older ? &location->older->newer : &archive->oldest) = location->newer;
    location->newer = location->older = NULL;
}

static void link_reader(Location *location)
{
    Archive *archive = location->archive;
    location->older = archive->newest;
    *(archive->newest ? &archive->newest->newer : &archive->oldest) = location;
    archive->newest = location;
}

static void close_reader(Location *location)
{
    if (!location->reader)
        return;
    unlink_reader(location);
    OTF2_Reader_CloseEvtReader(location->archive->reader, location->reader);
    location->reader = NULL;
    location->archive->n_open--;
}

/* Most have none: a chunk's header and the marks of its and the file's end. Opening it would cost 4 MiB of cleared
 * memory. */
static bool has_no_definitions(const char *path)
{
    enum { CHUNK_END = 2, FILE_END = 1, EMPTY_BYTES = 20 };
    unsigned char bytes[EMPTY_BYTES + 1];
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return true;
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    return size == EMPTY_BYTES && bytes[EMPTY_BYTES - 2] == CHUNK_END && bytes[EMPTY_BYTES - 1] == FILE_END;
}

/* Local definitions may translate the numbers that the location's events use; OTF2 applies them once they are read. */
static bool read_local_definitions(Location *location, Err *err)
{
    char path[4096];
    Archive *archive = location->archive;
    snprintf(path, sizeof path, "%s/%lu.def", archive->events_path, (unsigned long)location->ref);
    if (!archive->compressed && has_no_definitions(path))
        return true;
    uint64_t n_read;
    OTF2_DefReader *reader = OTF2_Reader_GetDefReader(archive->reader, location->ref);
    OTF2_ErrorCode code =
        reader ? OTF2_Reader_ReadAllLocalDefinitions(archive->reader, reader, &n_read) : OTF2_ERROR_INVALID;
    if (reader)
        OTF2_Reader_CloseDefReader(archive->reader, reader);
    if (code == OTF2_SUCCESS)
        return true;
    const char *cause = otf2_errors_first();
    return err_set(err, ERR_INPUT, "%s: cannot read the local definitions: %s", path,
                   *cause ? cause : OTF2_Error_GetDescription(code));
}

static bool open_reader(Location *location, Err *err)
{
    Archive *archive = location->archive;
    otf2_errors_start();
    if (location->n_read == 0 && !read_local_definitions(location, err))
        return false;
    if (archive->n_open >= archive->open_limit)
        close_reader(archive->oldest);
    location->reader = OTF2_Reader_GetEvtReader(archive->reader, location->ref);
    if (!location->reader)
        return broken_events(location, OTF2_ERROR_INVALID, err);
    link_reader(location);
    archive->n_open++;
    /* a position is that of the last event read: it is read once more, unheard */
    uint64_t n_again = 1;
    OTF2_ErrorCode status = OTF2_SUCCESS;
    if (location->n_read > 0) {
        status = OTF2_EvtReader_Seek(location->reader, location->n_read);
        if (status == OTF2_SUCCESS)
            status = OTF2_Reader_ReadLocalEvents(archive->reader, location->reader, 1, &n_again);
    }
    if (status == OTF2_SUCCESS)
        status = OTF2_Reader_RegisterEvtCallbacks(archive->reader, location->reader, archive->callbacks, location);
    return (status == OTF2_SUCCESS && n_again == 1) || broken_events(location, status, err);
}

/* A location without events needs no file. *absent: there is none. */
static bool check_file(const Location *location, bool *absent, Err *err)
{
    char path[4096];
    struct stat status;
    *absent = false;
    if (location->archive->compressed || stat(location_path(location, path), &status) == 0)
        return true;
    *absent = true;
    if (location->n_promised == 0)
        return true;
    return err_set(err, ERR_INPUT, "%s: %s, but %lu events are promised", path, strerror(errno),
                   (unsigned long)location->n_promised);
}

static void make_room(Location *location)
{
    size_t waiting = location->count - location->head, needed = waiting + location->archive->batch + SPARE_EVENTS;
    if (waiting && location->head)
        memmove(location->events, location->events + location->head, waiting * sizeof(Event));
    location->ready -= location->head;
    location->call_first -= location->head < location->call_first ? location->head : location->call_first;
    for (size_t i = 0; i < location->held.count; i++)
        location->held.items[i].event -= location->head;
    location->count = waiting;
    location->head = 0;
    if (needed > location->capacity) {
        location->capacity = needed > 2 * location->capacity ? needed : 2 * location->capacity;
        location->events = memory_resize(location->events, location->capacity * sizeof(Event));
    }
}

/* Nonblocking collectives that never completed have told nothing of themselves. */
static void drop_held(Location *location)
{
    for (size_t i = location->held.count; i-- > 0;) {
        size_t at = location->held.items[i].event;
        memmove(&location->events[at], &location->events[at + 1], (location->count - at - 1) * sizeof(Event));
        location->count--;
        location->call_first -= at < location->call_first;
    }
    location->held.count = 0;
}

/* A process that ended inside a call leaves its events without a return: they last until the last thing known. */
static void end_location(Location *location)
{
    if (location->depth > 0)
        finish_events(location);
    drop_held(location);
    if (location->is_main && location->started && !location->archive->has_finalize) {
        Event *event = push_event(location, EVENT_END, location->last_ns);
        event->compute_ns =
            location->depth ? 0 : (int64_t)(location->compute_ns + location->last_ns - location->free_since_ns);
    }
    location->ready = location->count;
    location->ended = true;
    close_reader(location);
}

static bool check_end(const Location *location, Err *err)
{
    char path[4096];
    if (location->n_promised == OTF2_UNDEFINED_UINT64 || location->n_read >= location->n_promised)
        return true;
    return err_set(err, ERR_INPUT, "%s: truncated: %lu events, but %lu are promised", location_path(location, path),
                   (unsigned long)location->n_read, (unsigned long)location->n_promised);
}

static void find_ready(Location *location)
{
    location->ready = location->depth > 0 ? location->call_first : location->count;
    if (location->held.count && location->held.items[0].event < location->ready)
        location->ready = location->held.items[0].event;
}

static bool read_batch(Location *location, Err *err)
{
    Archive *archive = location->archive;
    uint64_t n_read = 0;
    OTF2_ErrorCode status = OTF2_Reader_ReadLocalEvents(archive->reader, location->reader, archive->batch, &n_read);
    location->n_read += n_read;
    archive->n_read += n_read;
    if (location->failed) {
        *err = location->err;
        return false;
    }
    if (status != OTF2_SUCCESS)
        return broken_events(location, status, err);
    find_ready(location);
    if (n_read == archive->batch) {
        char path[4096];
        if (location->held.count == 0 || location->count - location->ready < HELD_EVENTS_LIMIT)
            return true;
        return err_set(
            err, ERR_INPUT, "%s: the nonblocking collective of request %lu hasn't completed %d events later, the limit",
            location_path(location, path), (unsigned long)location->held.items[0].request, HELD_EVENTS_LIMIT);
    }
    if (!check_end(location, err))
        return false;
    end_location(location);
    return true;
}

/* With very many locations what isn't needed until the next visit is given back. */
static void shrink(Location *location)
{
    const Archive *archive = location->archive;
    if (location->ended || archive->n_locations > archive->open_limit) {
        location->capacity = location->count;
        location->events = memory_resize(location->events, location->capacity * sizeof(Event));
    }
}

static bool fill(Location *location, Err *err)
{
    Archive *archive = location->archive;
    if (location->failed) {
        *err = location->err;
        return false;
    }
    make_room(location);
    bool ok = true;
    if (!location->reader) {
        bool absent = false;
        ok = location->n_read > 0 || check_file(location, &absent, err);
        if (ok && absent) {
            end_location(location);
            return true;
        }
        ok = ok && open_reader(location, err);
    } else if (archive->newest != location) {
        unlink_reader(location);
        link_reader(location);
    }
    ok = ok && read_batch(location, err);
    shrink(location);
    if (!ok && !location->failed) {
        location->failed = true;
        location->err = *err;
    }
    return ok;
}

/* The next event of a location is there, or the location has ended. */
static bool make_ready(Location *location, Err *err)
{
    while (location->head == location->ready && !location->ended)
        if (!fill(location, err))
            return false;
    return true;
}

/* When an event happened, for merging the threads of a process; never decreasing within a thread. */
static int64_t merge_time(Location *location)
{
    const Event *event = &location->events[location->head];
    bool at_return = event->kind == EVENT_RECV || event->kind == EVENT_RECV_CANCEL || event->kind == EVENT_BEGIN;
    int64_t time_ns = at_return ? event->leave_ns : event->enter_ns;
    if (time_ns > location->merge_ns)
        location->merge_ns = time_ns;
    return location->merge_ns;
}

static bool read_merged(Process *process, Event *events, size_t capacity, size_t *count, Err *err)
{
    for (*count = 0; *count < capacity; (*count)++) {
        Location *first = NULL;
        int64_t first_ns = 0;
        for (uint32_t i = 0; i < process->n_locations; i++) {
            Location *location = &process->locations[i];
            if (!make_ready(location, err))
                return false;
            if (location->head == location->ready)
                continue;
            int64_t time_ns = merge_time(location);
            if (!first || time_ns < first_ns) {
                first = location;
                first_ns = time_ns;
            }
        }
        if (!first)
            break;
        events[*count] = first->events[first->head++];
    }
    return true;
}

bool archive_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    Archive *archive = (Archive *)source;
    Process *read = &archive->processes[process];
    *count = 0;
    if (read->n_locations != 1)
        return read_merged(read, events, capacity, count, err);
    Location *location = read->locations;
    if (!make_ready(location, err))
        return false;
    size_t n = location->ready - location->head;
    if (n > capacity)
        n = capacity;
    if (n)
        memcpy(events, location->events + location->head, n * sizeof(Event));
    location->head += n;
    *count = n;
    if (n == 0) { /* ended */
        free(location->events);
        location->events = NULL;
        location->capacity = 0;
    }
    return true;
}
