/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a recording to an OTF2 archive. Locations are written one at a time, so memory doesn't
 * grow with the number of processes. The definitions contain the number of events of each location,
 * so they come last. After a failure, no part of the archive remains. */
#include "trace/archive.h"

#include "model/application.h"
#include "trace/archive_names.h"
#include "trace/calls.h"
#include "trace/writer/events.h"
#include "trace/writer/incomplete.h"
#include "trace/writer/neighbours.h"
#include "trace/writer/output.h"
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct ArchiveWriter {
    ArchiveOutput output;
    Arena *arena; /* scratch arena */
    Recording recording;
    CommTable comms;
    RegionTable regions;
    EventTotals totals;
    uint64_t *n_events;      /* [n_locations]: processes in order, each with its threads in order */
    int64_t *last_record_ns; /* [n_processes] */
    OTF2_AttributeList *attributes;
} ArchiveWriter;

static bool write_location(ArchiveWriter *writer, uint32_t rank, uint32_t thread, uint64_t *n_events, Err *err)
{
    RecordedProcess *process = &writer->recording.processes[rank];
    OTF2_LocationRef location = (uint64_t)thread << 32 | rank;
    EventStream stream = {
        .recording = &writer->recording,
        .process = process,
        .comms = &writer->comms,
        .local_comms = &writer->comms.local[writer->comms.first[rank]],
        .n_local_comms = (uint32_t)(writer->comms.first[rank + 1] - writer->comms.first[rank]),
        .thread = thread,
        .regions = &writer->regions,
        .totals = &writer->totals,
        .attributes = writer->attributes,
        .writer = OTF2_Archive_GetEvtWriter(writer->output.otf2, location),
    };
    if (!stream.writer)
        return output_check(&writer->output, "events", OTF2_ERROR_INVALID, err);
    Arena *scratch = arena_new();
    bool has_segment = thread || process->has_main_segment;
    bool ok = events_write(&stream, has_segment ? recording_segment_path(process, thread, scratch) : NULL, err);
    arena_free(scratch);
    OTF2_EvtWriter_GetNumberOfEvents(stream.writer, n_events);
    OTF2_ErrorCode status = output_close_events(&writer->output, stream.writer);
    if (stream.last_record_ns > writer->last_record_ns[rank])
        writer->last_record_ns[rank] = stream.last_record_ns;
    if (stream.n_calls > process->n_calls) {
        process->n_calls = stream.n_calls;
        process->n_samples = stream.n_samples;
        process->n_records = stream.n_records;
    }
    return ok && output_check(&writer->output, "events", status, err);
}

static bool write_events(ArchiveWriter *writer, const Progress *progress, Err *err)
{
    uint64_t n_locations = 0;
    for (uint32_t rank = 0; rank < writer->recording.n_processes; rank++)
        n_locations += writer->recording.processes[rank].n_threads;
    writer->n_events = arena_new_array(writer->arena, uint64_t, n_locations);
    writer->last_record_ns = arena_new_array(writer->arena, int64_t, writer->recording.n_processes);
    uint64_t *n_events = writer->n_events;
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < writer->recording.n_processes; rank++) {
        const RecordedProcess *process = &writer->recording.processes[rank];
        for (uint32_t i = 0; ok && i < process->n_threads; i++, n_events++)
            ok = !process->base || write_location(writer, rank, process->threads[i], n_events, err);
        progress_report(progress, "writing the trace", rank + 1, writer->recording.n_processes);
    }
    assert(!ok || n_events == writer->n_events + n_locations);
    ok = ok && output_check(&writer->output, "events", OTF2_Archive_CloseEvtFiles(writer->output.otf2), err);
    if (ok && writer->totals.last_time > writer->totals.first_time &&
        writer->totals.last_time - writer->totals.first_time >= ARCHIVE_SPAN_LIMIT_NS)
        ok = err_set(err, ERR_INPUT, "%s: the times of the processes lie decades apart", writer->recording.directory);
    return ok;
}

typedef struct Notes {
    Arena *arena;
    VEC(ArchiveNote) list;
} Notes;

#define NOTE(notes, ...) (vec_push(&(notes)->list)->text = arena_printf((notes)->arena, __VA_ARGS__))

/* "12 MPI_Win_lock, 12 MPI_Win_unlock": the calls with this treatment. NULL if the program made
 * none. */
static const char *list_calls(const Recording *recording, CallTreatment treatment, Arena *arena)
{
    const char *text = NULL;
    for (uint16_t call = 0; call < CALL_LIMIT && call < call_count(); call++)
        if (recording->counted[call] && call_treatment(call) == treatment)
            text = arena_printf(arena, "%s%s%lu %s", text ? text : "", text ? ", " : "",
                                (unsigned long)recording->counted[call], call_name(call));
    return text;
}

static void note_treated_calls(const Recording *recording, Notes *notes)
{
    const char *calls = list_calls(recording, CALL_IO, notes->arena);
    if (calls)
        NOTE(notes, "MPI's file operations count as computation: %s", calls);
    calls = list_calls(recording, CALL_WITHOUT_EVENT, notes->arena);
    if (calls)
        NOTE(notes,
             "synchronisation of a part of a window's group is recorded with its time, but has no place in "
             "the logical order: %s",
             calls);
}

static void note_counted_calls(const Recording *recording, Notes *notes)
{
    for (uint16_t call = 0; call < CALL_LIMIT && call < call_count(); call++)
        if (recording->counted[call] &&
            (call_treatment(call) == CALL_RECORDED || call_treatment(call) == CALL_COUNTED)) {
            bool one = recording->counted[call] == 1;
            NOTE(notes, "%lu call%s of %s on %u rank%s %s counted, not recorded",
                 (unsigned long)recording->counted[call], text_plural(recording->counted[call]), call_name(call),
                 recording->counted_ranks[call], text_plural(recording->counted_ranks[call]), one ? "was" : "were");
        }
}

static bool aborted(const RecordedProcess *process)
{
    return process->base && process->abort_ns != 0;
}

static void note_incomplete(const Recording *recording, Notes *notes)
{
    for (uint32_t i = 0; i < recording->n_incomplete; i++)
        NOTE(notes, "%s", recording->incomplete[i]);
}

static void note_import(const Recording *recording, Notes *notes)
{
    for (const char *line = recording->notes; *line;) {
        size_t length = strcspn(line, "\n");
        NOTE(notes, "%.*s", (int)length, line);
        line += length + (line[length] != '\0');
    }
}

static void note_left_out(const Recording *recording, Notes *notes)
{
    const char *program = recording->left_out[0].executable;
    bool several = false;
    for (uint32_t i = 1; i < recording->n_left_out; i++)
        several |= strcmp(recording->left_out[i].executable, program) != 0;
    NOTE(notes,
         "more than one MPI job ran; the trace holds the job that began first; %u process%s of %s%s %s "
         "left out%s",
         recording->n_left_out, recording->n_left_out == 1 ? "" : "es", program, several ? " and others" : "",
         recording->n_left_out == 1 ? "is" : "are",
         recording->left_out_certain ? ""
                                     : "; jobs of the same size began together, so a process may "
                                       "be in the wrong job");
    if (recording->n_processes == 1 && !several && strcmp(program, recording->processes[0].executable) == 0)
        NOTE(notes,
             "the first job has one process: if all processes were meant to be one job, the launcher doesn't serve "
             "the program's MPI library; under srun, --mpi=pmix or --mpi=pmi2 may help");
}

static void note_odd_processes(const Recording *recording, Notes *notes)
{
    const char *ranks = recording_list_ranks(recording, aborted, notes->arena);
    if (ranks)
        NOTE(notes, "MPI_Abort was called by rank %s", ranks);
    if (recording->n_spawned)
        NOTE(notes, "%u process%s started with MPI_Comm_spawn %s not in the trace", recording->n_spawned,
             recording->n_spawned == 1 ? "" : "es", recording->n_spawned == 1 ? "is" : "are");
    if (recording->n_left_out)
        note_left_out(recording, notes);
    if (recording->n_programs > 1)
        NOTE(notes,
             "the ranks run %u different programs or arguments; the trace is named after %s, and measuring a "
             "signature compares only this one",
             recording->n_programs, recording->application.executable);
}

static void note_odd_records(const ArchiveWriter *writer, Notes *notes)
{
    if (writer->totals.n_outside)
        NOTE(notes, "%lu message%s with %s %s left out", (unsigned long)writer->totals.n_outside,
             text_plural(writer->totals.n_outside),
             writer->recording.is_pvm ? "PVM itself, or with tasks of other programs,"
                                      : "processes outside MPI_COMM_WORLD",
             writer->totals.n_outside == 1 ? "is" : "are");
    if (writer->totals.n_unplaced)
        NOTE(notes,
             "%lu call%s of collectives of groups whose members changed, or of a part of a group, %s no place in the "
             "logical order: only %s recorded",
             (unsigned long)writer->totals.n_unplaced, text_plural(writer->totals.n_unplaced),
             writer->totals.n_unplaced == 1 ? "has" : "have",
             writer->totals.n_unplaced == 1 ? "its time is" : "their time is");
    if (writer->totals.n_clock_steps)
        NOTE(notes, "the clock went back %lu time%s; there, times in the trace stand still",
             (unsigned long)writer->totals.n_clock_steps, text_plural(writer->totals.n_clock_steps));
    if (writer->recording.n_orphans)
        NOTE(notes, "%u file%s of the recording belong%s to no process that returned from %s",
             writer->recording.n_orphans, text_plural(writer->recording.n_orphans),
             writer->recording.n_orphans == 1 ? "s" : "", recording_first_call(&writer->recording));
    if (writer->recording.application.arguments_truncated)
        NOTE(notes, "the program's arguments are too long, and were cut off");
}

static double application_seconds(const RecordedProcess *process, int64_t last_record_ns)
{
    bool has_end = process->finalize_enter_ns && !process_is_cut_off(process);
    int64_t end = has_end ? process->finalize_enter_ns : last_record_ns;
    return process->init_leave_ns && end > process->init_leave_ns ? (double)(end - process->init_leave_ns) * 1e-9 : 0;
}

/* Of the process that made least. */
static uint64_t least_calls(const Recording *recording)
{
    uint64_t least = recording->processes[0].n_calls;
    for (uint32_t rank = 1; rank < recording->n_processes; rank++)
        if (recording->processes[rank].n_calls < least)
            least = recording->processes[rank].n_calls;
    return least;
}

static void summarise(const ArchiveWriter *writer, Arena *arena, ArchiveSummary *summary)
{
    Notes notes = {.arena = arena};
    *summary = (ArchiveSummary){
        .n_processes = writer->recording.n_processes,
        .n_missing = writer->recording.n_missing,
        .n_calls = writer->totals.n_calls,
        .n_messages = writer->totals.n_messages,
        .n_collectives = writer->totals.n_collectives,
        .n_one_sided = writer->totals.n_one_sided,
        .first_call = recording_first_call(&writer->recording),
        .last_call = recording_last_call(&writer->recording),
    };
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    for (uint32_t rank = 0; rank < writer->recording.n_processes; rank++) {
        const RecordedProcess *process = &writer->recording.processes[rank];
        summary->n_here += process->host && strcmp(process->host, host) == 0;
        summary->n_unfinished += !process->finalize_leave_ns;
        if (process_is_cut_off(process) && !summary->n_cut_off++)
            summary->cut_off_errno = process->recording_errno;
        double seconds = application_seconds(process, writer->last_record_ns[rank]);
        if (seconds > summary->application_s)
            summary->application_s = seconds;
    }
    summary->recording_s = recording_cost_s(&writer->recording) * (double)least_calls(&writer->recording);
    note_incomplete(&writer->recording, &notes);
    note_import(&writer->recording, &notes);
    note_counted_calls(&writer->recording, &notes);
    note_treated_calls(&writer->recording, &notes);
    note_odd_processes(&writer->recording, &notes);
    note_odd_records(writer, &notes);
    summary->n_incomplete = writer->recording.n_incomplete;
    summary->n_notes = (uint32_t)notes.list.count;
    summary->notes = vec_copy(&notes.list, arena);
    vec_free(&notes.list);
}

static bool write_definitions(ArchiveWriter *writer, Err *err)
{
    const ArchiveContents contents = {
        .recording = &writer->recording,
        .comms = &writer->comms,
        .regions = &writer->regions,
        .n_events = writer->n_events,
        .first_time = writer->totals.first_time <= writer->totals.last_time ? writer->totals.first_time : 0,
        .last_time = writer->totals.last_time,
    };
    return output_write_definitions(&writer->output, &contents, err);
}

static void start_regions(const Recording *recording, RegionTable *regions)
{
    const char *const always[] = {recording_first_call(recording), recording_last_call(recording)};
    regions_start(regions, 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        uint16_t call;
        if (call_find(always[i], &call))
            region_of_call(regions, call);
    }
}

static bool write_archive(ArchiveWriter *writer, const Progress *progress, Arena *arena, ArchiveSummary *summary,
                          Err *err)
{
    start_regions(&writer->recording, &writer->regions);
    writer->totals.first_time = UINT64_MAX;
    writer->attributes = OTF2_AttributeList_New();
    bool ok = writer->attributes && output_open(&writer->output, writer->recording.n_processes, err) &&
              write_events(writer, progress, err) &&
              output_write_local_definitions(&writer->output, &writer->recording, err) &&
              write_definitions(writer, err);
    if (ok) {
        summarise(writer, arena, summary);
        Topologies topologies = topologies_find(&writer->recording, &writer->comms, writer->arena);
        ok = output_write_properties(&writer->output, &writer->recording, summary->notes, summary->n_notes, err) &&
             topologies_write(&writer->output, &topologies, err);
    }
    if (writer->attributes)
        OTF2_AttributeList_Delete(writer->attributes);
    return output_close(&writer->output, ok, err);
}

bool archive_check_whole(const ArchiveSummary *summary, Err *err)
{
    if (!summary->n_cut_off)
        return true;
    err_set(err, ERR_ENVIRONMENT, "%s", summary->notes[0].text);
    switch (summary->cut_off_errno) {
    case ENOSPC:
    case EDQUOT:
        return err_hint(err, "make room, or choose a directory on another disk with -o");
    case EFBIG:
        return err_hint(err, "raise the limit on the size of files, `ulimit -f`");
    case EMFILE:
    case ENFILE:
        return err_hint(err, "raise the limit on open files, `ulimit -n`");
    default:
        return false;
    }
}

static bool write_to(const char *recording, const char *directory, bool replaces, const char *salt,
                     const Progress *progress, Arena *arena, ArchiveSummary *summary, Err *err)
{
    ArchiveWriter writer = {.output = {.directory = directory, .replaces = replaces}, .arena = arena_new()};
    ArchiveSummary result;
    bool ok = recording_load(recording, writer.arena, &writer.recording, err) &&
              comms_unify(&writer.recording, writer.arena, &writer.comms, err);
    if (ok)
        application_hide_arguments(&writer.recording.application, salt, writer.arena);
    if (ok && output_prepare(&writer.output, writer.arena, err)) {
        ok = write_archive(&writer, progress, arena, &result, err);
        if (ok)
            *summary = result;
        else
            output_remove(&writer.output);
    } else {
        ok = false;
    }
    arena_free(writer.arena);
    return ok;
}

bool archive_write(const char *recording, const char *directory, const Progress *progress, Arena *arena,
                   ArchiveSummary *summary, Err *err)
{
    return write_to(recording, directory, false, NULL, progress, arena, summary, err);
}

bool archive_replace(const char *recording, const char *directory, const char *salt, const Progress *progress,
                     Arena *arena, ArchiveSummary *summary, Err *err)
{
    return write_to(recording, directory, true, salt, progress, arena, summary, err);
}
