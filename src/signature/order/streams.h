/* SPDX-License-Identifier: BSD-3-Clause */
/* Message streams: one for each (communicator, source, destination, tag). MPI doesn't let messages
 * of a stream overtake each other. So the n-th send belongs to the n-th posted receive that took a
 * message from the stream. A stream holds the times of its sends, from the oldest that wasn't
 * received:
 *
 *     taken            sent          ordinals of sends; `posted` counts those of receives
 *       | 17 | x | 21 |              x: received before an older one
 *
 * A program that uses a new tag for each message would create streams without end. So streams are
 * forgotten when nothing is in flight and no message came for a while. If such a stream is used
 * again, its counts start from zero. This changes no result, since both counts were equal. */
#pragma once

#include "base/vec.h"
#include "model/logical.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define NO_STREAM UINT32_MAX

/* Two words, so that the compiler passes, compares and hashes them in registers. */
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

/* A logical time has SEND_TIME_BITS: more than a trillion ticks. */
enum { SEND_TIME_BITS = 40, LOST_PATH_DIGITS = 18 };

/* When a message was sent. */
typedef struct SendTime {
    uint64_t lt : SEND_TIME_BITS;             /* logical time */
    uint64_t path_lost : 64 - SEND_TIME_BITS; /* see send_time() */
    int64_t path_ns;                          /* LogicalEvent.path_ns */
} SendTime;

/* What the two paths differ by is kept to one part in 2^LOST_PATH_DIGITS. */
static inline SendTime send_time(uint64_t lt, Path path)
{
    uint64_t lost_ns = (uint64_t)(path.outside_ns - path.compute_ns);
    return (SendTime){lt, rounded_pack(lost_ns, LOST_PATH_DIGITS), path.outside_ns};
}

static inline Path send_time_path(SendTime time)
{
    return (Path){time.path_ns, time.path_ns - rounded_unpack(time.path_lost, LOST_PATH_DIGITS)};
}

/* One cache line, because with many processes most streams are outside of the caches. */
typedef struct Stream {
    StreamEnds ends;
    union {
        SendTime *ring; /* [2^ring_bits], indexed by the ordinal's last bits */
        SendTime only;  /* if ring_bits is 0: most streams never have more than one message in
                           flight */
    };
    uint32_t sent;                                /* ordinal of the next send; may wrap */
    uint32_t taken;                               /* every earlier send was received */
    uint32_t seen;                                /* sends read so far, with or without a time */
    uint32_t posted;                              /* ordinal of the next receive */
    uint32_t seen_before;                         /* `seen` at the last sweep (streams.c) */
    uint32_t next_of_source, next_of_destination; /* lists of a process's streams, ended by
                                                     NO_STREAM */
    uint8_t ring_bits;
    bool is_free;    /* forgotten; next_of_source is the next free stream */
    bool is_awaited; /* the destination waits for a send of this stream */
    bool closed;     /* the destination has ended: further sends are never received */
} Stream;

_Static_assert(sizeof(Stream) == 64, "a stream is one cache line");

#define STREAMS_PER_CHUNK (1u << 12)
#define STREAMS_IN_CACHE (1u << 14)

typedef struct Streams {
    uint32_t n_processes;
    VEC(Stream *) chunks; /* each of STREAMS_PER_CHUNK */
    uint32_t count;       /* streams in the chunks, free ones included */
    /* Hash table, at most a quarter full, with linear probing. A slot is 0 or holds the stream's
     * number + 1 in the low half and its hash in the high half. */
    uint64_t *slots;
    size_t n_slots, n_used;                           /* n_slots: 0 or a power of two */
    uint32_t *first_of_source, *first_of_destination; /* [n_processes] */
    bool *closed_to; /* [n_processes] the process has ended: streams to it are closed */
    uint32_t first_free;
    size_t sweep_at;   /* the number of streams that triggers the next sweep */
    size_t ring_bytes; /* memory of all streams' rings */
} Streams;

void streams_init(Streams *streams, uint32_t n_processes);
void streams_free(Streams *streams);

/* Memory in use. */
size_t streams_bytes(const Streams *streams);

/* Returns the stream's number. Makes the stream if it is new. */
uint32_t streams_find(Streams *streams, StreamEnds ends);

static inline Stream *stream_at(const Streams *streams, uint32_t number)
{
    return &streams->chunks.items[number / STREAMS_PER_CHUNK][number % STREAMS_PER_CHUNK];
}

/* Two steps bring a stream into the cache some events before it is needed. They help only if there
 * are so many streams that they aren't in the cache anyway. */
static inline bool streams_are_many(const Streams *streams)
{
    return streams->count > STREAMS_IN_CACHE;
}
void streams_fetch_slot(const Streams *streams, StreamEnds ends);
void streams_fetch(const Streams *streams, StreamEnds ends);

void stream_grow(Streams *streams, Stream *stream);

static inline uint32_t stream_capacity(const Stream *stream)
{
    return (uint32_t)1 << stream->ring_bits;
}

/* The place for the time of the send with this ordinal. */
static inline SendTime *stream_place(Stream *stream, uint32_t ordinal)
{
    return stream->ring_bits ? &stream->ring[ordinal & (stream_capacity(stream) - 1)] : &stream->only;
}

/* Adds the stream's next send. Returns its ordinal. */
static inline uint32_t stream_send(Streams *streams, Stream *stream, SendTime time)
{
    if (stream->sent - stream->taken >= stream_capacity(stream))
        stream_grow(streams, stream);
    *stream_place(stream, stream->sent) = time;
    return stream->sent++;
}

#define LT_TAKEN ((UINT64_C(1) << SEND_TIME_BITS) - 1)

/* Returns whether the send with this ordinal has a time. */
static inline bool stream_has(const Stream *stream, uint32_t ordinal)
{
    return (int32_t)(stream->sent - ordinal) > 0;
}

/* The send must have a time, and not be taken yet. */
static inline SendTime stream_time(Stream *stream, uint32_t ordinal)
{
    assert(stream_has(stream, ordinal) && (int32_t)(ordinal - stream->taken) >= 0);
    return *stream_place(stream, ordinal);
}

/* The send with this ordinal was received. */
static inline void stream_take(Stream *stream, uint32_t ordinal)
{
    stream_place(stream, ordinal)->lt = LT_TAKEN;
    while (stream->taken != stream->sent && stream_place(stream, stream->taken)->lt == LT_TAKEN)
        stream->taken++;
}

/* Calls visit with the logical time of each send that wasn't received, and forgets these sends.
 * Returns their number. */
uint64_t stream_drain(Stream *stream, void (*visit)(void *self, uint64_t lt), void *self);

/* The destination has ended, and the sends to it are drained. */
void stream_close(Streams *streams, Stream *stream);
