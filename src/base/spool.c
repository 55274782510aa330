/* SPDX-License-Identifier: BSD-3-Clause */
/* See spool.h. A stream's records are collected in blocks; only full blocks go to the file. */
#include "base/spool.h"

#include "base/spill.h"
#include "base/vec.h"
#include <assert.h>

/* Sizes of blocks. LEAST_BYTES and MOST_BYTES bound a block's size; ALL_BYTES is shared by the
 * streams. */
enum { LEAST_BYTES = 4096, MOST_BYTES = 1 << 18, ALL_BYTES = 1 << 20 };

typedef struct FullBlock {
    unsigned char *kept; /* the block in memory; NULL: it is in the file at `offset` */
    uint64_t offset;
} FullBlock;

typedef struct SpoolStream {
    unsigned char *block; /* [block_bytes], the block that isn't full yet, or NULL */
    uint32_t n_records;   /* in this block */
    VEC(FullBlock) full;
} SpoolStream;

struct Spool {
    Spill spill;
    size_t record_bytes, block_bytes;
    size_t free_bytes; /* left of the memory for full blocks */
    uint32_t per_block, n_streams;
    SpoolStream *streams;
    /* of reading: */
    SpoolStream *stream;
    size_t n_blocks_read;
    uint32_t next, count; /* records of the block in `read` */
    unsigned char *read;  /* [block_bytes] */
};

static size_t block_bytes(uint32_t n_streams)
{
    size_t bytes = ALL_BYTES / (n_streams ? n_streams : 1);
    return bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : bytes;
}

Spool *spool_new(uint32_t n_streams, size_t record_bytes, size_t memory_bytes)
{
    assert(record_bytes && record_bytes <= LEAST_BYTES);
    Spool *spool = memory_zeroed(1, sizeof *spool);
    spool->record_bytes = record_bytes;
    spool->block_bytes = block_bytes(n_streams);
    spool->free_bytes = memory_bytes;
    spool->per_block = (uint32_t)(spool->block_bytes / record_bytes);
    spool->read = memory_resize(NULL, spool->block_bytes);
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
        SpoolStream *stream = &spool->streams[i];
        for (size_t k = 0; k < stream->full.count; k++)
            free(stream->full.items[k].kept);
        free(stream->block);
        vec_free(&stream->full);
    }
    free(spool->streams);
    free(spool->read);
    free(spool);
}

/* Stores a stream's full block: in memory if memory is left, otherwise in the file. */
static bool store_full_block(Spool *spool, SpoolStream *stream, Err *err)
{
    FullBlock full = {0};
    assert(stream->block && stream->n_records == spool->per_block);
    if (spool->free_bytes >= spool->block_bytes) {
        spool->free_bytes -= spool->block_bytes;
        full.kept = stream->block;
        stream->block = NULL;
    } else if (!spill_write(&spool->spill, stream->block, spool->block_bytes, &full.offset, err)) {
        return false;
    }
    *vec_push(&stream->full) = full;
    stream->n_records = 0;
    return true;
}

bool spool_write(Spool *spool, uint32_t number, const void *record, Err *err)
{
    assert(number < spool->n_streams);
    SpoolStream *stream = &spool->streams[number];
    if (stream->n_records == spool->per_block && !store_full_block(spool, stream, err))
        return false;
    if (!stream->block)
        stream->block = memory_zeroed(1, spool->block_bytes);
    memcpy(stream->block + stream->n_records++ * spool->record_bytes, record, spool->record_bytes);
    return true;
}

void spool_start(Spool *spool, uint32_t stream)
{
    assert(stream < spool->n_streams);
    spool->stream = &spool->streams[stream];
    spool->n_blocks_read = 0;
    spool->next = spool->count = 0;
}

/* Gets the stream's next block: first the full blocks, then the last one. */
static bool next_block(Spool *spool, Err *err)
{
    SpoolStream *stream = spool->stream;
    size_t block = spool->n_blocks_read;
    if (block > stream->full.count)
        return true;
    spool->n_blocks_read++;
    spool->next = 0;
    bool is_full = block < stream->full.count;
    spool->count = is_full ? spool->per_block : stream->n_records;
    if (is_full && !stream->full.items[block].kept)
        return spill_read(&spool->spill, stream->full.items[block].offset, spool->read, spool->block_bytes, err);
    unsigned char **in_memory = is_full ? &stream->full.items[block].kept : &stream->block;
    if (*in_memory) {
        free(spool->read);
        spool->read = *in_memory;
        *in_memory = NULL;
    }
    return true;
}

bool spool_read(Spool *spool, void *record, bool *is_there, Err *err)
{
    assert(spool->stream && spool->next <= spool->count);
    if (spool->next == spool->count && !next_block(spool, err))
        return false;
    *is_there = spool->next < spool->count;
    if (*is_there)
        memcpy(record, spool->read + spool->next++ * spool->record_bytes, spool->record_bytes);
    return true;
}
