/* SPDX-License-Identifier: BSD-3-Clause */
/* Message streams: per (communicator, source, destination, tag) the n-th send posted belongs to the n-th receive posted
 * that took from the stream (MPI's non-overtaking rule; spec/1 §1.2). A stream holds the logical times of its sends
 * from the oldest that wasn't received on:
 *
 *      taken            sent                    ordinals of sends; those of receives count separately (posted)
 *        | 17 | x | 21 |                        x: received before an older one
 *
 * A program that uses a new tag for each message would make streams without end: those that have nothing under way, and
 * had no message for a while, are forgotten. If they come again, they begin anew, which is the same to them. */
#ifndef FIRMA_ORDER_STREAMS_H
#define FIRMA_ORDER_STREAMS_H

#include "base/map.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

#define NO_STREAM UINT32_MAX

typedef struct StreamEnds {
    uint32_t comm, source, destination, tag;
} StreamEnds;

typedef struct Stream {
    StreamEnds ends;
    uint64_t *lts; /* ring, indexed by ordinal & mask */
    uint32_t mask;
    uint32_t sent;                                /* ordinal of the next send; ordinals wrap, only differences count */
    uint32_t taken;                               /* every send before this one was received */
    uint32_t seen;                                /* sends that were read so far, with a time or not */
    uint32_t posted;                              /* ordinal of the next receive */
    uint32_t awaited;                             /* ordinal that the destination waits for, if is_awaited */
    uint32_t seen_before;                         /* `seen` when streams were last looked through */
    uint32_t next_of_source, next_of_destination; /* lists of a process's streams, or NO_STREAM */
    bool is_free;                                 /* forgotten; next_of_source is the next free one */
    bool is_awaited;
    bool closed; /* the destination has ended: further sends are never received */
} Stream;

/* A direct-mapped cache in front of the map; it grows while it misses. One per process and direction. */
typedef struct StreamCache {
    struct StreamCacheEntry *entries;
    uint32_t capacity, misses;
    uint32_t sweeps; /* of the streams, when it was last used */
} StreamCache;       /* zero-initialise */

typedef struct Streams {
    uint32_t n_processes;
    VEC(Stream) all;
    Map numbers;                                      /* ends -> number in `all` */
    uint32_t *first_of_source, *first_of_destination; /* [n_processes] */
    bool *closed_to; /* [n_processes] the process has ended: streams to it are closed */
    uint32_t first_free;
    uint32_t sweeps;        /* how often streams were looked through, … */
    size_t sweep_at;        /* … and their number when they will be again */
    size_t ring_bytes;      /* of all streams */
    uint32_t largest_cache; /* entries */
} Streams;

void streams_init(Streams *streams, uint32_t n_processes);
void streams_free(Streams *streams);
void stream_cache_free(StreamCache *cache);

/* What they take. */
size_t streams_bytes(const Streams *streams);
size_t stream_cache_bytes(const StreamCache *cache);

/* The stream's number, made if new. `peer` is what varies for the cache's owner: the destination for a sender's. */
uint32_t streams_find(Streams *streams, StreamCache *cache, uint32_t peer, StreamEnds ends);

void stream_grow(Streams *streams, Stream *stream);

/* The next send of the stream has this logical time. True if its destination waits for just this one. */
static inline bool stream_send(Streams *streams, Stream *stream, uint64_t lt)
{
    if (stream->sent - stream->taken > stream->mask || !stream->lts)
        stream_grow(streams, stream);
    stream->lts[stream->sent & stream->mask] = lt;
    return stream->sent++ == stream->awaited && stream->is_awaited;
}

#define LT_TAKEN UINT64_MAX

/* Whether the send with this ordinal has a logical time. */
static inline bool stream_has(const Stream *stream, uint32_t ordinal)
{
    return (int32_t)(stream->sent - ordinal) > 0;
}

/* Only of one that has it, and until it is taken. */
static inline uint64_t stream_lt(const Stream *stream, uint32_t ordinal)
{
    return stream->lts[ordinal & stream->mask];
}

/* The send with this ordinal was received. */
static inline void stream_take(Stream *stream, uint32_t ordinal)
{
    stream->lts[ordinal & stream->mask] = LT_TAKEN;
    while (stream->taken != stream->sent && stream->lts[stream->taken & stream->mask] == LT_TAKEN)
        stream->taken++;
}

/* Calls visit with the logical time of each send that wasn't received, and forgets them. Returns their number. */
uint64_t stream_drain(Stream *stream, void (*visit)(void *self, uint64_t lt), void *self);

/* The destination has ended, and what was sent to it is drained. */
void stream_close(Streams *streams, Stream *stream);

#endif
