/* SPDX-License-Identifier: BSD-3-Clause */
/* See maker.h. */
#include "trace/import/maker.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { HALF_RECORDS = SEGMENT_HALF_BYTES / RECORD_BYTES };

static bool cannot_write(const char *path, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
}

/* The path of a process's file: "HOST-PID" and a suffix, where the pid is the rank. */
static void base_path(char *path, size_t capacity, const char *recording, uint32_t rank, const char *suffix)
{
    snprintf(path, capacity, "%s/imported-%u%s", recording, rank, suffix);
}

bool segment_make(SegmentMaker *maker, const char *recording, uint32_t rank, uint32_t thread, Err *err)
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "-%u.segment", thread);
    *maker = (SegmentMaker){.thread = thread};
    base_path(maker->path, sizeof maker->path, recording, rank, suffix);
    maker->file = fopen(maker->path, "wbx");
    if (!maker->file)
        return cannot_write(maker->path, err);
    maker->records = memory_zeroed(HALF_RECORDS, sizeof *maker->records);
    return true;
}

static bool write_at(SegmentMaker *maker, uint64_t offset, const void *bytes, size_t size, Err *err)
{
    return (fseeko(maker->file, (off_t)offset, SEEK_SET) == 0 && fwrite(bytes, 1, size, maker->file) == size) ||
           cannot_write(maker->path, err);
}

bool segment_put(SegmentMaker *maker, const Record *record, Err *err)
{
    maker->records[maker->n++] = *record;
    if (maker->n < HALF_RECORDS)
        return true;
    maker->n = 0;
    maker->stored_bytes += SEGMENT_HALF_BYTES;
    return write_at(maker, SEGMENT_STORED_OFFSET + maker->stored_bytes - SEGMENT_HALF_BYTES, maker->records,
                    SEGMENT_HALF_BYTES, err);
}

bool segment_finish(SegmentMaker *maker, bool ok, Err *err)
{
    if (!maker->file)
        return ok;
    SegmentHeader header = {.magic = SEGMENT_MAGIC,
                            .version = SEGMENT_VERSION,
                            .thread = maker->thread,
                            .stored_bytes = maker->stored_bytes};
    const uint64_t half = maker->stored_bytes / SEGMENT_HALF_BYTES % 2;
    memset(maker->records + maker->n, 0, (HALF_RECORDS - maker->n) * sizeof *maker->records);
    ok = ok && write_at(maker, 0, &header, sizeof header, err) &&
         write_at(maker, SEGMENT_HEADER_BYTES + half * SEGMENT_HALF_BYTES, maker->records, SEGMENT_HALF_BYTES, err);
    if (fclose(maker->file) != 0 && ok)
        ok = cannot_write(maker->path, err);
    free(maker->records);
    maker->file = NULL;
    return ok;
}

static void put_comm(FILE *file, const MadeComm *comm)
{
    const CommRecord record = {.n_local = comm->n_members, .n_ranges = comm->members ? comm->n_members : 1};
    fwrite(&record, sizeof record, 1, file);
    if (!comm->members) {
        const CommRange all = {.stride = comm->n_members > 1, .count = comm->n_members};
        fwrite(&all, sizeof all, 1, file);
    }
    for (uint32_t i = 0; comm->members && i < comm->n_members; i++) {
        const CommRange one = {.first = (int32_t)comm->members[i], .count = 1};
        fwrite(&one, sizeof one, 1, file);
    }
}

static bool close_written(FILE *file, const char *path, Err *err)
{
    bool ok = !ferror(file);
    ok = fclose(file) == 0 && ok;
    return ok || cannot_write(path, err);
}

bool process_make(const char *recording, ProcessFile *process, const MadeComm *comms, uint32_t n_comms, Err *err)
{
    char path[4096];
    const uint32_t self = (uint32_t)process->rank;
    base_path(path, sizeof path, recording, self, ".comms");
    FILE *file = fopen(path, "wbx");
    if (!file)
        return cannot_write(path, err);
    put_comm(file, &(MadeComm){.n_members = (uint32_t)process->n_processes});
    put_comm(file, &(MadeComm){.n_members = 1, .members = &self});
    for (uint32_t i = 0; i < n_comms; i++)
        put_comm(file, &comms[i]);
    if (!close_written(file, path, err))
        return false;

    base_path(path, sizeof path, recording, self, ".process");
    file = fopen(path, "wbx");
    if (!file)
        return cannot_write(path, err);
    memcpy(process->magic, PROCESS_MAGIC, sizeof process->magic);
    process->version = SEGMENT_VERSION;
    process->pid = process->rank;
    process->n_threads = 1;
    process->n_comms = 2 + n_comms;
    process->realtime_offset_ns = -MADE_SHIFT_NS;
    fwrite(process, sizeof *process, 1, file);
    return close_written(file, path, err);
}

void note_add(MadeNotes *notes, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char *copy = memory_zeroed(strlen(text) + 1, 1);
    *vec_push(notes) = strcpy(copy, text);
}

bool notes_make(const char *recording, MadeNotes *notes, bool ok, Err *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" NOTES_NAME, recording);
    FILE *file = ok ? fopen(path, "wbx") : NULL;
    if (ok && !file)
        ok = cannot_write(path, err);
    for (size_t i = 0; i < notes->count; i++) {
        if (file)
            fprintf(file, "%s\n", notes->items[i]);
        free(notes->items[i]);
    }
    vec_free(notes);
    return ok && close_written(file, path, err);
}
