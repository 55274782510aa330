/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch.h. firma maps files of the recording after the recorder has filled them in, and only
 * reads them. */
#include "trace/launch/watch.h"

#include "base/files.h"
#include "model/application.h"
#include "trace/tasks.h"
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static MapKey name_key(const char *name, size_t length)
{
    MapKey key = {0x6669726d61, length};
    for (size_t at = 0; at < length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, name + at, length - at < 8 ? length - at : 8);
        key = hash_word(key, word);
    }
    return key;
}

/* Maps the first size_bytes of a file for reading. Returns NULL as long as the file is shorter or
 * doesn't begin with the magic. */
static const void *map_when_valid(int directory, const char *name, size_t size_bytes, const char magic[8])
{
    struct stat info;
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *mapped = MAP_FAILED;
    if (fstat(file, &info) == 0 && (size_t)info.st_size >= size_bytes)
        mapped = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return NULL;
    if (memcmp(mapped, magic, 8) == 0)
        return mapped;
    munmap(mapped, size_bytes);
    return NULL;
}

/* Makes room for the job's processes. PVM tasks may become more. */
static void begin_counting(Watch *watch, uint32_t n_processes)
{
    const ProcessFile **processes = arena_new_array(watch->arena, const ProcessFile *, n_processes);
    if (watch->n_processes)
        memcpy(processes, watch->processes, watch->n_processes * sizeof *processes);
    watch->send_events = arena_new_array(watch->arena, uint64_t, n_processes);
    watch->processes = processes;
    watch->n_processes = n_processes;
}

/* The rank and the number of processes: of a PVM task as far as it is known now. */
static void place_process(const Watch *watch, const ProcessFile *process, int32_t *rank, int32_t *n_processes)
{
    *rank = process->rank;
    *n_processes = process->n_processes;
    if (process->flavour != MPI_FLAVOUR_PVM)
        return;
    Arena *scratch = arena_new();
    const Tasks tasks = tasks_load(watch->recording, false, scratch);
    *rank = tasks_rank(&tasks, process->task);
    *n_processes = (int32_t)tasks.n;
    arena_free(scratch);
}

#define OTHER_JOB UINT64_MAX

/* True if the process belongs to the recording's first MPI job. A second process with the same
 * rank, or one of a world of another size, belongs to another job: the next one of a script, or one
 * that the program started. */
static bool is_of_first_job(Watch *watch, int32_t rank, int32_t n_processes)
{
    if (watch->n_processes && (uint32_t)n_processes != watch->n_processes)
        return false;
    uint64_t *taken = map_put(&watch->known, hash_word((MapKey){0}, (uint64_t)rank), NULL);
    return (*taken)++ == 0;
}

static bool take_process(Watch *watch, int directory, const char *name)
{
    const ProcessFile *process = map_when_valid(directory, name, sizeof *process, PROCESS_MAGIC);
    if (!process)
        return false;
    int32_t rank, n_processes;
    place_process(watch, process, &rank, &n_processes);
    bool sane = n_processes > 0 && (uint32_t)n_processes <= PROCESS_LIMIT && rank >= 0 && rank < n_processes;
    bool kept = false;
    if (sane) {
        if (watch->n_processes == 0 ||
            (process->flavour == MPI_FLAVOUR_PVM && (uint32_t)n_processes > watch->n_processes))
            begin_counting(watch, (uint32_t)n_processes);
        bool first_job = is_of_first_job(watch, rank, n_processes);
        *map_put(&watch->known, name_key(name, strlen(name) - strlen(".process")), NULL) =
            first_job ? (uint64_t)rank : OTHER_JOB;
        if (first_job)
            watch->processes[rank] = process;
        kept = first_job;
    }
    if (!kept)
        munmap((void *)process, sizeof *process);
    return sane;
}

static bool take_segment(Watch *watch, int directory, const char *name)
{
    size_t stem = strlen(name) - strlen(".segment");
    while (stem > 0 && name[stem] != '-') /* HOST-PID-THREAD.segment belongs to HOST-PID.process */
        stem--;
    const uint64_t *known_rank = map_get(&watch->known, name_key(name, stem));
    if (!known_rank)
        return false;
    if (*known_rank == OTHER_JOB)
        return true;
    uint32_t rank = (uint32_t)*known_rank;
    const SegmentHeader *header = map_when_valid(directory, name, SEGMENT_STORED_OFFSET, SEGMENT_MAGIC);
    if (!header)
        return false;
    *vec_push(&watch->segments) = (WatchedSegment){
        .header = header, .rank = rank, .path = arena_printf(watch->arena, "%s/%s", watch->recording, name)};
    *map_put(&watch->known, name_key(name, strlen(name)), NULL) = 1;
    return true;
}

/* Takes the new files with this suffix. */
static void scan_for(Watch *watch, DIR *directory, const char *suffix, bool (*take)(Watch *, int, const char *))
{
    rewinddir(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        size_t length = strlen(name), suffix_length = strlen(suffix);
        if (!files_has_suffix(name, suffix))
            continue;
        bool is_process = strcmp(suffix, ".process") == 0;
        if (!map_get(&watch->known, name_key(name, is_process ? length - suffix_length : length)))
            watch->incomplete |= !take(watch, dirfd(directory), name);
    }
}

/* Looks for new files if the directory has changed. Also looks if it changed so recently that its
 * time stamp could hide another change. */
static void scan(Watch *watch)
{
    struct stat info;
    struct timespec now;
    if (stat(watch->recording, &info) != 0)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    bool unchanged =
        info.st_mtim.tv_sec == watch->scanned_state.tv_sec && info.st_mtim.tv_nsec == watch->scanned_state.tv_nsec;
    bool settled = now.tv_sec - info.st_mtim.tv_sec > 1;
    if (unchanged && settled && !watch->incomplete)
        return;
    DIR *directory = opendir(watch->recording);
    if (!directory)
        return;
    watch->scanned_state = info.st_mtim;
    watch->incomplete = false;
    scan_for(watch, directory, ".process", take_process);
    scan_for(watch, directory, ".segment", take_segment);
    closedir(directory);
}

bool watch_scan(Watch *watch)
{
    scan(watch);
    return watch->n_processes > 0;
}

bool watch_all_finished(Watch *watch)
{
    if (!watch_scan(watch))
        return false;
    for (uint32_t rank = 0; rank < watch->n_processes; rank++)
        if (!watch->processes[rank] || !__atomic_load_n(&watch->processes[rank]->finalize_leave_ns, __ATOMIC_RELAXED))
            return false;
    return true;
}

const uint64_t *watch_send_events(Watch *watch, uint32_t *count)
{
    bool seen = watch_scan(watch);
    *count = watch->n_processes;
    if (!seen)
        return NULL;
    memset(watch->send_events, 0, watch->n_processes * sizeof *watch->send_events);
    for (size_t i = 0; i < watch->segments.count; i++) {
        const WatchedSegment *segment = &watch->segments.items[i];
        assert(segment->rank < watch->n_processes);
        watch->send_events[segment->rank] += __atomic_load_n(&segment->header->send_events, __ATOMIC_RELAXED);
    }
    return watch->send_events;
}

void watch_free(Watch *watch)
{
    for (size_t i = 0; i < watch->segments.count; i++)
        munmap((void *)watch->segments.items[i].header, SEGMENT_STORED_OFFSET);
    for (uint32_t rank = 0; rank < watch->n_processes; rank++)
        if (watch->processes[rank])
            munmap((void *)watch->processes[rank], sizeof(ProcessFile));
    watch->n_processes = 0;
    vec_free(&watch->segments);
    map_free(&watch->known);
}
