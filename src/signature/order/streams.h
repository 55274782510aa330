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
#pragma once

#include "base/vec.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define NO_STREAM UINT32_MAX

/* In two words, so that it is passed, compared and hashed in registers. */
typedef struct StreamEnds {
    uint64_t processes; /* source, destination */
    uint64_t channel;   /* communicator, tag */
} StreamEnds;

static inline StreamEnds stream_ends(uint32_t comm, uint32_t source, uint32_t destination, uint32_t tag)
{
    return (StreamEnds){(uint64_t)source << 32 | destination, (uint64_t)comm << 32 | tag};
}
static inline uint32_t ends_source(StreamEnds ends)
{
    return (uint32_t)(ends.processes >> 32);
}
static inline uint32_t ends_destination(StreamEnds ends)
{
    return (uint32_t)ends.processes;
}

/* One cache line: with many processes most streams are out of the caches when they are come to. */
typedef struct Stream {
    StreamEnds ends;
    union {
        uint64_t *lts; /* ring, indexed by ordinal & mask */
        uint64_t lt;   /* … of one, if mask is 0: most streams never have more under way */
    };
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

_Static_assert(sizeof(Stream) == 64, "a stream is one cache line");

#define STREAMS_PER_CHUNK (1u << 12)
#define STREAMS_IN_CACHE (1u << 14)

typedef struct Streams {
    uint32_t n_processes;
    VEC(Stream *) chunks; /* of STREAMS_PER_CHUNK */
    uint32_t count;       /* in the chunks, with those that are free */
    /* Hash table, at most a quarter full, linear probing: number + 1 in the low half, the hash in the high one; or 0.
     */
    uint64_t *slots;
    size_t n_slots, n_used;                           /* n_slots: 0 or a power of two */
    uint32_t *first_of_source, *first_of_destination; /* [n_processes] */
    bool *closed_to; /* [n_processes] the process has ended: streams to it are closed */
    uint32_t first_free;
    size_t sweep_at;   /* their number when they will be looked through */
    size_t ring_bytes; /* of all streams */
} Streams;

void streams_init(Streams *streams, uint32_t n_processes);
void streams_free(Streams *streams);

/* What they take. */
size_t streams_bytes(const Streams *streams);

/* The stream's number, made if new. */
uint32_t streams_find(Streams *streams, StreamEnds ends);

static inline Stream *stream_at(const Streams *streams, uint32_t number)
{
    return &streams->chunks.items[number / STREAMS_PER_CHUNK][number % STREAMS_PER_CHUNK];
}

/* Streams that are looked for soon are brought into the cache in two steps, some events apart. It only pays if they
 * are so many that they aren't there anyway. */
static inline bool streams_are_many(const Streams *streams)
{
    return streams->count > STREAMS_IN_CACHE;
}
void streams_fetch_slot(const Streams *streams, StreamEnds ends);
void streams_fetch(const Streams *streams, StreamEnds ends);

void stream_grow(Streams *streams, Stream *stream);

/* Where the logical time of the send with this ordinal stands. */
static inline uint64_t *stream_place(Stream *stream, uint32_t ordinal)
{
    return stream->mask ? &stream->lts[ordinal & stream->mask] : &stream->lt;
}

/* The next send of the stream has this logical time. True if its destination waits for just this one. */
static inline bool stream_send(Streams *streams, Stream *stream, uint64_t lt)
{
    if (stream->sent - stream->taken > stream->mask)
        stream_grow(streams, stream);
    *stream_place(stream, stream->sent) = lt;
    return stream->sent++ == stream->awaited && stream->is_awaited;
}

#define LT_TAKEN UINT64_MAX

/* Whether the send with this ordinal has a logical time. */
static inline bool stream_has(const Stream *stream, uint32_t ordinal)
{
    return (int32_t)(stream->sent - ordinal) > 0;
}

/* Only of one that has it, and until it is taken. */
static inline uint64_t stream_lt(Stream *stream, uint32_t ordinal)
{
    assert(stream_has(stream, ordinal) && (int32_t)(ordinal - stream->taken) >= 0);
    return *stream_place(stream, ordinal);
}

/* The send with this ordinal was received. */
static inline void stream_take(Stream *stream, uint32_t ordinal)
{
    *stream_place(stream, ordinal) = LT_TAKEN;
    while (stream->taken != stream->sent && *stream_place(stream, stream->taken) == LT_TAKEN)
        stream->taken++;
}

/* Calls visit with the logical time of each send that wasn't received, and forgets them. Returns their number. */
uint64_t stream_drain(Stream *stream, void (*visit)(void *self, uint64_t lt), void *self);

/* The destination has ended, and what was sent to it is drained. */
void stream_close(Streams *streams, Stream *stream);
