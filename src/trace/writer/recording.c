/* SPDX-License-Identifier: BSD-3-Clause */
/* See recording.h. Files are read, not mapped, because a mapped file that shrinks meanwhile would
 * be fatal. */
#include "trace/writer/recording.h"

#include "base/files.h"
#include "base/map.h"
#include "base/processor.h"
#include "model/application.h"
#include "trace/identity.h"
#include "trace/ownership.h"
#include "trace/writer/incomplete.h"
#include "trace/writer/segment_reader.h"
#include "trace/writer/worlds.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef VEC(char *) Names;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists paths without their suffix, sorted. So nothing depends on the order of the directory. */
static bool list_directory(const char *directory, Arena *arena, Names *processes, Names *segments, Err *err)
{
    DIR *stream = opendir(directory);
    if (!stream)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot read the recording: %s", directory, strerror(errno));
    for (struct dirent *entry; (entry = readdir(stream));) {
        Names *names = files_has_suffix(entry->d_name, ".process")   ? processes
                       : files_has_suffix(entry->d_name, ".segment") ? segments
                                                                     : NULL;
        if (names)
            *vec_push(names) =
                arena_printf(arena, "%s/%.*s", directory, (int)(strlen(entry->d_name) - 8), entry->d_name);
    }
    closedir(stream);
    if (processes->count)
        qsort(processes->items, processes->count, sizeof *processes->items, compare_names);
    if (segments->count)
        qsort(segments->items, segments->count, sizeof *segments->items, compare_names);
    return true;
}

/* Checks the order of the times that are known. Times that the process didn't reach are 0. */
static bool times_in_order(const ProcessFile *file)
{
    const int64_t times[] = {file->init_enter_ns, file->init_leave_ns, file->finalize_enter_ns,
                             file->finalize_leave_ns};
    int64_t latest = 0;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (times[i] != 0 && times[i] < latest)
            return false;
        latest = times[i] ? times[i] : latest;
    }
    return latest < RECORDED_TIME_LIMIT_NS && file->abort_ns >= 0 && file->abort_ns < RECORDED_TIME_LIMIT_NS &&
           file->realtime_offset_ns > -4 * (RECORDED_TIME_LIMIT_NS - 1) &&
           file->realtime_offset_ns < 4 * (RECORDED_TIME_LIMIT_NS - 1);
}

/* Reads a process file. *blank becomes true if the process ended before it had written the file. */
static bool read_process_file(const Recording *recording, const char *path, ProcessFile *file, bool *blank, Err *err)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", path, strerror(errno));
    size_t size = fread(file, 1, sizeof *file, stream);
    bool failed = ferror(stream) != 0;
    fclose(stream);
    if (failed)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", path, strerror(errno));
    *blank = size < sizeof file->magic || segment_is_blank(file->magic);
    if (*blank)
        return true;
    if (memcmp(file->magic, PROCESS_MAGIC, 8) != 0)
        return err_set(err, ERR_INPUT, "%s: offset 0: not a process file of firma", path);
    if (size < offsetof(ProcessFile, flavour) || file->version != SEGMENT_VERSION)
        return err_set(err, ERR_INPUT, "%s: offset %zu: the recording has version %u, but this firma reads %u", path,
                       offsetof(ProcessFile, version), file->version, SEGMENT_VERSION);
    if (size < sizeof *file)
        return err_set(err, ERR_INPUT, "%s: offset %zu: the file ends here, %zu bytes are missing", path, size,
                       sizeof *file - size);
    tasks_number(&recording->tasks, file);
    if (file->n_processes <= 0 || (uint32_t)file->n_processes > PROCESS_LIMIT)
        return err_set(err, ERR_INPUT, "%s: offset %zu: %d processes; the limit is %u", path,
                       offsetof(ProcessFile, n_processes), file->n_processes, PROCESS_LIMIT);
    if (file->rank < 0 || file->rank >= file->n_processes)
        return err_set(err, ERR_INPUT, "%s: offset %zu: rank %d, but there are %d processes", path,
                       offsetof(ProcessFile, rank), file->rank, file->n_processes);
    if (!times_in_order(file))
        return err_set(err, ERR_INPUT, "%s: offset %zu: the times of MPI_Init and MPI_Finalize are not in order", path,
                       offsetof(ProcessFile, init_enter_ns));
    if (file->recording_end >= RECORDING_END_COUNT || file->build_id_bytes > sizeof file->build_id ||
        file->arguments_bytes > sizeof file->arguments || file->n_groups > GROUPS_LIMIT)
        return err_set(err, ERR_INPUT, "%s: a field of the process file is out of range", path);
    return true;
}

static char *copy_field(const char *field, size_t limit, Arena *arena)
{
    return arena_strndup(arena, field, strnlen(field, limit));
}

static void place_process(Recording *recording, const ProcessFile *file, const char *base, Arena *arena)
{
    uint32_t n_processors;
    const char *processors = processors_text(file->processors, sizeof file->processors, arena, &n_processors);
    if (!recording->processes) {
        recording->n_processes = (uint32_t)file->n_processes;
        recording->processes = arena_new_array(arena, RecordedProcess, recording->n_processes);
    }
    recording->is_pvm = file->flavour == MPI_FLAVOUR_PVM;
    recording->processes[file->rank] = (RecordedProcess){
        .base = base,
        .host = copy_field(file->host, sizeof file->host, arena),
        .executable = copy_field(file->executable, sizeof file->executable, arena),
        .pid = file->pid,
        .n_made = file->n_threads,
        .n_comms = file->n_comms,
        .recording_end = (RecordingEnd)file->recording_end,
        .recording_errno = file->recording_errno,
        .recording_end_ns = file->recording_end_ns,
        .init_enter_ns = file->init_enter_ns,
        .init_leave_ns = file->init_leave_ns,
        .finalize_enter_ns = file->finalize_enter_ns,
        .finalize_leave_ns = file->finalize_leave_ns,
        .abort_ns = file->abort_ns,
        .realtime_offset_ns = file->realtime_offset_ns,
        .processors = processors,
        .n_processors = n_processors,
        .storing_ns = file->storing_ns,
        .n_stored = file->n_stored,
        .call_cost_ns = file->call_cost_ns,
        .sample_cost_ns = file->sample_cost_ns,
        .n_groups = file->n_groups,
        .groups = arena_copy_array(arena, file->groups, file->n_groups, sizeof *file->groups),
    };
    for (uint32_t call = 0; call < CALL_LIMIT; call++) {
        recording->counted[call] += file->counted[call];
        recording->counted_ranks[call] += file->counted[call] != 0;
    }
}

static uint64_t hash_bytes(const char *bytes, size_t count)
{
    MapKey key = {0, count};
    for (size_t i = 0; i < count; i++)
        key = hash_word(key, (uint64_t)bytes[i]);
    return key.low;
}

/* Leaves the program's name out: PVM gives spawned tasks another one than the user gave the first. */
static uint64_t hash_arguments(const ProcessFile *file)
{
    const size_t name_bytes = strnlen(file->arguments, file->arguments_bytes);
    return hash_bytes(file->arguments + name_bytes, file->arguments_bytes - name_bytes);
}

/* What a process file tells about the job of its process. */
static WorldMember world_member(const ProcessFile *file)
{
    return (WorldMember){
        .pid = file->pid,
        .rank = file->rank,
        .n_processes = file->n_processes,
        .init_enter_ns = file->init_enter_ns + file->realtime_offset_ns,
        .init_leave_ns = file->init_leave_ns ? file->init_leave_ns + file->realtime_offset_ns : INT64_MAX,
        .host = hash_bytes(file->host, strnlen(file->host, sizeof file->host)),
        .program =
            hash_bytes(file->executable, strnlen(file->executable, sizeof file->executable)) ^ hash_arguments(file),
    };
}

/* The processes that belong to some world, with the base names of their files. */
typedef struct Members {
    VEC(WorldMember) worlds;
    VEC(const char *) bases;
} Members;

static bool find_members(Recording *recording, const Names *bases, ProcessFile *file, Arena *arena, Members *members,
                         Err *err)
{
    for (size_t i = 0; i < bases->count; i++) {
        bool blank = false;
        if (!read_process_file(recording, arena_printf(arena, "%s.process", bases->items[i]), file, &blank, err))
            return false;
        if (blank) {
            recording->n_orphans++;
        } else if (file->recording_end == RECORDING_SPAWNED) {
            recording->n_spawned++;
        } else {
            *vec_push(&members->worlds) = world_member(file);
            *vec_push(&members->bases) = bases->items[i];
        }
    }
    worlds_tell_apart(members->worlds.items, members->worlds.count, &recording->left_out_certain);
    for (size_t i = 0; i < members->worlds.count; i++)
        recording->n_left_out += members->worlds.items[i].world != 0;
    return true;
}

static void count_programs(Recording *recording, const Members *members)
{
    Map programs = {0};
    for (size_t i = 0; i < members->worlds.count; i++) {
        if (members->worlds.items[i].world != 0)
            continue;
        size_t number = map_number(&programs, (MapKey){members->worlds.items[i].program, 0}, recording->n_programs);
        recording->n_programs += number == recording->n_programs;
    }
    map_free(&programs);
}

static bool load_processes(Recording *recording, const Names *bases, Arena *arena, Err *err)
{
    ProcessFile *file = memory_zeroed(1, sizeof *file);
    Members members = {0};
    int32_t lowest_rank = INT32_MAX;
    bool ok = find_members(recording, bases, file, arena, &members, err);
    recording->left_out = arena_new_array(arena, RecordedProcess, recording->n_left_out);
    uint32_t n_left_out = 0;
    for (size_t i = 0; ok && i < members.bases.count; i++) {
        const char *base = members.bases.items[i];
        bool blank = false;
        ok = read_process_file(recording, arena_printf(arena, "%s.process", base), file, &blank, err);
        if (!ok || blank)
            continue;
        if (members.worlds.items[i].world != 0) {
            recording->left_out[n_left_out++] =
                (RecordedProcess){.base = base,
                                  .executable = copy_field(file->executable, sizeof file->executable, arena),
                                  .is_left_out = true};
            continue;
        }
        place_process(recording, file, base, arena);
        if (file->rank < lowest_rank) {
            lowest_rank = file->rank;
            recording->application = identity_of_process(file, arena);
        }
    }
    recording->n_left_out = n_left_out;
    count_programs(recording, &members);
    vec_free(&members.worlds);
    vec_free(&members.bases);
    free(file);
    return ok;
}

static int compare_bases(const void *a, const void *b)
{
    return strcmp((*(RecordedProcess *const *)a)->base, (*(RecordedProcess *const *)b)->base);
}

/* Finds the process of a segment: "HOST-PID-THREAD" belongs to "HOST-PID". */
static RecordedProcess *segment_owner(char *name, RecordedProcess **processes, size_t count, uint32_t *thread)
{
    char *dash = strrchr(name, '-');
    char *end;
    if (!dash || dash[1] < '0' || dash[1] > '9')
        return NULL;
    errno = 0;
    unsigned long number = strtoul(dash + 1, &end, 10);
    if (*end || errno || number > INT32_MAX)
        return NULL;
    *thread = (uint32_t)number;
    *dash = '\0';
    RecordedProcess key = {.base = name}, *key_pointer = &key;
    RecordedProcess **found = bsearch(&key_pointer, processes, count, sizeof *processes, compare_bases);
    *dash = '-';
    return found ? *found : NULL;
}

/* A process made more segments than there are: the others are still on its node. Its communicators may be
 * there, too, or found no space there; then nothing names them. */
static void find_left_behind(Recording *recording, Arena *arena)
{
    struct stat status;
    for (uint32_t rank = 0; recording->local && rank < recording->n_processes; rank++) {
        RecordedProcess *process = &recording->processes[rank];
        if (!process->base)
            continue;
        process->is_left_behind = !process_is_cut_off(process) && process->n_threads < process->n_made;
        if (!process->n_threads &&
            (stat(arena_printf(arena, "%s.comms", process->base), &status) != 0 || status.st_size == 0))
            process->n_comms = 0;
    }
}

static int compare_threads(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

typedef struct Ownership {
    RecordedProcess *process;
    uint32_t thread;
} Ownership;

static void share_out_segments(Recording *recording, const Names *segments, Arena *arena)
{
    VEC(RecordedProcess *) present = {0};
    for (uint32_t rank = 0; rank < recording->n_processes; rank++)
        if (recording->processes[rank].base)
            *vec_push(&present) = &recording->processes[rank];
    for (uint32_t i = 0; i < recording->n_left_out; i++)
        *vec_push(&present) = &recording->left_out[i];
    qsort(present.items, present.count, sizeof *present.items, compare_bases);

    VEC(Ownership) owned = {0};
    for (size_t i = 0; i < segments->count; i++) {
        uint32_t thread;
        RecordedProcess *process = segment_owner(segments->items[i], present.items, present.count, &thread);
        if (!process) {
            recording->n_orphans++;
            continue;
        }
        if (process->is_left_out)
            continue;
        *vec_push(&owned) = (Ownership){process, thread};
        process->has_main_segment |= thread == 0;
        process->n_threads++;
        struct stat status;
        if (stat(arena_printf(arena, "%s.segment", segments->items[i]), &status) == 0)
            recording->size_bytes += (uint64_t)status.st_size;
    }
    find_left_behind(recording, arena);
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        RecordedProcess *process = &recording->processes[rank];
        process->threads = arena_new_array(arena, uint32_t, process->n_threads + 1);
        /* A rank without a segment of thread 0 gets this thread anyway. */
        process->n_threads = !process->has_main_segment;
    }
    for (size_t i = 0; i < owned.count; i++)
        owned.items[i].process->threads[owned.items[i].process->n_threads++] = owned.items[i].thread;
    for (uint32_t rank = 0; rank < recording->n_processes; rank++)
        qsort(recording->processes[rank].threads, recording->processes[rank].n_threads, sizeof(uint32_t),
              compare_threads);
    for (uint32_t rank = 0; rank < recording->n_processes; rank++)
        assert(recording->processes[rank].n_threads > 0 && recording->processes[rank].threads[0] == 0);
    vec_free(&present);
    vec_free(&owned);
}

/* Processes of one host share its monotonic clock, but each has measured the offset at another
 * moment. All get the offset of the first one. */
static void share_offsets(Recording *recording)
{
    VEC(const RecordedProcess *) hosts = {0};
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        RecordedProcess *process = &recording->processes[rank];
        if (!process->base)
            continue;
        size_t i = hosts.count;
        while (i > 0 && strcmp(hosts.items[i - 1]->host, process->host) != 0)
            i--;
        if (i == 0) {
            *vec_push(&hosts) = process;
        } else {
            process->host = hosts.items[i - 1]->host;
            process->realtime_offset_ns = hosts.items[i - 1]->realtime_offset_ns;
        }
    }
    vec_free(&hosts);
}

/* Reads the notes of an imported trace. */
static bool load_notes(Recording *recording, Arena *arena, Err *err)
{
    const char *path = arena_printf(arena, "%s/" NOTES_NAME, recording->directory);
    recording->notes = "";
    return !files_exist(path) || files_load_text(path, arena, &recording->notes, err);
}

bool recording_load(const char *directory, Arena *arena, Recording *recording, Err *err)
{
    Names processes = {0}, segments = {0};
    *recording = (Recording){.directory = directory,
                             .local = recording_local(directory, arena),
                             .slowdown = recording_slowdown(directory, arena),
                             .tasks = tasks_load(directory, true, arena)};
    bool ok = list_directory(directory, arena, &processes, &segments, err) &&
              load_processes(recording, &processes, arena, err) && load_notes(recording, arena, err);
    if (ok && !recording->processes)
        ok = err_set(err, ERR_ENVIRONMENT, "%s: no process of the program left a record", directory) ||
             err_hint(err, "`firma doctor` checks whether tracing works here");
    if (ok) {
        share_out_segments(recording, &segments, arena);
        share_offsets(recording);
        for (uint32_t rank = 0; rank < recording->n_processes; rank++)
            recording->n_missing += !recording->processes[rank].base;
        recording_find_incomplete(recording, arena);
    }
    vec_free(&processes);
    vec_free(&segments);
    return ok;
}

char *recording_segment_path(const RecordedProcess *process, uint32_t thread, Arena *arena)
{
    return arena_printf(arena, "%s-%u.segment", process->base, thread);
}

double recording_cost_s(const Recording *recording)
{
    double cost_ns = 0, n_calls = 0;
    if (recording->origin)
        return recording->origin->recording_cost_s;
    for (uint32_t i = 0; i < recording->n_processes; i++) {
        const RecordedProcess *process = &recording->processes[i];
        double n_stored = (double)process->n_stored * (SEGMENT_HALF_BYTES / RECORD_BYTES);
        cost_ns +=
            (double)process->n_calls * process->call_cost_ns + (double)process->n_samples * process->sample_cost_ns;
        if (n_stored > 0)
            cost_ns += (double)process->n_records * (double)process->storing_ns / n_stored;
        n_calls += (double)process->n_calls;
    }
    return n_calls > 0 ? 1e-9 * cost_ns / n_calls : 0;
}
