/* SPDX-License-Identifier: BSD-3-Clause */
/* From a recording to an OTF2 archive. One location is written at a time, so that memory doesn't grow with the number
 * of processes; the definitions, which tell how many events each has, come last. On failure nothing of the archive
 * stays. */
#include "trace/archive.h"

#include "trace/archive_names.h"
#include "trace/calls.h"
#include "trace/otf2_callbacks.h"
#include "trace/otf2_errors.h"
#include "trace/writer/definitions.h"
#include "trace/writer/events.h"
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENT_CHUNK_BYTES = 256 * 1024, MEMBER_BYTES = 10 };

typedef struct ArchiveWriter {
    const char *directory;
    bool made_directory;
    Arena *arena; /* scratch */
    Recording recording;
    CommTable comms;
    RegionTable regions;
    EventTotals totals;
    uint64_t *n_events;      /* by location, in the order of the processes and their threads */
    int64_t *last_record_ns; /* [n_processes] */
    OTF2_AttributeList *attributes;
    OTF2_Archive *otf2;
} ArchiveWriter;

static OTF2_FlushType flush_always(UNUSED void *user, UNUSED OTF2_FileType type, UNUSED OTF2_LocationRef location,
                                   UNUSED void *caller, UNUSED bool final)
{
    return OTF2_FLUSH;
}

/* OTF2 may complain of a failed write and yet return success: both count. */
static bool succeeded(OTF2_ErrorCode status)
{
    return status == OTF2_SUCCESS && !*otf2_errors_first();
}

static bool otf2_failed(const char *directory, const char *what, OTF2_ErrorCode status, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot write %s: %s", directory, what, otf2_errors_cause(status));
}

static bool prepare_directory(ArchiveWriter *writer, Err *err)
{
    static const char *const names[] = {ARCHIVE_NAME ".otf2", ARCHIVE_NAME ".def", ARCHIVE_NAME};
    if (mkdir(writer->directory, 0777) == 0)
        writer->made_directory = true;
    else if (errno != EEXIST)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot make the directory: %s", writer->directory, strerror(errno));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct stat status;
        const char *path = arena_printf(writer->arena, "%s/%s", writer->directory, names[i]);
        if (lstat(path, &status) == 0) {
            err_set(err, ERR_USAGE, "%s: there is a trace already", path);
            return err_hint(err, "choose another directory with -o, or remove this one");
        }
    }
    return true;
}

static void remove_partial(const ArchiveWriter *writer)
{
    const char *events = arena_printf(writer->arena, "%s/%s", writer->directory, ARCHIVE_NAME);
    DIR *stream = opendir(events);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        unlink(arena_printf(writer->arena, "%s/%s", events, entry->d_name));
    if (stream)
        closedir(stream);
    rmdir(events);
    unlink(arena_printf(writer->arena, "%s.otf2", events));
    unlink(arena_printf(writer->arena, "%s.def", events));
    if (writer->made_directory)
        rmdir(writer->directory);
}

/* A definition has to fit into a chunk, and readers clear a chunk for each file: room for a group of all processes. */
static uint64_t definition_chunk_bytes(uint32_t n_processes)
{
    uint64_t needed = 2 * MEMBER_BYTES * (uint64_t)n_processes;
    return needed < OTF2_CHUNK_SIZE_MIN   ? OTF2_CHUNK_SIZE_MIN
           : needed > OTF2_CHUNK_SIZE_MAX ? OTF2_CHUNK_SIZE_MAX
                                          : needed;
}

static bool open_archive(ArchiveWriter *writer, Err *err)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_always};
    otf2_errors_start();
    writer->otf2 = OTF2_Archive_Open(writer->directory, ARCHIVE_NAME, OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                                     definition_chunk_bytes(writer->recording.n_processes), OTF2_SUBSTRATE_POSIX,
                                     OTF2_COMPRESSION_NONE);
    if (!writer->otf2)
        return otf2_failed(writer->directory, "the archive", OTF2_ERROR_INVALID, err);
    OTF2_ErrorCode status = OTF2_Archive_SetFlushCallbacks(writer->otf2, &flush, NULL);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_SetSerialCollectiveCallbacks(writer->otf2);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_SetCreator(writer->otf2, "firma " FIRMA_VERSION);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_OpenEvtFiles(writer->otf2);
    return succeeded(status) || otf2_failed(writer->directory, "the archive", status, err);
}

static bool write_location(ArchiveWriter *writer, uint32_t rank, uint32_t thread, bool has_segment, uint64_t *n_events,
                           Err *err)
{
    const RecordedProcess *process = &writer->recording.processes[rank];
    OTF2_LocationRef location = (uint64_t)thread << 32 | rank;
    EventStream stream = {
        .process = process,
        .comms = &writer->comms,
        .local_comms = &writer->comms.local[writer->comms.first[rank]],
        .n_local_comms = (uint32_t)(writer->comms.first[rank + 1] - writer->comms.first[rank]),
        .thread = thread,
        .regions = &writer->regions,
        .totals = &writer->totals,
        .attributes = writer->attributes,
        .writer = OTF2_Archive_GetEvtWriter(writer->otf2, location),
    };
    if (!stream.writer)
        return otf2_failed(writer->directory, "events", OTF2_ERROR_INVALID, err);
    Arena *scratch = arena_new();
    bool ok = events_write(&stream, has_segment ? recording_segment_path(process, thread, scratch) : NULL, err);
    arena_free(scratch);
    OTF2_EvtWriter_GetNumberOfEvents(stream.writer, n_events);
    OTF2_ErrorCode status = OTF2_Archive_CloseEvtWriter(writer->otf2, stream.writer);
    if (stream.last_record_ns > writer->last_record_ns[rank])
        writer->last_record_ns[rank] = stream.last_record_ns;
    if (ok && !succeeded(status))
        ok = otf2_failed(writer->directory, "events", status, err);
    return ok;
}

static bool has_main_thread(const RecordedProcess *process)
{
    return process->n_threads > 0 && process->threads[0] == 0;
}

static bool write_process(ArchiveWriter *writer, uint32_t rank, uint64_t **n_events, Err *err)
{
    const RecordedProcess *process = &writer->recording.processes[rank];
    bool ok = true;
    if (!has_main_thread(process)) {
        /* definitions promise a master thread for each rank */
        ok = process->base ? write_location(writer, rank, 0, false, *n_events, err) : true;
        (*n_events)++;
    }
    for (uint32_t i = 0; ok && i < process->n_threads; i++)
        ok = write_location(writer, rank, process->threads[i], true, (*n_events)++, err);
    return ok;
}

static bool write_events(ArchiveWriter *writer, const Progress *progress, Err *err)
{
    uint64_t n_locations = 0;
    for (uint32_t rank = 0; rank < writer->recording.n_processes; rank++)
        n_locations +=
            writer->recording.processes[rank].n_threads + !has_main_thread(&writer->recording.processes[rank]);
    writer->n_events = arena_new_array(writer->arena, uint64_t, n_locations);
    writer->last_record_ns = arena_new_array(writer->arena, int64_t, writer->recording.n_processes);
    uint64_t *n_events = writer->n_events;
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < writer->recording.n_processes; rank++) {
        ok = write_process(writer, rank, &n_events, err);
        progress_report(progress, "writing the trace", rank + 1, writer->recording.n_processes);
    }
    OTF2_ErrorCode status = OTF2_Archive_CloseEvtFiles(writer->otf2);
    if (ok && !succeeded(status))
        ok = otf2_failed(writer->directory, "events", status, err);
    if (ok && writer->totals.last_time > writer->totals.first_time &&
        writer->totals.last_time - writer->totals.first_time >= ARCHIVE_SPAN_LIMIT_NS)
        ok = err_set(err, ERR_INPUT, "%s: the times of its processes lie decades apart", writer->recording.directory);
    return ok;
}

/* Readers expect a file of local definitions for each location; ours are empty, as all numbers are global. */
static bool write_local_definitions(ArchiveWriter *writer, Err *err)
{
    OTF2_ErrorCode status = OTF2_Archive_OpenDefFiles(writer->otf2);
    for (uint32_t rank = 0; rank < writer->recording.n_processes && succeeded(status); rank++) {
        const RecordedProcess *process = &writer->recording.processes[rank];
        uint32_t n = process->n_threads + !has_main_thread(process);
        for (uint32_t i = 0; i < n && succeeded(status); i++) {
            uint32_t thread = location_thread(process, i);
            OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(writer->otf2, (uint64_t)thread << 32 | rank);
            status = definitions ? OTF2_Archive_CloseDefWriter(writer->otf2, definitions) : OTF2_ERROR_INVALID;
        }
    }
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_CloseDefFiles(writer->otf2);
    return succeeded(status) || otf2_failed(writer->directory, "local definitions", status, err);
}

static void note(Arena *arena, ArchiveSummary *summary, const char *text)
{
    if (summary->n_notes % 16 == 0) {
        ArchiveNote *grown = arena_new_array(arena, ArchiveNote, summary->n_notes + 16);
        if (summary->n_notes)
            memcpy(grown, summary->notes, summary->n_notes * sizeof *grown);
        summary->notes = grown;
    }
    ((ArchiveNote *)summary->notes)[summary->n_notes++].text = text;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* "12 MPI_Win_lock, 12 MPI_Win_unlock": the calls that became that; NULL if there are none. */
static const char *list_calls(const Recording *recording, CallTreatment treatment, Arena *arena)
{
    const char *text = NULL;
    for (uint16_t call = 0; call < CALL_LIMIT && call < call_count(); call++)
        if (recording->counted[call] && call_treatment(call) == treatment)
            text = arena_printf(arena, "%s%s%lu %s", text ? text : "", text ? ", " : "",
                                (unsigned long)recording->counted[call], call_name(call));
    return text;
}

static void note_treated_calls(const Recording *recording, Arena *arena, ArchiveSummary *summary)
{
    const char *calls = list_calls(recording, CALL_IO, arena);
    if (calls)
        note(arena, summary, arena_printf(arena, "MPI's file operations count as computation: %s", calls));
    calls = list_calls(recording, CALL_WITHOUT_EVENT, arena);
    if (calls)
        note(arena, summary,
             arena_printf(arena,
                          "synchronisation of parts of a window's group is recorded with its time, but has no place in "
                          "the logical order: %s",
                          calls));
}

static void note_counted_calls(const Recording *recording, Arena *arena, ArchiveSummary *summary)
{
    for (uint16_t call = 0; call < CALL_LIMIT && call < call_count(); call++)
        if (recording->counted[call] &&
            (call_treatment(call) == CALL_RECORDED || call_treatment(call) == CALL_COUNTED)) {
            bool one = recording->counted[call] == 1;
            note(arena, summary,
                 arena_printf(arena, "%lu call%s of %s on %u rank%s %s counted, not recorded",
                              (unsigned long)recording->counted[call], plural(recording->counted[call]),
                              call_name(call), recording->counted_ranks[call], plural(recording->counted_ranks[call]),
                              one ? "was" : "were"));
        }
}

/* "3, 5, 7 and 12 more": the ranks for which `holds` is true; NULL if there are none. */
static const char *list_ranks(const Recording *recording, bool (*holds)(const RecordedProcess *), Arena *arena)
{
    const char *text = NULL;
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < recording->n_processes; rank++)
        if (holds(&recording->processes[rank]) && ++n <= 8)
            text = text ? arena_printf(arena, "%s, %u", text, rank) : arena_printf(arena, "%u", rank);
    return n > 8 ? arena_printf(arena, "%s and %u more", text, n - 8) : text;
}

static bool left_nothing(const RecordedProcess *process)
{
    return !process->base;
}

static bool aborted(const RecordedProcess *process)
{
    return process->base && process->abort_ns != 0;
}

static void note_stopped_recording(const Recording *recording, Arena *arena, ArchiveSummary *summary)
{
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        const RecordedProcess *process = &recording->processes[rank];
        if (!process->base || process->recording_end == RECORDING_WHOLE)
            continue;
        note(arena, summary,
             arena_printf(arena, "recording stopped on rank %u: %s%s%s; its trace ends there", rank,
                          process->recording_end == RECORDING_NO_SPACE ? "no space left for its records"
                                                                       : "no memory left for its records",
                          process->recording_errno ? ": " : "",
                          process->recording_errno ? strerror(process->recording_errno) : ""));
    }
}

static void note_left_out(const Recording *recording, Arena *arena, ArchiveSummary *summary)
{
    if (!recording->n_left_out)
        return;
    const char *program = recording->left_out[0].executable;
    bool several = false;
    for (uint32_t i = 1; i < recording->n_left_out; i++)
        several |= strcmp(recording->left_out[i].executable, program) != 0;
    note(arena, summary,
         arena_printf(arena,
                      "more than one MPI job ran: the trace holds the one that began first; %u process%s of %s%s %s "
                      "left out%s",
                      recording->n_left_out, recording->n_left_out == 1 ? "" : "es", program,
                      several ? " and others" : "", recording->n_left_out == 1 ? "is" : "are",
                      recording->left_out_certain ? ""
                                                  : "; jobs of the same size began together, and a process may "
                                                    "have been taken for another job's"));
}

static void note_programs(const Recording *recording, Arena *arena, ArchiveSummary *summary)
{
    if (recording->n_programs > 1)
        note(arena, summary,
             arena_printf(arena,
                          "the ranks run %u different programs or arguments; the trace is named after %s, and only "
                          "that is compared when a signature is measured",
                          recording->n_programs, recording->application.executable));
}

static void note_odd_processes(const ArchiveWriter *writer, Arena *arena, ArchiveSummary *summary)
{
    const Recording *recording = &writer->recording;
    const char *ranks = list_ranks(recording, left_nothing, arena);
    if (ranks)
        note(arena, summary,
             arena_printf(arena,
                          "no record of rank%s %s: never returned from MPI_Init, or ran where the recorder wasn't",
                          plural(recording->n_missing), ranks));
    ranks = list_ranks(recording, aborted, arena);
    if (ranks)
        note(arena, summary, arena_printf(arena, "MPI_Abort was called by rank %s", ranks));
    if (recording->n_spawned)
        note(arena, summary,
             arena_printf(arena, "%u process%s started with MPI_Comm_spawn %s not in the trace", recording->n_spawned,
                          recording->n_spawned == 1 ? "" : "es", recording->n_spawned == 1 ? "is" : "are"));
    note_left_out(recording, arena, summary);
    note_programs(recording, arena, summary);
}

static void note_odd_records(const ArchiveWriter *writer, Arena *arena, ArchiveSummary *summary)
{
    if (writer->totals.n_outside)
        note(arena, summary,
             arena_printf(arena, "%lu message%s with processes outside MPI_COMM_WORLD %s left out",
                          (unsigned long)writer->totals.n_outside, plural(writer->totals.n_outside),
                          writer->totals.n_outside == 1 ? "is" : "are"));
    if (writer->totals.n_clock_steps)
        note(arena, summary,
             arena_printf(arena, "the clock went back %lu time%s; the times were held",
                          (unsigned long)writer->totals.n_clock_steps, plural(writer->totals.n_clock_steps)));
    if (writer->recording.n_orphans)
        note(arena, summary,
             arena_printf(arena, "%u file%s of the recording belong%s to no process that returned from MPI_Init",
                          writer->recording.n_orphans, plural(writer->recording.n_orphans),
                          writer->recording.n_orphans == 1 ? "s" : ""));
    if (writer->recording.application.arguments_truncated)
        note(arena, summary, "the program's arguments are too long to be kept whole");
}

static double application_seconds(const RecordedProcess *process, int64_t last_record_ns)
{
    int64_t end = process->finalize_enter_ns ? process->finalize_enter_ns : last_record_ns;
    return process->init_leave_ns && end > process->init_leave_ns ? (double)(end - process->init_leave_ns) * 1e-9 : 0;
}

static void summarise(const ArchiveWriter *writer, Arena *arena, ArchiveSummary *summary)
{
    *summary = (ArchiveSummary){
        .n_processes = writer->recording.n_processes,
        .n_missing = writer->recording.n_missing,
        .n_calls = writer->totals.n_calls,
        .n_messages = writer->totals.n_messages,
        .n_collectives = writer->totals.n_collectives,
        .n_one_sided = writer->totals.n_one_sided,
    };
    for (uint32_t rank = 0; rank < writer->recording.n_processes; rank++) {
        const RecordedProcess *process = &writer->recording.processes[rank];
        summary->n_unfinished += !process->finalize_leave_ns;
        double seconds = application_seconds(process, writer->last_record_ns[rank]);
        if (seconds > summary->application_s)
            summary->application_s = seconds;
    }
    note_counted_calls(&writer->recording, arena, summary);
    note_treated_calls(&writer->recording, arena, summary);
    note_stopped_recording(&writer->recording, arena, summary);
    note_odd_processes(writer, arena, summary);
    note_odd_records(writer, arena, summary);
}

/* OTF2 has no empty property values: such a property is left out. */
static OTF2_ErrorCode set_property(ArchiveWriter *writer, const char *name, const char *value)
{
    return value && *value ? OTF2_Archive_SetProperty(writer->otf2, name, value, true) : OTF2_SUCCESS;
}

/* Text of any encoding as JSON, which is UTF-8: what isn't becomes '?'. */
static json_t *json_text_of(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *ascii = strdup(text);
    for (char *c = ascii; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}

static OTF2_ErrorCode set_json_property(ArchiveWriter *writer, const char *name, json_t *array)
{
    char *text = json_dumps(array, JSON_COMPACT);
    OTF2_ErrorCode status = set_property(writer, name, text);
    free(text);
    json_decref(array);
    return status;
}

static bool write_properties(ArchiveWriter *writer, const ArchiveSummary *summary, Err *err)
{
    const Recording *recording = &writer->recording;
    const Application *application = &recording->application;
    json_t *arguments = json_array(), *hosts = json_array(), *notes = json_array();
    for (uint32_t i = 0; i < application->n_arguments; i++)
        json_array_append_new(arguments, json_text_of(application->arguments[i]));
    const char *previous = NULL;
    for (uint32_t i = 0; i < recording->n_processes; i++) {
        const char *host = recording->processes[i].host;
        if (host && host != previous && is_first_of_host(recording, i))
            json_array_append_new(hosts, json_text_of(host));
        previous = host ? host : previous;
    }
    for (uint32_t i = 0; i < summary->n_notes; i++)
        json_array_append_new(notes, json_text_of(summary->notes[i].text));
    OTF2_ErrorCode results[] = {
        set_property(writer, PROPERTY_EXECUTABLE, application->executable),
        set_property(writer, PROPERTY_BUILD_ID, application->build_id),
        set_property(writer, PROPERTY_MPI_LIBRARY, application->mpi_library),
        set_json_property(writer, PROPERTY_ARGUMENTS, arguments),
        set_property(writer, PROPERTY_ARGUMENTS_TRUNCATED, application->arguments_truncated ? "true" : ""),
        set_json_property(writer, PROPERTY_HOSTS, hosts),
        set_json_property(writer, PROPERTY_NOTES, notes),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i] != OTF2_SUCCESS)
            return otf2_failed(writer->directory, "properties", results[i], err);
    return true;
}

static bool write_definitions(ArchiveWriter *writer, Err *err)
{
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(writer->otf2);
    if (!definitions)
        return otf2_failed(writer->directory, "definitions", OTF2_ERROR_INVALID, err);
    const ArchiveContents contents = {
        .recording = &writer->recording,
        .comms = &writer->comms,
        .regions = &writer->regions,
        .n_events = writer->n_events,
        .first_time = writer->totals.first_time <= writer->totals.last_time ? writer->totals.first_time : 0,
        .last_time = writer->totals.last_time,
    };
    OTF2_ErrorCode status = definitions_write(definitions, &contents);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_CloseGlobalDefWriter(writer->otf2, definitions);
    return succeeded(status) || otf2_failed(writer->directory, "definitions", status, err);
}

static void start_regions(RegionTable *regions)
{
    static const char *const always[] = {"MPI_Init", "MPI_Finalize"};
    for (uint32_t call = 0; call < CALL_LIMIT; call++)
        regions->of_call[call] = NO_REGION;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        uint16_t call;
        if (call_find(always[i], &call)) {
            regions->of_call[call] = regions->n;
            regions->calls[regions->n++] = call;
        }
    }
}

static bool write_archive(ArchiveWriter *writer, const Progress *progress, Arena *arena, ArchiveSummary *summary,
                          Err *err)
{
    start_regions(&writer->regions);
    writer->totals.first_time = UINT64_MAX;
    writer->attributes = OTF2_AttributeList_New();
    bool ok = writer->attributes && open_archive(writer, err) && write_events(writer, progress, err) &&
              write_local_definitions(writer, err) && write_definitions(writer, err);
    if (ok) {
        summarise(writer, arena, summary);
        ok = write_properties(writer, summary, err);
    }
    if (writer->attributes)
        OTF2_AttributeList_Delete(writer->attributes);
    if (writer->otf2) {
        OTF2_ErrorCode status = OTF2_Archive_Close(writer->otf2);
        if (ok && !succeeded(status))
            ok = otf2_failed(writer->directory, "the archive", status, err);
    }
    return ok;
}

bool archive_write(const char *recording, const char *directory, const Progress *progress, Arena *arena,
                   ArchiveSummary *summary, Err *err)
{
    ArchiveWriter writer = {.directory = directory, .arena = arena_new()};
    ArchiveSummary result;
    bool ok = recording_load(recording, writer.arena, &writer.recording, err) &&
              comms_unify(&writer.recording, writer.arena, &writer.comms, err);
    if (ok && !prepare_directory(&writer, err)) {
        if (writer.made_directory)
            rmdir(directory);
        ok = false;
    } else if (ok) {
        ok = write_archive(&writer, progress, arena, &result, err);
        if (ok)
            *summary = result;
        else
            remove_partial(&writer);
    }
    if (!ok && err->kind == ERR_ENVIRONMENT && writer.recording.processes)
        err_hint(err, "the recording is kept in %s", recording);
    arena_free(writer.arena);
    return ok;
}
