/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. Translates calls, messages and samples; collectives.c translates collectives. */
#include "trace/reader/events.h"

#include "trace/otf2_callbacks.h"
#include "trace/reader/ranks.h"

static inline void enter_region(Location *location, uint32_t kind)
{
    if (kind == REGION_IO)
        location_enter_io(location);
    else if (kind != REGION_OTHER)
        location_enter_call(location, kind);
}

static inline void leave_region(Location *location, uint32_t kind)
{
    if (kind == REGION_IO)
        location_leave_io(location);
    else if (kind != REGION_OTHER)
        location_leave_call(location);
}

/* Takes the event's time, and finds its region. Reading fails if the region isn't defined. */
static inline OTF2_CallbackCode take_region(Location *location, OTF2_TimeStamp time, OTF2_RegionRef region,
                                            void (*pass)(Location *location, uint32_t kind))
{
    uint32_t kind = ref_table_get(&location->archive->regions, region);
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (kind == NOT_FOUND)
        return location_fail(location, "an event refers to region %u, which isn't defined", region);
    pass(location, kind);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_enter(EVENT_RECORD, OTF2_RegionRef region)
{
    return take_region(user, time, region, enter_region);
}

static OTF2_CallbackCode on_leave(EVENT_RECORD, OTF2_RegionRef region)
{
    return take_region(user, time, region, leave_region);
}

static OTF2_CallbackCode take_context(Location *location, OTF2_TimeStamp time, OTF2_CallingContextRef context,
                                      void (*pass)(Location *location, uint32_t kind))
{
    uint32_t kind = ref_table_get(&location->archive->contexts, context);
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (kind != NOT_FOUND)
        pass(location, kind);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context_enter(EVENT_RECORD, OTF2_CallingContextRef context, UNUSED uint32_t unwind_distance)
{
    return take_context(user, time, context, enter_region);
}

static OTF2_CallbackCode on_context_leave(EVENT_RECORD, OTF2_CallingContextRef context)
{
    return take_context(user, time, context, leave_region);
}

static inline OTF2_CallbackCode add_message(Location *location, OTF2_TimeStamp time, EventKind kind, uint32_t peer,
                                            OTF2_CommRef ref, uint32_t tag, uint64_t bytes, uint64_t request)
{
    uint32_t world;
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    if (peer == OTF2_UNDEFINED_UINT32) /* a message to MPI_PROC_NULL */
        return OTF2_CALLBACK_SUCCESS;
    const ReadComm *comm = location_find_comm(location, ref);
    if (!comm || !location_world_rank(location, comm, peer, &world))
        return OTF2_CALLBACK_INTERRUPT;
    Event *event = location_add_event(location, kind, location->last_ns);
    event->comm = location_comm_index(location, comm);
    event->peer = world;
    event->tag = tag;
    event->bytes = bytes;
    event->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_send(EVENT_RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    return add_message(user, time, EVENT_SEND, receiver, comm, tag, bytes, NO_REQUEST);
}

static OTF2_CallbackCode on_isend(EVENT_RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t request)
{
    return add_message(user, time, EVENT_SEND, receiver, comm, tag, bytes, request);
}

static OTF2_CallbackCode on_recv(EVENT_RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    return add_message(user, time, EVENT_RECV, sender, comm, tag, bytes, NO_REQUEST);
}

static OTF2_CallbackCode on_irecv(EVENT_RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t request)
{
    return add_message(user, time, EVENT_RECV, sender, comm, tag, bytes, request);
}

static inline OTF2_CallbackCode add_request(Location *location, OTF2_TimeStamp time, EventKind kind, uint64_t request)
{
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    location_add_event(location, kind, location->last_ns)->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_irecv_request(EVENT_RECORD, uint64_t request)
{
    return add_request(user, time, EVENT_RECV_POST, request);
}

static OTF2_CallbackCode on_cancelled(EVENT_RECORD, uint64_t request)
{
    return add_request(user, time, EVENT_RECV_CANCEL, request);
}

static OTF2_CallbackCode on_metric(EVENT_RECORD, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
                                   const OTF2_MetricValue *values)
{
    Location *location = user;
    if (metric != location->archive->cpu_metric || n != 1 || types[0] != OTF2_TYPE_UINT64)
        return OTF2_CALLBACK_SUCCESS;
    if (!location_take_time(location, time))
        return OTF2_CALLBACK_INTERRUPT;
    location_take_sample(location, values[0].unsigned_int);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_isend_complete(EVENT_RECORD, uint64_t request)
{
    return add_request(user, time, EVENT_REQUEST_DONE, request);
}

void archive_tell_completions(Archive *archive)
{
    archive->tells_completions = true;
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(archive->callbacks, on_isend_complete);
}

OTF2_EvtReaderCallbacks *reader_event_callbacks(void)
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
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
    reader_set_collective_callbacks(callbacks);
    return callbacks;
}
