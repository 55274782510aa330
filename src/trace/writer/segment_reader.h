/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of one thread of a recording (segment.h), checked for form. What a record means in its process
 * (communicators, calls) is checked where it is used. Private to trace/. */
#pragma once

#include "base/err.h"
#include "trace/segment.h"
#include <stdio.h>
#include <string.h>

enum { SEGMENT_BLOCK_RECORDS = 8192 };

typedef struct SegmentReader {
    const char *path;
    FILE *file;
    uint64_t offset; /* of records[0] in the file */
    uint64_t next_offset;
    uint64_t stretch_bytes; /* left of the stored records, or of the half */
    uint64_t half_offset;   /* of the half that comes behind what is stored; 0: it is being read */
    bool ended;
    Record *records; /* [SEGMENT_BLOCK_RECORDS] */
} SegmentReader;

/* A file that nothing was written to yet begins with zeros. */
static inline bool segment_is_blank(const char magic[8])
{
    return memcmp(magic, (char[8]){0}, 8) == 0;
}

/* A segment whose header was never written (the process ended before) opens as an empty one. */
bool segment_open(SegmentReader *reader, const char *path, uint32_t thread, Err *err);

/* The next records; *count == 0 at the end of what was recorded. */
bool segment_read(SegmentReader *reader, size_t *count, Err *err);

void segment_close(SegmentReader *reader);

/* ERR_INPUT for the record that stands at `index` of the block: "PATH: offset N: …". Returns false. */
bool segment_wrong(const SegmentReader *reader, size_t index, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
