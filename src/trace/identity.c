/* SPDX-License-Identifier: BSD-3-Clause */
/* See identity.h. */
#include "trace/identity.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *bounded(Arena *arena, const char *text, size_t capacity)
{
    return arena_strndup(arena, text, strnlen(text, capacity));
}

static const char *hexadecimal(Arena *arena, const uint8_t *bytes, size_t count)
{
    char *text = arena_alloc(arena, 2 * count + 1);
    for (size_t i = 0; i < count; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return text;
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
                         .build_id = hexadecimal(arena, process->build_id, id_bytes),
                         .mpi_library = bounded(arena, process->mpi_library, sizeof process->mpi_library),
                         .n_arguments = word ? (uint32_t)word - 1 : 0,
                         .arguments = word ? words + 1 : words,
                         .n_processes = (uint32_t)process->n_processes};
}

bool identity_of_recording(const char *recording, Arena *arena, bool *known, Application *application,
                           const char **host, Err *err)
{
    *known = false;
    DIR *directory = opendir(recording);
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", recording, strerror(errno));
    for (struct dirent *entry; !*known && (entry = readdir(directory));) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (!suffix || strcmp(suffix, ".process") != 0)
            continue;
        FILE *file = fopen(arena_printf(arena, "%s/%s", recording, entry->d_name), "rb");
        ProcessFile *process = arena_alloc(arena, sizeof *process);
        if (file && fread(process, sizeof *process, 1, file) == 1 &&
            memcmp(process->magic, PROCESS_MAGIC, sizeof process->magic) == 0 && process->version == SEGMENT_VERSION &&
            process->init_leave_ns != 0) {
            *application = identity_of_process(process, arena);
            *host = bounded(arena, process->host, sizeof process->host);
            *known = true;
        }
        if (file)
            fclose(file);
    }
    closedir(directory);
    return true;
}
