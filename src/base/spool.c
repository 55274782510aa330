/* SPDX-License-Identifier: BSD-3-Clause */
/* See spool.h. */
#include "base/spool.h"

#include "base/spill.h"
#include "base/vec.h"

enum { BLOCK_BYTES = 4096 };

typedef struct SpoolStream {
    unsigned char *block; /* the one that isn't full yet: [BLOCK_BYTES], or NULL */
    uint32_t n_records;   /* in it */
    VEC(uint64_t) stored; /* full blocks: where they are in the file */
} SpoolStream;

struct Spool {
    Spill spill;
    size_t record_bytes;
    uint32_t per_block, n_streams;
    SpoolStream *streams;
    /* reading */
    SpoolStream *stream;
    size_t n_blocks_read;
    uint32_t next, count; /* records of `read` */
    unsigned char read[BLOCK_BYTES];
};

Spool *spool_new(uint32_t n_streams, size_t record_bytes)
{
    Spool *spool = memory_zeroed(1, sizeof *spool);
    spool->record_bytes = record_bytes;
    spool->per_block = (uint32_t)(BLOCK_BYTES / record_bytes);
    spool->n_streams = n_streams;
    spool->streams = memory_zeroed(n_streams, sizeof *spool->streams);
    return spool;
}

void spool_free(Spool *spool)
{
    if (!spool)
        return;
    spill_free(&spool->spill);
    for (uint32_t i = 0; i < spool->n_streams; i++) {
        free(spool->streams[i].block);
        vec_free(&spool->streams[i].stored);
    }
    free(spool->streams);
    free(spool);
}

bool spool_write(Spool *spool, uint32_t number, const void *record, Err *err)
{
    SpoolStream *stream = &spool->streams[number];
    if (!stream->block)
        stream->block = memory_resize(NULL, BLOCK_BYTES);
    if (stream->n_records == spool->per_block) {
        uint64_t offset;
        if (!spill_write(&spool->spill, stream->block, BLOCK_BYTES, &offset, err))
            return false;
        *vec_push(&stream->stored) = offset;
        stream->n_records = 0;
    }
    memcpy(stream->block + stream->n_records++ * spool->record_bytes, record, spool->record_bytes);
    return true;
}

void spool_start(Spool *spool, uint32_t stream)
{
    spool->stream = &spool->streams[stream];
    spool->n_blocks_read = 0;
    spool->next = spool->count = 0;
}

/* The stored ones, then the one in memory. */
static bool next_block(Spool *spool, Err *err)
{
    const SpoolStream *stream = spool->stream;
    size_t block = spool->n_blocks_read;
    if (block > stream->stored.count)
        return true;
    spool->n_blocks_read++;
    spool->next = 0;
    spool->count = block < stream->stored.count ? spool->per_block : stream->n_records;
    if (block < stream->stored.count)
        return spill_read(&spool->spill, stream->stored.items[block], spool->read, BLOCK_BYTES, err);
    if (stream->block)
        memcpy(spool->read, stream->block, BLOCK_BYTES);
    return true;
}

bool spool_read(Spool *spool, void *record, bool *is_there, Err *err)
{
    if (spool->next == spool->count && !next_block(spool, err))
        return false;
    *is_there = spool->next < spool->count;
    if (*is_there)
        memcpy(record, spool->read + spool->next++ * spool->record_bytes, spool->record_bytes);
    return true;
}
