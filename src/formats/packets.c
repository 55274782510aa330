/* SPDX-License-Identifier: BSD-3-Clause */
/* See packets.h. A trace is a list of packets, so each packet is written as a trace of its own. */
#include "formats/packets.h"

#include "base/vec.h"
#include "perfetto.pb-c.h"

/* All packets are one sequence, which shares the names. */
enum { SEQUENCE_ID = 1 };

static void put(Packets *packets, Perfetto__TracePacket *packet)
{
    Perfetto__Trace trace = PERFETTO__TRACE__INIT;
    packet->has_trusted_packet_sequence_id = true;
    packet->trusted_packet_sequence_id = SEQUENCE_ID;
    trace.n_packet = 1;
    trace.packet = &packet;
    const size_t size = perfetto__trace__get_packed_size(&trace);
    if (size > packets->capacity)
        packets->buffer = vec_grow(packets->buffer, 1, size, &packets->capacity);
    perfetto__trace__pack(&trace, packets->buffer);
    fwrite(packets->buffer, 1, size, packets->file.file);
    packets->n++;
}

void packets_free(Packets *packets)
{
    free(packets->buffer);
}

void packets_put_names(Packets *packets, const char *const *names, size_t n)
{
    Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    Perfetto__EventName *items = memory_zeroed(n, sizeof *items), **pointers = memory_zeroed(n, sizeof *pointers);
    for (size_t i = 0; i < n; i++) {
        items[i] = (Perfetto__EventName)PERFETTO__EVENT_NAME__INIT;
        items[i].has_iid = true;
        items[i].iid = i + 1;
        items[i].name = (char *)names[i];
        pointers[i] = &items[i];
    }
    interned.n_event_names = n;
    interned.event_names = pointers;
    packet.interned_data = &interned;
    packet.has_sequence_flags = true;
    packet.sequence_flags = PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED |
                            PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_NEEDS_INCREMENTAL_STATE;
    put(packets, &packet);
    free(items);
    free(pointers);
}

static void put_track(Packets *packets, Perfetto__TrackDescriptor *track, uint64_t uuid)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    track->has_uuid = true;
    track->uuid = uuid;
    packet.track_descriptor = track;
    put(packets, &packet);
}

void packets_put_process(Packets *packets, uint64_t track, int32_t pid, const char *name)
{
    Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
    process.has_pid = true;
    process.pid = pid;
    process.process_name = (char *)name;
    descriptor.process = &process;
    put_track(packets, &descriptor, track);
}

void packets_put_track(Packets *packets, uint64_t track, uint64_t parent, const char *name)
{
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
    descriptor.name = (char *)name;
    descriptor.has_parent_uuid = true;
    descriptor.parent_uuid = parent;
    put_track(packets, &descriptor, track);
}

static void put_event(Packets *packets, int64_t time_ns, Perfetto__TrackEvent *event, uint64_t track)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    event->has_track_uuid = event->has_type = true;
    event->track_uuid = track;
    packet.has_timestamp = packet.has_sequence_flags = true;
    packet.timestamp = time_ns > 0 ? (uint64_t)time_ns : 0;
    packet.sequence_flags = PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_NEEDS_INCREMENTAL_STATE;
    packet.track_event = event;
    put(packets, &packet);
}

void packets_begin_slice(Packets *packets, int64_t time_ns, const Slice *slice)
{
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    Perfetto__DebugAnnotation facts[SLICE_FACTS], *pointers[SLICE_FACTS];
    char *category = (char *)slice->category;
    for (size_t i = 0; i < slice->n_facts; i++) {
        facts[i] = (Perfetto__DebugAnnotation)PERFETTO__DEBUG_ANNOTATION__INIT;
        facts[i].name = (char *)slice->facts[i].name;
        facts[i].has_uint_value = true;
        facts[i].uint_value = slice->facts[i].number;
        pointers[i] = &facts[i];
    }
    event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
    event.has_name_iid = true;
    event.name_iid = slice->name;
    event.n_categories = 1;
    event.categories = &category;
    event.n_debug_annotations = slice->n_facts;
    event.debug_annotations = pointers;
    event.n_flow_ids = slice->n_begins;
    event.flow_ids = slice->begins;
    event.n_terminating_flow_ids = slice->n_ends;
    event.terminating_flow_ids = slice->ends;
    put_event(packets, time_ns, &event, slice->track);
}

void packets_end_slice(Packets *packets, int64_t time_ns, uint64_t track)
{
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
    put_event(packets, time_ns, &event, track);
}
