/* SPDX-License-Identifier: BSD-3-Clause */
/* See identity.h. */
#include "trace/identity.h"

#include "base/files.h"
#include "base/text.h"
#include "trace/tasks.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *bounded(Arena *arena, const char *text, size_t capacity)
{
    return arena_strndup(arena, text, strnlen(text, capacity));
}

Application identity_of_process(const ProcessFile *process, Arena *arena)
{
    size_t n_bytes =
        process->arguments_bytes < sizeof process->arguments ? process->arguments_bytes : sizeof process->arguments;
    size_t id_bytes =
        process->build_id_bytes < sizeof process->build_id ? process->build_id_bytes : sizeof process->build_id;
    size_t n_words = 0;
    for (size_t i = 0; i < n_bytes; i++)
        n_words += process->arguments[i] == '\0';
    const char **words = arena_new_array(arena, const char *, n_words + 1);
    size_t word = 0;
    for (size_t at = 0; at < n_bytes && word <= n_words;) {
        words[word] = bounded(arena, process->arguments + at, n_bytes - at);
        at += strlen(words[word++]) + 1;
    }
    return (Application){.executable = bounded(arena, process->executable, sizeof process->executable),
                         .build_id = text_hexadecimal(process->build_id, id_bytes, arena),
                         .mpi_library = bounded(arena, process->mpi_library, sizeof process->mpi_library),
                         .n_arguments = word ? (uint32_t)word - 1 : 0,
                         .arguments = word ? words + 1 : words,
                         .arguments_truncated = process->arguments_truncated != 0,
                         .n_processes = (uint32_t)process->n_processes};
}

#define SETTLED_NS 1000000000LL

/* Returns false if the file isn't filled in yet, or the rank isn't known yet. */
static bool read_process(const char *path, const Tasks *tasks, ProcessFile *process)
{
    FILE *file = fopen(path, "rb");
    bool valid = file && fread(process, sizeof *process, 1, file) == 1 &&
                 memcmp(process->magic, PROCESS_MAGIC, sizeof process->magic) == 0 &&
                 process->version == SEGMENT_VERSION && process->init_leave_ns != 0;
    if (file)
        fclose(file);
    if (valid)
        tasks_number(tasks, process);
    return valid && process->rank >= 0;
}

/* True if `other` describes the recording better than `best`: its job began earlier, or it has a
 * lower rank in the same job. Archives get their application by the same rule. */
static bool is_better(const ProcessFile *other, const ProcessFile *best)
{
    int64_t enter_ns = other->init_enter_ns + other->realtime_offset_ns;
    int64_t best_leave_ns = best->init_leave_ns + best->realtime_offset_ns;
    int64_t best_enter_ns = best->init_enter_ns + best->realtime_offset_ns;
    int64_t leave_ns = other->init_leave_ns + other->realtime_offset_ns;
    bool same_job = other->n_processes == best->n_processes && enter_ns <= best_leave_ns && best_enter_ns <= leave_ns;
    return same_job ? other->rank < best->rank : enter_ns < best_enter_ns;
}

/* True for rank 0. True for another rank if rank 0 would have left a file by now. */
static bool is_settled(const ProcessFile *process)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return process->rank == 0 ||
           now.tv_sec * 1000000000LL + now.tv_nsec - (process->init_leave_ns + process->realtime_offset_ns) >
               SETTLED_NS;
}

bool identity_of_recording(const char *recording, bool has_ended, Arena *arena, bool *known, Application *application,
                           const char **host, Err *err)
{
    *known = false;
    DIR *directory = opendir(recording);
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", recording, strerror(errno));
    Arena *scratch = arena_new();
    ProcessFile *files = arena_new_array(scratch, ProcessFile, 2), *best = &files[0], *other = &files[1];
    const Tasks tasks = has_ended ? tasks_load(recording, true, scratch) : (Tasks){0};
    bool any = false;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!files_has_suffix(entry->d_name, ".process") ||
            !read_process(arena_printf(scratch, "%s/%s", recording, entry->d_name), &tasks, other) ||
            (any && !is_better(other, best)))
            continue;
        ProcessFile *former = best;
        best = other;
        other = former;
        any = true;
    }
    closedir(directory);
    if (any && (has_ended || is_settled(best))) {
        *application = identity_of_process(best, arena);
        *host = bounded(arena, best->host, sizeof best->host);
        *known = true;
    }
    arena_free(scratch);
    return true;
}

bool identity_find_other_host(const char *recording, const char *host, Arena *arena, uint32_t *n_ranks,
                              const char **other, Err *err)
{
    *n_ranks = 0, *other = NULL;
    DIR *directory = opendir(recording);
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", recording, strerror(errno));
    Arena *scratch = arena_new();
    ProcessFile *process = arena_new_array(scratch, ProcessFile, 1);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!files_has_suffix(entry->d_name, ".process") ||
            !read_process(arena_printf(scratch, "%s/%s", recording, entry->d_name), &(Tasks){0}, process))
            continue;
        ++*n_ranks;
        if (strncmp(process->host, host, sizeof process->host) != 0)
            *other = bounded(arena, process->host, sizeof process->host);
    }
    closedir(directory);
    arena_free(scratch);
    return true;
}
