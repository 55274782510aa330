/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends an annotated archive and its processes; see annotated.h. */
#include "trace/writer/annotated_state.h"
#include "trace/writer/neighbours.h"

#include <assert.h>
#include <string.h>

static const NamedRegion call_regions[N_CALL_REGIONS] = {
    [MAKE_REGION] = {"MPI (creates a handle)", "creates a communicator, window or file", true},
    [FREE_REGION] = {"MPI (frees a handle)", "frees a communicator, window or file", true},
    [OTHER_REGION] = {"MPI (collective)", "a collective whose name isn't in the trace", true},
};

static void start_regions(AnnotatedArchive *archive, const AnnotatedRegion *regions, uint32_t n_regions)
{
    archive->n_named_regions = N_CALL_REGIONS + n_regions;
    regions_start(&archive->regions, archive->n_named_regions);
    archive->named_regions = arena_new_array(archive->arena, NamedRegion, archive->n_named_regions);
    memcpy(archive->named_regions, call_regions, sizeof call_regions);
    for (uint32_t i = 0; i < n_regions; i++)
        archive->named_regions[N_CALL_REGIONS + i] = (NamedRegion){regions[i].name, regions[i].description, false};
}

static void free_archive(AnnotatedArchive *archive)
{
    if (archive->attributes)
        OTF2_AttributeList_Delete(archive->attributes);
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
                                  .recording = {.origin = trace,
                                                .n_processes = n,
                                                .application = trace->application,
                                                .n_incomplete = trace->n_incomplete,
                                                .incomplete = trace->incomplete},
                                  .n_events = arena_new_array(arena, uint64_t, n),
                                  .first_time = UINT64_MAX,
                                  .attributes = OTF2_AttributeList_New()};
    archive->recording.processes = arena_new_array(arena, RecordedProcess, n);
    for (uint32_t process = 0; process < n; process++)
        archive->recording.processes[process] =
            (RecordedProcess){.n_threads = 1,
                              .threads = arena_new_array(arena, uint32_t, 1),
                              .n_calls = process < trace->n_recorded ? trace->recorded_calls[process] : 0};
    trace_comms_build(trace, arena, &archive->comms);
    start_regions(archive, regions, n_regions);
    if (!output_prepare(&archive->output, arena, err)) {
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
    assert(!archive->writer && process < archive->recording.n_processes);
    archive->writer = OTF2_Archive_GetEvtWriter(archive->output.otf2, process);
    archive->process = process;
    archive->has_started = false;
    archive->now = archive->cpu_ns = 0;
    return archive->writer || output_check(&archive->output, "events", OTF2_ERROR_INVALID, err);
}

bool annotated_end_process(AnnotatedArchive *archive, Err *err)
{
    assert(archive->writer);
    OTF2_EvtWriter_GetNumberOfEvents(archive->writer, &archive->n_events[archive->process]);
    keep_first_failure(&archive->status, output_close_events(&archive->output, archive->writer));
    archive->writer = NULL;
    if (archive->has_started && archive->now > archive->last_time)
        archive->last_time = archive->now;
    if (archive->has_stranger)
        return err_set(err, ERR_INPUT,
                       "process %u communicates with process %u, which isn't a member of the communicator %s",
                       archive->process, archive->stranger.peer, archive->trace->comms[archive->stranger.comm].name);
    return output_check(&archive->output, "events", archive->status, err);
}

static bool write_markers(AnnotatedArchive *archive, const AnnotatedMarker *markers, size_t n_markers, Err *err)
{
    if (!n_markers)
        return true;
    OTF2_MarkerWriter *writer = OTF2_Archive_GetMarkerWriter(archive->output.otf2);
    if (!writer)
        return output_check(&archive->output, "markers", OTF2_ERROR_INVALID, err);
    OTF2_ErrorCode status =
        OTF2_MarkerWriter_WriteDefMarker(writer, 0, "firma", "start of a relevant phase", OTF2_SEVERITY_NONE);
    for (size_t i = 0; i < n_markers && status == OTF2_SUCCESS; i++)
        status = OTF2_MarkerWriter_WriteMarker(writer, markers[i].time_ns > 0 ? (uint64_t)markers[i].time_ns : 0, 0, 0,
                                               OTF2_MARKER_SCOPE_GLOBAL, 0, markers[i].text);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_CloseMarkerWriter(archive->output.otf2, writer);
    return output_check(&archive->output, "markers", status, err);
}

static bool write_topologies(AnnotatedArchive *archive, Err *err)
{
    Topologies topologies = {0};
    for (uint32_t i = 0; i < archive->trace->n_comms; i++) {
        const Comm *comm = &archive->trace->comms[i];
        if (comm->neighbours)
            *vec_push(&topologies) = (Topology){archive->comms.defined[i], comm->n_members, comm->neighbours};
    }
    return topologies_write(&archive->output, &topologies, err);
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
    };
    const ArchiveNote origin = {note};
    return output_check(&archive->output, "events", OTF2_Archive_CloseEvtFiles(archive->output.otf2), err) &&
           output_write_local_definitions(&archive->output, &archive->recording, err) &&
           output_write_definitions(&archive->output, &contents, err) &&
           write_markers(archive, markers, n_markers, err) &&
           output_write_properties(&archive->output, &archive->recording, &origin, 1, err) &&
           write_topologies(archive, err);
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
