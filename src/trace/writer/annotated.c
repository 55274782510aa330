/* SPDX-License-Identifier: BSD-3-Clause */
/* See annotated.h. What reading the archive again gives are the same events, in the same order, with the same times:
 *
 *   events of one call: SEND, RECV   ->   Enter MPI_Sendrecv   MpiSend {LT, tick}   MpiRecv {LT, tick}   Leave
 *
 * Computation between calls may have been less than the time between them, as the processor was taken away, or as
 * calls without an event (polls) lay there. Then samples of the metric "CPU time" on both sides tell how much it was.
 */
#include "trace/annotated.h"

#include "trace/archive_names.h"
#include "trace/calls.h"
#include "trace/writer/output.h"
#include "trace/writer/trace_comms.h"
#include <ctype.h>
#include <string.h>

/* Calls without a name of their own, before the caller's regions. */
enum { MAKE_REGION, FREE_REGION, OTHER_REGION, N_CALL_REGIONS };
static const NamedRegion call_regions[N_CALL_REGIONS] = {
    [MAKE_REGION] = {"MPI (makes a handle)", "makes a communicator, window or file", true},
    [FREE_REGION] = {"MPI (frees a handle)", "frees a communicator, window or file", true},
    [OTHER_REGION] = {"MPI (collective)", "a collective whose name the trace doesn't tell", true},
};

struct AnnotatedArchive {
    ArchiveOutput output;
    Arena *arena;
    const Trace *trace;
    TraceComms comms;
    Recording recording; /* what the definitions need of one: processes with one thread each */
    RegionTable regions;
    NamedRegion *named_regions;
    uint32_t n_named_regions;
    uint32_t *window_of_comm; /* [n_comms of the trace] + 1; 0: no one-sided event */
    VEC(uint32_t) windows;    /* the communicator of each, as defined */
    uint64_t *n_events;       /* [n_processes] */
    uint64_t first_time, last_time;
    OTF2_AttributeList *attributes;
    OTF2_ErrorCode status;

    /* the process at hand */
    OTF2_EvtWriter *writer;
    uint32_t process;
    bool has_started;
    uint64_t now; /* times never go back */
    uint64_t cpu_ns;
    bool has_stranger;
    Event stranger; /* whose peer isn't in its communicator */
};

static void keep_status(AnnotatedArchive *archive, OTF2_ErrorCode status)
{
    if (archive->status == OTF2_SUCCESS)
        archive->status = status;
}

static void start_regions(AnnotatedArchive *archive, const AnnotatedRegion *regions, uint32_t n_regions)
{
    for (uint32_t call = 0; call < CALL_LIMIT; call++)
        archive->regions.of_call[call] = NO_REGION;
    archive->n_named_regions = N_CALL_REGIONS + n_regions;
    archive->named_regions = arena_new_array(archive->arena, NamedRegion, archive->n_named_regions);
    memcpy(archive->named_regions, call_regions, sizeof call_regions);
    for (uint32_t i = 0; i < n_regions; i++)
        archive->named_regions[N_CALL_REGIONS + i] = (NamedRegion){regions[i].name, regions[i].description, false};
}

static void free_archive(AnnotatedArchive *archive)
{
    if (archive->attributes)
        OTF2_AttributeList_Delete(archive->attributes);
    vec_free(&archive->windows);
    arena_free(archive->arena);
}

bool annotated_create(const char *directory, const Trace *trace, const AnnotatedRegion *regions, uint32_t n_regions,
                      AnnotatedArchive **result, Err *err)
{
    Arena *arena = arena_new();
    AnnotatedArchive *archive = arena_new_array(arena, AnnotatedArchive, 1);
    uint32_t n = trace->application.n_processes;
    *archive = (AnnotatedArchive){.output = {.directory = arena_strdup(arena, directory)},
                                  .arena = arena,
                                  .trace = trace,
                                  .recording = {.n_processes = n, .application = trace->application},
                                  .window_of_comm = arena_new_array(arena, uint32_t, trace->n_comms),
                                  .n_events = arena_new_array(arena, uint64_t, n),
                                  .first_time = UINT64_MAX,
                                  .attributes = OTF2_AttributeList_New()};
    archive->recording.processes = arena_new_array(arena, RecordedProcess, n);
    trace_comms_build(trace, arena, &archive->comms);
    start_regions(archive, regions, n_regions);
    if (!output_prepare(&archive->output, err)) {
        free_archive(archive);
        return false;
    }
    if (!output_open(&archive->output, n, err)) {
        annotated_abandon(archive);
        return false;
    }
    *result = archive;
    return true;
}

bool annotated_begin_process(AnnotatedArchive *archive, uint32_t process, Err *err)
{
    archive->writer = OTF2_Archive_GetEvtWriter(archive->output.otf2, process);
    archive->process = process;
    archive->has_started = false;
    archive->now = archive->cpu_ns = 0;
    return archive->writer || output_failed(&archive->output, "events", OTF2_ERROR_INVALID, err);
}

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
    OTF2_AttributeList *attributes = occurrence == NO_OCCURRENCE ? NULL : archive->attributes;
    if (attributes)
        keep_status(archive, OTF2_AttributeList_AddUint64(attributes, OCCURRENCE_ATTRIBUTE, occurrence));
    keep_status(archive,
                OTF2_EvtWriter_Enter(archive->writer, attributes, advance(archive, time_ns), N_CALL_REGIONS + region));
}

void annotated_leave(AnnotatedArchive *archive, uint32_t region, int64_t time_ns)
{
    keep_status(archive,
                OTF2_EvtWriter_Leave(archive->writer, NULL, advance(archive, time_ns), N_CALL_REGIONS + region));
}

static uint32_t region_of_call(AnnotatedArchive *archive, const char *name)
{
    uint16_t call;
    if (!call_find(name, &call))
        return OTHER_REGION;
    RegionTable *regions = &archive->regions;
    if (regions->of_call[call] == NO_REGION) {
        regions->calls[regions->n] = call;
        regions->of_call[call] = archive->n_named_regions + regions->n++;
    }
    return regions->of_call[call];
}

/* "allreduce" -> "MPI_Allreduce", or, with a request, "MPI_Iallreduce". */
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
    return region_of_call(archive, name);
}

static uint32_t choose_region(AnnotatedArchive *archive, const Event *events, size_t count)
{
    size_t n_of_kind[EVENT_ONE_SIDED + 1] = {0};
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
        name = "MPI_Put";
    else if (n_sends + n_posts > 1)
        name = n_of_kind[EVENT_RECV] ? "MPI_Sendrecv" : "MPI_Startall";
    else if (n_sends)
        name = n_of_kind[EVENT_RECV] ? "MPI_Sendrecv" : events[0].request == NO_REQUEST ? "MPI_Send" : "MPI_Isend";
    else if (n_posts)
        name = "MPI_Irecv";
    else if (count == 1)
        name = events[0].request == NO_REQUEST ? "MPI_Recv" : "MPI_Wait";
    return region_of_call(archive, name);
}

static OTF2_AttributeList *describe_place(AnnotatedArchive *archive, const EventPlace *place)
{
    if (!place->is_placed)
        return NULL;
    keep_status(archive,
                OTF2_AttributeList_AddUint64(archive->attributes, LOGICAL_TIME_ATTRIBUTE, place->logical_time));
    keep_status(archive, OTF2_AttributeList_AddUint64(archive->attributes, TICK_ATTRIBUTE, place->tick));
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
    keep_status(archive, OTF2_EvtWriter_MpiCollectiveBegin(archive->writer, describe_place(archive, place),
                                                           advance(archive, event->enter_ns)));
    OTF2_AttributeList *attributes = collective_needs_kind(event->collective) ? archive->attributes : NULL;
    if (attributes)
        keep_status(archive, OTF2_AttributeList_AddUint8(attributes, COLLECTIVE_ATTRIBUTE, event->collective));
    keep_status(archive, OTF2_EvtWriter_MpiCollectiveEnd(archive->writer, attributes, advance(archive, event->leave_ns),
                                                         collective_operation(event->collective), comm, root,
                                                         event->bytes, event->bytes_received));
}

static void write_one_sided(AnnotatedArchive *archive, const Event *event, uint32_t rank,
                            OTF2_AttributeList *attributes)
{
    uint32_t *window = &archive->window_of_comm[event->comm];
    if (!*window) {
        *vec_push(&archive->windows) = archive->comms.defined[event->comm];
        *window = (uint32_t)archive->windows.count;
    }
    uint64_t time = advance(archive, event->enter_ns);
    if (event->bytes_received)
        keep_status(archive, OTF2_EvtWriter_RmaAtomic(archive->writer, attributes, time, *window - 1, rank,
                                                      OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, event->bytes,
                                                      event->bytes_received, 0));
    else
        keep_status(archive,
                    OTF2_EvtWriter_RmaPut(archive->writer, attributes, time, *window - 1, rank, event->bytes, 0));
}

static void write_event(AnnotatedArchive *archive, const Event *event, const EventPlace *place)
{
    OTF2_EvtWriter *writer = archive->writer;
    if (event->kind == EVENT_COLLECTIVE) {
        write_collective(archive, event, place);
        return;
    }
    if (event->kind == EVENT_RECV_POST || event->kind == EVENT_RECV_CANCEL) {
        uint64_t time = advance(archive, event->kind == EVENT_RECV_POST ? event->enter_ns : event->leave_ns);
        keep_status(archive, event->kind == EVENT_RECV_POST
                                 ? OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, event->request)
                                 : OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, time, event->request));
        return;
    }
    if (event->kind == EVENT_BEGIN || event->kind == EVENT_END)
        return;
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
    } else if (event->kind == EVENT_SEND) {
        keep_status(archive, OTF2_EvtWriter_MpiSend(writer, attributes, advance(archive, event->enter_ns), rank, comm,
                                                    event->tag, event->bytes));
    } else {
        uint64_t time = advance(archive, event->leave_ns);
        keep_status(archive,
                    event->request == NO_REQUEST
                        ? OTF2_EvtWriter_MpiRecv(writer, attributes, time, rank, comm, event->tag, event->bytes)
                        : OTF2_EvtWriter_MpiIrecv(writer, attributes, time, rank, comm, event->tag, event->bytes,
                                                  event->request));
    }
}

static void write_sample(AnnotatedArchive *archive, uint64_t time)
{
    const OTF2_Type type = OTF2_TYPE_UINT64;
    const OTF2_MetricValue value = {.unsigned_int = archive->cpu_ns};
    keep_status(archive, OTF2_EvtWriter_Metric(archive->writer, NULL, time, CPU_METRIC, 1, &type, &value));
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
    uint32_t region = choose_region(archive, events, count);
    uint64_t enter = advance(archive, events[0].enter_ns);
    keep_status(archive, OTF2_EvtWriter_Enter(archive->writer, NULL, enter, region));
    for (size_t i = 0; i < count; i++)
        write_event(archive, &events[i], &places[i]);
    keep_status(archive, OTF2_EvtWriter_Leave(archive->writer, NULL, advance(archive, events[0].leave_ns), region));
}

bool annotated_end_process(AnnotatedArchive *archive, Err *err)
{
    OTF2_EvtWriter_GetNumberOfEvents(archive->writer, &archive->n_events[archive->process]);
    keep_status(archive, OTF2_Archive_CloseEvtWriter(archive->output.otf2, archive->writer));
    archive->writer = NULL;
    if (archive->has_started && archive->now > archive->last_time)
        archive->last_time = archive->now;
    if (archive->has_stranger)
        return err_set(err, ERR_INPUT, "process %u communicates with process %u on %s, which doesn't hold it",
                       archive->process, archive->stranger.peer, archive->trace->comms[archive->stranger.comm].name);
    return output_succeeded(archive->status) || output_failed(&archive->output, "events", archive->status, err);
}

static bool write_markers(AnnotatedArchive *archive, const AnnotatedMarker *markers, size_t n_markers, Err *err)
{
    if (!n_markers)
        return true;
    OTF2_MarkerWriter *writer = OTF2_Archive_GetMarkerWriter(archive->output.otf2);
    if (!writer)
        return output_failed(&archive->output, "markers", OTF2_ERROR_INVALID, err);
    OTF2_ErrorCode status =
        OTF2_MarkerWriter_WriteDefMarker(writer, 0, "firma", "start of a relevant phase", OTF2_SEVERITY_NONE);
    for (size_t i = 0; i < n_markers && status == OTF2_SUCCESS; i++)
        status = OTF2_MarkerWriter_WriteMarker(writer, markers[i].time_ns > 0 ? (uint64_t)markers[i].time_ns : 0, 0, 0,
                                               OTF2_MARKER_SCOPE_GLOBAL, 0, markers[i].text);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_CloseMarkerWriter(archive->output.otf2, writer);
    return output_succeeded(status) || output_failed(&archive->output, "markers", status, err);
}

static bool write_rest(AnnotatedArchive *archive, const AnnotatedMarker *markers, size_t n_markers, const char *note,
                       Err *err)
{
    const ArchiveContents contents = {
        .recording = &archive->recording,
        .comms = &archive->comms.table,
        .regions = &archive->regions,
        .n_events = archive->n_events,
        .first_time = archive->first_time <= archive->last_time ? archive->first_time : 0,
        .last_time = archive->last_time,
        .n_named_regions = archive->n_named_regions,
        .named_regions = archive->named_regions,
        .is_annotated = true,
        .without_self = !archive->comms.has_self,
        .n_windows = (uint32_t)archive->windows.count,
        .windows = archive->windows.items,
    };
    const ArchiveNote origin = {note};
    OTF2_ErrorCode status = OTF2_Archive_CloseEvtFiles(archive->output.otf2);
    return (output_succeeded(status) || output_failed(&archive->output, "events", status, err)) &&
           output_write_local_definitions(&archive->output, &archive->recording, err) &&
           output_write_definitions(&archive->output, &contents, err) &&
           write_markers(archive, markers, n_markers, err) &&
           output_write_properties(&archive->output, &archive->recording, &origin, 1, err);
}

bool annotated_finish(AnnotatedArchive *archive, const AnnotatedMarker *markers, size_t n_markers, const char *note,
                      Err *err)
{
    bool ok = output_close(&archive->output, write_rest(archive, markers, n_markers, note, err), err);
    if (!ok)
        output_remove(&archive->output);
    free_archive(archive);
    return ok;
}

void annotated_abandon(AnnotatedArchive *archive)
{
    Err ignored = {0};
    if (!archive)
        return;
    output_close(&archive->output, false, &ignored);
    output_remove(&archive->output);
    free_archive(archive);
}
