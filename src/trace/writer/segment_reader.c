/* SPDX-License-Identifier: BSD-3-Clause */
/* See segment_reader.h. Files are read, not mapped, because a mapped file that shrinks meanwhile
 * would be fatal. */
#include "trace/writer/segment_reader.h"

#include "base/arena.h"
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool seek(SegmentReader *reader, uint64_t offset, uint64_t stretch_bytes, Err *err)
{
    reader->next_offset = offset;
    reader->stretch_bytes = stretch_bytes;
    return fseeko(reader->file, (off_t)offset, SEEK_SET) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", reader->path, strerror(errno));
}

/* Starts with the stored records; the half that isn't full follows. */
static bool start_reading(SegmentReader *reader, uint64_t stored_bytes, Err *err)
{
    const uint64_t half = stored_bytes / SEGMENT_HALF_BYTES % 2;
    assert(stored_bytes % SEGMENT_HALF_BYTES == 0);
    reader->half_offset = SEGMENT_HEADER_BYTES + half * SEGMENT_HALF_BYTES;
    return seek(reader, SEGMENT_STORED_OFFSET, stored_bytes, err);
}

bool segment_open(SegmentReader *reader, const char *path, uint32_t thread, Err *err)
{
    *reader = (SegmentReader){.path = path};
    reader->file = fopen(path, "rb");
    if (!reader->file)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", path, strerror(errno));
    setvbuf(reader->file, NULL, _IONBF, 0);
    SegmentHeader header = {0};
    size_t size = fread(&header, 1, sizeof header, reader->file);
    if (size < sizeof header.magic || segment_is_blank(header.magic)) {
        reader->ended = true;
        return true;
    }
    bool ok = true;
    if (memcmp(header.magic, SEGMENT_MAGIC, 8) != 0)
        ok = err_set(err, ERR_INPUT, "%s: offset 0: not a segment of firma's recorder", path);
    else if (size < offsetof(SegmentHeader, thread) || header.version != SEGMENT_VERSION)
        ok = err_set(err, ERR_INPUT, "%s: offset %zu: the recording has version %u, but this firma reads %u", path,
                     offsetof(SegmentHeader, version), header.version, SEGMENT_VERSION);
    else if (size < sizeof header)
        ok = err_set(err, ERR_INPUT, "%s: offset %zu: the file ends within its header", path, size);
    else if (header.thread != thread)
        ok = err_set(err, ERR_INPUT, "%s: offset %zu: thread %u in the file of thread %u", path,
                     offsetof(SegmentHeader, thread), header.thread, thread);
    else if (header.stored_bytes % SEGMENT_HALF_BYTES || header.stored_bytes > INT64_MAX - SEGMENT_STORED_OFFSET)
        ok = err_set(err, ERR_INPUT, "%s: offset %zu: %llu bytes of records stored", path,
                     offsetof(SegmentHeader, stored_bytes), (unsigned long long)header.stored_bytes);
    else
        ok = start_reading(reader, header.stored_bytes, err);
    if (!ok) {
        segment_close(reader);
        return false;
    }
    reader->records = memory_zeroed(SEGMENT_BLOCK_RECORDS, sizeof(Record));
    return true;
}

bool segment_read(SegmentReader *reader, size_t *count, Err *err)
{
    *count = 0;
    if (!reader->ended && !reader->stretch_bytes && reader->half_offset) {
        if (!seek(reader, reader->half_offset, SEGMENT_HALF_BYTES, err))
            return false;
        reader->half_offset = 0;
    }
    if (reader->ended || !reader->stretch_bytes)
        return true;
    assert(reader->records);
    reader->offset = reader->next_offset;
    size_t wanted = SEGMENT_BLOCK_RECORDS * sizeof(Record);
    if (wanted > reader->stretch_bytes)
        wanted = (size_t)reader->stretch_bytes;
    size_t size = fread(reader->records, 1, wanted, reader->file);
    if (ferror(reader->file))
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", reader->path, strerror(errno));
    size_t whole = size / sizeof(Record), n = 0;
    for (; n < whole && reader->records[n].kind != RECORD_NONE; n++)
        if (reader->records[n].kind >= RECORD_KIND_COUNT)
            return segment_wrong(reader, n, err, "no record has the kind %u", reader->records[n].kind);
    if (n == whole && size % sizeof(Record) && reader->records[n].kind != RECORD_NONE)
        return segment_wrong(reader, n, err, "the file ends within a record");
    reader->ended = n * sizeof(Record) < wanted;
    reader->next_offset += n * sizeof(Record);
    assert(n * sizeof(Record) <= reader->stretch_bytes);
    reader->stretch_bytes -= n * sizeof(Record);
    *count = n;
    return true;
}

void segment_close(SegmentReader *reader)
{
    if (reader->file)
        fclose(reader->file);
    free(reader->records);
    *reader = (SegmentReader){0};
}

bool segment_wrong(const SegmentReader *reader, size_t index, Err *err, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return err_set(err, ERR_INPUT, "%s: offset %lu: %s", reader->path,
                   (unsigned long)(reader->offset + index * sizeof(Record)), what);
}
