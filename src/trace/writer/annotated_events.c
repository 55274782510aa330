/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of a process; see annotated.h. Reading the archive again gives the same events,
 * in the same order, with the same times:
 *
 *   events of one call: SEND, RECV   ->   Enter MPI_Sendrecv   MpiSend {LT, tick}   MpiRecv {LT, tick}   Leave
 *
 * Computation between two calls may be shorter than the time between them, because the processor
 * was taken away, or because calls without an event (polls) lie there. Then samples of the metric
 * "CPU time" on both sides give the computation. */
#include "trace/writer/annotated_state.h"

#include "trace/calls.h"
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

static uint64_t advance(AnnotatedArchive *archive, int64_t time_ns)
{
    uint64_t time = time_ns > 0 ? (uint64_t)time_ns : 0;
    if (time > archive->now)
        archive->now = time;
    if (!archive->has_started && archive->now < archive->first_time)
        archive->first_time = archive->now;
    archive->has_started = true;
    return archive->now;
}

void annotated_enter(AnnotatedArchive *archive, uint32_t region, int64_t time_ns, uint64_t occurrence)
{
    assert(N_CALL_REGIONS + region < archive->n_named_regions);
    OTF2_AttributeList *attributes = occurrence == NO_OCCURRENCE ? NULL : archive->attributes;
    if (attributes)
        keep_first_failure(&archive->status,
                           OTF2_AttributeList_AddUint64(attributes, OCCURRENCE_ATTRIBUTE, occurrence));
    EMIT(archive, Enter, attributes, advance(archive, time_ns), N_CALL_REGIONS + region);
}

void annotated_leave(AnnotatedArchive *archive, uint32_t region, int64_t time_ns)
{
    EMIT(archive, Leave, NULL, advance(archive, time_ns), N_CALL_REGIONS + region);
}

static uint32_t region_of_name(AnnotatedArchive *archive, const char *name)
{
    uint16_t call;
    return call_find(name, &call) ? region_of_call(&archive->regions, call) : OTHER_REGION;
}

/* "allreduce" -> "MPI_Allreduce", or with a request "MPI_Iallreduce". */
static uint32_t region_of_collective(AnnotatedArchive *archive, const Event *event)
{
    if (event->collective == COLLECTIVE_CREATE_HANDLE)
        return MAKE_REGION;
    if (event->collective == COLLECTIVE_DESTROY_HANDLE)
        return FREE_REGION;
    char name[64] = "MPI_";
    const char *kind = collective_name(event->collective);
    bool has_request = event->request != NO_REQUEST;
    snprintf(name + 4, sizeof name - 4, "%s%s", has_request ? "I" : "", kind);
    if (!has_request)
        name[4] = (char)toupper((unsigned char)name[4]);
    return region_of_name(archive, name);
}

static uint32_t choose_region(AnnotatedArchive *archive, const Event *events, size_t count)
{
    size_t n_of_kind[EVENT_WINDOW_SYNC + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == EVENT_COLLECTIVE)
            return region_of_collective(archive, &events[i]);
        n_of_kind[events[i].kind]++;
    }
    size_t n_sends = n_of_kind[EVENT_SEND], n_posts = n_of_kind[EVENT_RECV_POST];
    const char *name = "MPI_Waitall";
    if (n_of_kind[EVENT_BEGIN])
        name = "MPI_Init";
    else if (n_of_kind[EVENT_END])
        name = "MPI_Finalize";
    else if (n_of_kind[EVENT_ONE_SIDED])
        name = !events[0].bytes_received ? "MPI_Put" : "MPI_Get";
    else if (n_of_kind[EVENT_WINDOW_SYNC])
        name = "MPI_Win_flush";
    else if (n_sends + n_posts > 1)
        name = n_of_kind[EVENT_RECV] ? "MPI_Sendrecv" : "MPI_Startall";
    else if (n_sends)
        name = n_of_kind[EVENT_RECV] ? "MPI_Sendrecv" : events[0].request == NO_REQUEST ? "MPI_Send" : "MPI_Isend";
    else if (n_posts)
        name = "MPI_Irecv";
    else if (count == 1)
        name = events[0].request == NO_REQUEST ? "MPI_Recv" : "MPI_Wait";
    return region_of_name(archive, name);
}

static OTF2_AttributeList *describe_place(AnnotatedArchive *archive, const EventPlace *place)
{
    if (!place->is_placed)
        return NULL;
    keep_first_failure(&archive->status,
                       OTF2_AttributeList_AddUint64(archive->attributes, LOGICAL_TIME_ATTRIBUTE, place->logical_time));
    keep_first_failure(&archive->status,
                       OTF2_AttributeList_AddUint64(archive->attributes, TICK_ATTRIBUTE, place->tick));
    return archive->attributes;
}

static void write_collective(AnnotatedArchive *archive, const Event *event, const EventPlace *place)
{
    uint32_t comm = archive->comms.defined[event->comm], root = OTF2_COLLECTIVE_ROOT_NONE;
    if (event->peer != NO_ROOT && comm == COMM_SELF)
        root = OTF2_COLLECTIVE_ROOT_SELF;
    else if (event->peer != NO_ROOT)
        root = trace_comms_rank(&archive->comms, event->comm, event->peer, archive->arena);
    if (root == OUTSIDE_RANK)
        root = OTF2_COLLECTIVE_ROOT_NONE;
    EMIT(archive, MpiCollectiveBegin, describe_place(archive, place), advance(archive, event->enter_ns));
    OTF2_AttributeList *attributes = collective_needs_kind(event->collective) ? archive->attributes : NULL;
    if (attributes)
        keep_first_failure(&archive->status,
                           OTF2_AttributeList_AddUint8(attributes, COLLECTIVE_ATTRIBUTE, event->collective));
    EMIT(archive, MpiCollectiveEnd, attributes, advance(archive, event->leave_ns),
         collective_operation(event->collective), comm, root, event->bytes, event->bytes_received);
}

static uint32_t window_of(AnnotatedArchive *archive, const Event *event)
{
    uint32_t *window = &archive->comms.unified[archive->comms.defined[event->comm]].window;
    if (*window == NO_WINDOW)
        *window = archive->n_windows++;
    return *window;
}

static void write_one_sided(AnnotatedArchive *archive, const Event *event, uint32_t rank,
                            OTF2_AttributeList *attributes)
{
    uint32_t window = window_of(archive, event);
    uint64_t time = advance(archive, event->enter_ns), match = event->request == NO_REQUEST ? 0 : event->request;
    if (!event->bytes_received)
        EMIT(archive, RmaPut, attributes, time, window, rank, event->bytes, match);
    else if (!event->bytes)
        EMIT(archive, RmaGet, attributes, time, window, rank, event->bytes_received, match);
    else
        EMIT(archive, RmaAtomic, attributes, time, window, rank, OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
             event->bytes, event->bytes_received, match);
}

static void write_window_sync(AnnotatedArchive *archive, const Event *event, uint32_t rank)
{
    bool notifies = event->collective == WINDOW_SYNC_NOTIFY;
    uint32_t window = window_of(archive, event);
    uint64_t time = advance(archive, notifies ? event->enter_ns : event->leave_ns);
    if (event->request != NO_REQUEST)
        EMIT(archive, RmaOpCompleteNonBlocking, NULL, time, window, event->request);
    else
        EMIT(archive, RmaSync, NULL, time, window, rank, window_sync_type(event->collective));
}

static void write_event(AnnotatedArchive *archive, const Event *event, const EventPlace *place)
{
    if (event->kind == EVENT_COLLECTIVE) {
        write_collective(archive, event, place);
        return;
    }
    if (event->kind == EVENT_RECV_POST)
        EMIT(archive, MpiIrecvRequest, NULL, advance(archive, event->enter_ns), event->request);
    else if (event->kind == EVENT_RECV_CANCEL)
        EMIT(archive, MpiRequestCancelled, NULL, advance(archive, event->leave_ns), event->request);
    if (!event_is_in_order(event) && event->kind != EVENT_WINDOW_SYNC)
        return;
    if (event->kind == EVENT_WINDOW_SYNC && event->peer == EVERY_PEER) {
        write_window_sync(archive, event, OTF2_UNDEFINED_UINT32);
        return;
    }
    uint32_t comm = archive->comms.defined[event->comm];
    uint32_t rank = comm == COMM_SELF ? 0 : trace_comms_rank(&archive->comms, event->comm, event->peer, archive->arena);
    if (rank == OUTSIDE_RANK) {
        archive->stranger = *event;
        archive->has_stranger = true;
        return;
    }
    OTF2_AttributeList *attributes = describe_place(archive, place);
    if (event->kind == EVENT_ONE_SIDED) {
        write_one_sided(archive, event, rank, attributes);
    } else if (event->kind == EVENT_WINDOW_SYNC) {
        write_window_sync(archive, event, rank);
    } else if (event->kind == EVENT_SEND) {
        EMIT(archive, MpiSend, attributes, advance(archive, event->enter_ns), rank, comm, event->tag, event->bytes);
    } else {
        uint64_t time = advance(archive, event->leave_ns);
        if (event->request == NO_REQUEST)
            EMIT(archive, MpiRecv, attributes, time, rank, comm, event->tag, event->bytes);
        else
            EMIT(archive, MpiIrecv, attributes, time, rank, comm, event->tag, event->bytes, event->request);
    }
}

static void write_sample(AnnotatedArchive *archive, uint64_t time)
{
    const OTF2_Type type = OTF2_TYPE_UINT64;
    const OTF2_MetricValue value = {.unsigned_int = archive->cpu_ns};
    EMIT(archive, Metric, NULL, time, CPU_METRIC, 1, &type, &value);
}

void annotated_reach(AnnotatedArchive *archive, const Event *first)
{
    uint64_t free_ns = archive->now, enter = advance(archive, first->enter_ns), between = enter - free_ns;
    uint64_t computed = first->compute_ns > 0 ? (uint64_t)first->compute_ns : 0;
    bool is_told = first->kind == EVENT_BEGIN || first->kind == EVENT_END || computed >= between;
    if (!is_told)
        write_sample(archive, free_ns);
    archive->cpu_ns += computed < between ? computed : between;
    if (!is_told)
        write_sample(archive, enter);
}

void annotated_call(AnnotatedArchive *archive, const Event *events, const EventPlace *places, size_t count)
{
    assert(archive->writer && count > 0);
    uint32_t region = choose_region(archive, events, count);
    uint64_t enter = advance(archive, events[0].enter_ns);
    EMIT(archive, Enter, NULL, enter, region);
    for (size_t i = 0; i < count; i++)
        write_event(archive, &events[i], &places[i]);
    EMIT(archive, Leave, NULL, advance(archive, events[0].leave_ns), region);
}
