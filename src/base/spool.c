/* SPDX-License-Identifier: BSD-3-Clause */
/* See spool.h. A stream's full blocks are chained: each begins with the number of the one that the stream wrote before
 * it. They are read by going through the chain once, to list them, and then through the list backwards. */
#include "base/spool.h"

#include "base/arena.h"
#include "base/vec.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

enum { BLOCK_BYTES = 4096, HEADER_BYTES = sizeof(uint64_t) };
#define NO_BLOCK UINT64_MAX

typedef struct SpoolStream {
    unsigned char *block; /* the one that isn't full yet: [BLOCK_BYTES], or NULL */
    uint32_t n_records;   /* in it */
    uint64_t last_block;  /* of the full ones */
} SpoolStream;

struct Spool {
    int file;
    char *directory;
    size_t record_bytes;
    uint32_t per_block, n_streams;
    SpoolStream *streams;
    uint64_t n_blocks;
    /* reading */
    uint32_t stream, next, count; /* records of `read` */
    VEC(uint64_t) blocks;         /* left to read, the next one last */
    bool is_listed;
    unsigned char read[BLOCK_BYTES];
};

bool spool_new(const char *directory, uint32_t n_streams, size_t record_bytes, Spool **spool, Err *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.firma-XXXXXX", directory);
    int file = mkstemp(path);
    if (file < 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot make a temporary file: %s", directory, strerror(errno));
    unlink(path);
    Spool *made = memory_zeroed(1, sizeof *made);
    made->file = file;
    made->directory = memory_zeroed(1, strlen(directory) + 1);
    strcpy(made->directory, directory);
    made->record_bytes = record_bytes;
    made->per_block = (uint32_t)((BLOCK_BYTES - HEADER_BYTES) / record_bytes);
    made->n_streams = n_streams;
    made->streams = memory_zeroed(n_streams, sizeof *made->streams);
    for (uint32_t i = 0; i < n_streams; i++)
        made->streams[i].last_block = NO_BLOCK;
    *spool = made;
    return true;
}

void spool_free(Spool *spool)
{
    if (!spool)
        return;
    close(spool->file);
    for (uint32_t i = 0; i < spool->n_streams; i++)
        free(spool->streams[i].block);
    free(spool->streams);
    free(spool->directory);
    vec_free(&spool->blocks);
    free(spool);
}

static bool failed(const Spool *spool, const char *what, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot %s a temporary file: %s", spool->directory, what,
                   errno ? strerror(errno) : "it ends early");
}

static bool store_block(Spool *spool, SpoolStream *stream, Err *err)
{
    memcpy(stream->block, &stream->last_block, HEADER_BYTES);
    errno = 0;
    for (size_t done = 0; done < BLOCK_BYTES;) {
        ssize_t n = pwrite(spool->file, stream->block + done, BLOCK_BYTES - done,
                           (off_t)(spool->n_blocks * BLOCK_BYTES + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failed(spool, "write to", err);
        done += (size_t)n;
    }
    stream->last_block = spool->n_blocks++;
    stream->n_records = 0;
    return true;
}

bool spool_write(Spool *spool, uint32_t number, const void *record, Err *err)
{
    SpoolStream *stream = &spool->streams[number];
    if (!stream->block)
        stream->block = memory_resize(NULL, BLOCK_BYTES);
    if (stream->n_records == spool->per_block && !store_block(spool, stream, err))
        return false;
    memcpy(stream->block + HEADER_BYTES + stream->n_records++ * spool->record_bytes, record, spool->record_bytes);
    return true;
}

void spool_rewind(Spool *spool, uint32_t stream)
{
    spool->stream = stream;
    spool->next = spool->count = 0;
    spool->blocks.count = 0;
    spool->is_listed = false;
}

static bool load(Spool *spool, uint64_t block, size_t size, Err *err)
{
    errno = 0;
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(spool->file, spool->read + done, size - done, (off_t)(block * BLOCK_BYTES + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failed(spool, "read", err);
        done += (size_t)n;
    }
    return true;
}

/* The stream's blocks; the one in memory stands first, as NO_BLOCK, and is read last. */
static bool list_blocks(Spool *spool, Err *err)
{
    uint64_t block = spool->streams[spool->stream].last_block;
    *vec_push(&spool->blocks) = NO_BLOCK;
    while (block != NO_BLOCK) {
        *vec_push(&spool->blocks) = block;
        if (!load(spool, block, HEADER_BYTES, err))
            return false;
        memcpy(&block, spool->read, HEADER_BYTES);
    }
    spool->is_listed = true;
    return true;
}

static bool next_block(Spool *spool, Err *err)
{
    if (!spool->is_listed && !list_blocks(spool, err))
        return false;
    spool->next = spool->count = 0;
    if (!spool->blocks.count)
        return true;
    uint64_t block = spool->blocks.items[--spool->blocks.count];
    if (block != NO_BLOCK) {
        spool->count = spool->per_block;
        return load(spool, block, BLOCK_BYTES, err);
    }
    const SpoolStream *stream = &spool->streams[spool->stream];
    spool->count = stream->n_records;
    if (stream->n_records)
        memcpy(spool->read, stream->block, BLOCK_BYTES);
    return true;
}

bool spool_read(Spool *spool, void *record, bool *is_there, Err *err)
{
    if (spool->next == spool->count && !next_block(spool, err))
        return false;
    *is_there = spool->next < spool->count;
    if (*is_there)
        memcpy(record, spool->read + HEADER_BYTES + spool->next++ * spool->record_bytes, spool->record_bytes);
    return true;
}
