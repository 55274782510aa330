/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of one thread (segment.h), and checks their form. Code that uses a record
 * checks its references to communicators and calls. Private to trace/. */
#pragma once

#include "base/err.h"
#include "trace/segment.h"
#include <stdio.h>
#include <string.h>

enum { SEGMENT_BLOCK_RECORDS = 8192 };

typedef struct SegmentReader {
    const char *path;
    FILE *file;
    uint64_t offset; /* offset of records[0] in the file */
    uint64_t next_offset;
    uint64_t stretch_bytes; /* bytes left in the stored records, or in the half */
    uint64_t half_offset;   /* offset of the half behind the stored records; 0: this half is being read */
    bool ended;
    Record *records; /* [SEGMENT_BLOCK_RECORDS] */
} SegmentReader;

/* True for a file into which the recorder hasn't written anything: it begins with zeros. */
static inline bool segment_is_blank(const char magic[8])
{
    return memcmp(magic, (char[8]){0}, 8) == 0;
}

/* Opens a segment. A blank header, because the process ended early, counts as an empty segment. */
bool segment_open(SegmentReader *reader, const char *path, uint32_t thread, Err *err);

/* Reads the next records. *count is 0 at the end of the recording. */
bool segment_read(SegmentReader *reader, size_t *count, Err *err);

void segment_close(SegmentReader *reader);

/* Sets ERR_INPUT for the record at `index` of the block: "PATH: offset N: …". Returns false. */
bool segment_wrong(const SegmentReader *reader, size_t index, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
