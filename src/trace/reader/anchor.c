/* SPDX-License-Identifier: BSD-3-Clause */
/* See anchor.h. The layout that OTF2 2.x and 3.x write; the second byte gives the byte order of
 * numbers:
 *
 *   03 order "OTF2\0" format[2] version[3] chunk_events:8 chunk_definitions:8 substrate compression
 *   n_locations:8 n_definitions:8 machine\0 creator\0 description\0 n_properties:4 (name\0 value\0)… trace_id:8 …
 */
#include "trace/reader/anchor.h"

#include "base/files.h"
#include <errno.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION_AT = 9,
    CHUNK_SIZES_AT = 12,
    COUNTS_AT = 30,
    STRINGS_AT = 46,
    N_STRINGS = 3,
    LEAST_PROPERTY_BYTES = 2,
    TRACE_ID_BYTES = 8,
    NATIVE_ORDER = 0x42,
    ANCHOR_LIMIT_BYTES = 64 << 20
};

typedef struct Anchor {
    const char *path;
    unsigned char *bytes;
    size_t size;
} Anchor;

static uint64_t number_at(const Anchor *anchor, size_t at, size_t n_bytes)
{
    bool native = anchor->bytes[1] == NATIVE_ORDER;
    uint64_t number = 0;
    for (size_t i = 0; i < n_bytes; i++)
        number = number << 8 | anchor->bytes[at + (native ? n_bytes - 1 - i : i)];
    return number;
}

static bool read_anchor(Anchor *anchor, Err *err)
{
    FILE *stream = files_open_input(anchor->path, err);
    if (!stream)
        return false;
    long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    bool ok = size >= 0 && fseek(stream, 0, SEEK_SET) == 0;
    if (!ok) {
        err_set(err, ERR_INPUT, "%s: cannot read: %s", anchor->path, strerror(errno));
    } else if (size > ANCHOR_LIMIT_BYTES) {
        ok = err_set(err, ERR_INPUT, "%s: %ld bytes; the anchor file of an OTF2 archive has at most %d", anchor->path,
                     size, ANCHOR_LIMIT_BYTES);
    } else {
        anchor->bytes = malloc((size_t)size + 1);
        anchor->size = anchor->bytes ? fread(anchor->bytes, 1, (size_t)size, stream) : 0;
    }
    fclose(stream);
    return ok;
}

static bool truncated(const Anchor *anchor, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: truncated: the file ends after %zu bytes", anchor->path, anchor->size);
}

static bool check_numbers(const Anchor *anchor, Err *err)
{
    if (anchor->size == 0)
        return err_set(err, ERR_INPUT, "%s: the file is empty", anchor->path);
    if (anchor->size < 7 || memcmp(anchor->bytes + 2, "OTF2", 5) != 0)
        return err_set(err, ERR_INPUT, "%s: not the anchor file of an OTF2 archive", anchor->path);
    if (anchor->size < STRINGS_AT)
        return truncated(anchor, err);
    for (size_t i = 0; i < 2; i++) {
        uint64_t chunk = number_at(anchor, CHUNK_SIZES_AT + 8 * i, 8);
        if (chunk < OTF2_CHUNK_SIZE_MIN || chunk > OTF2_CHUNK_SIZE_MAX)
            return err_set(err, ERR_INPUT, "%s: broken: chunks of %lu bytes; OTF2 allows %lu to %lu", anchor->path,
                           (unsigned long)chunk, (unsigned long)OTF2_CHUNK_SIZE_MIN,
                           (unsigned long)OTF2_CHUNK_SIZE_MAX);
    }
    uint64_t n_locations = number_at(anchor, COUNTS_AT, 8), n_definitions = number_at(anchor, COUNTS_AT + 8, 8);
    if (n_locations > n_definitions)
        return err_set(err, ERR_INPUT, "%s: broken: %lu locations among %lu definitions", anchor->path,
                       (unsigned long)n_locations, (unsigned long)n_definitions);
    return true;
}

/* Moves *at behind `count` texts. Returns false if the file ends before. */
static bool skip_texts(const Anchor *anchor, uint64_t count, size_t *at)
{
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *end = memchr(anchor->bytes + *at, 0, anchor->size - *at);
        if (!end)
            return false;
        *at = (size_t)(end - anchor->bytes) + 1;
    }
    return true;
}

static bool check_texts(const Anchor *anchor, Err *err)
{
    size_t at = STRINGS_AT;
    if (!skip_texts(anchor, N_STRINGS, &at) || anchor->size - at < 4)
        return truncated(anchor, err);
    uint64_t n_properties = number_at(anchor, at, 4);
    if (n_properties > (anchor->size - at) / LEAST_PROPERTY_BYTES)
        return err_set(err, ERR_INPUT, "%s: broken: offset %zu: %lu properties in a file of %zu bytes", anchor->path,
                       at, (unsigned long)n_properties, anchor->size);
    at += 4;
    return (skip_texts(anchor, 2 * n_properties, &at) && anchor->size - at >= TRACE_ID_BYTES) || truncated(anchor, err);
}

bool anchor_check(const char *path, Err *err)
{
    Anchor anchor = {.path = path};
    bool ok = read_anchor(&anchor, err) && check_numbers(&anchor, err);
    if (ok && anchor.bytes[VERSION_AT] >= 2) /* OTF2 1.x had no properties */
        ok = check_texts(&anchor, err);
    free(anchor.bytes);
    return ok;
}
