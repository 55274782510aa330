/* SPDX-License-Identifier: BSD-3-Clause */
/* Message streams: a hash table with lists by source and by destination (streams.h). */
#include "signature/order/streams.h"
#include <assert.h>

enum { FIRST_SLOTS = 64, FIRST_RING_BITS = 2, FIRST_SWEEP = 1 << 16, WORTH_FORGETTING = 4 };
_Static_assert((FIRST_SLOTS & (FIRST_SLOTS - 1)) == 0, "slots are indexed by a mask");

void streams_init(Streams *streams, uint32_t n_processes)
{
    *streams = (Streams){.n_processes = n_processes, .first_free = NO_STREAM, .sweep_at = FIRST_SWEEP};
    streams->closed_to = memory_zeroed(n_processes, sizeof(bool));
    streams->first_of_source = memory_resize(NULL, n_processes * sizeof(uint32_t));
    streams->first_of_destination = memory_resize(NULL, n_processes * sizeof(uint32_t));
    for (uint32_t i = 0; i < n_processes; i++)
        streams->first_of_source[i] = streams->first_of_destination[i] = NO_STREAM;
}

static void free_ring(Streams *streams, Stream *stream)
{
    if (!stream->ring_bits)
        return;
    streams->ring_bytes -= stream_capacity(stream) * sizeof *stream->ring;
    free(stream->ring);
    stream->ring = NULL;
    stream->ring_bits = 0;
}

void streams_free(Streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++)
        free_ring(streams, stream_at(streams, i));
    for (size_t i = 0; i < streams->chunks.count; i++)
        free(streams->chunks.items[i]);
    vec_free(&streams->chunks);
    free(streams->slots);
    free(streams->closed_to);
    free(streams->first_of_source);
    free(streams->first_of_destination);
}

size_t streams_bytes(const Streams *streams)
{
    return streams->count * sizeof(Stream) + streams->n_slots * sizeof *streams->slots + streams->ring_bytes;
}

static uint32_t hash_ends(StreamEnds ends)
{
    uint64_t hash = ends.processes * 0x9e3779b97f4a7c15u + ends.channel * 0xd6e8feb86659fd93u;
    return (uint32_t)((hash >> 32 ^ hash) * 0x9e3779b97f4a7c15u >> 32);
}

static bool are_ends(const Stream *stream, StreamEnds ends)
{
    return stream->ends.processes == ends.processes && stream->ends.channel == ends.channel;
}

static void enter_slot(Streams *streams, uint64_t slot)
{
    assert(streams->n_used <= streams->n_slots / 2 && slot); /* so a search always ends at a free
                                                                slot */
    size_t mask = streams->n_slots - 1, i = slot >> 32 & mask;
    while (streams->slots[i])
        i = (i + 1) & mask;
    streams->slots[i] = slot;
}

static void grow_slots(Streams *streams)
{
    uint64_t *before = streams->slots;
    size_t n_before = streams->n_slots;
    streams->n_slots = n_before ? 2 * n_before : FIRST_SLOTS;
    size_t size_bytes = streams->n_slots * sizeof *streams->slots;
    streams->slots = memset(memory_lines(size_bytes), 0, size_bytes); /* read before it is written */
    for (size_t i = 0; i < n_before; i++)
        if (before[i])
            enter_slot(streams, before[i]);
    free(before);
}

/* Enters the stream into the hash table and both lists. */
static void link_stream(Streams *streams, uint32_t number)
{
    Stream *stream = stream_at(streams, number);
    uint32_t source = ends_source(stream->ends), destination = ends_destination(stream->ends);
    assert(source < streams->n_processes && destination < streams->n_processes);
    stream->next_of_source = streams->first_of_source[source];
    stream->next_of_destination = streams->first_of_destination[destination];
    streams->first_of_source[source] = streams->first_of_destination[destination] = number;
    if (4 * ++streams->n_used > streams->n_slots)
        grow_slots(streams);
    enter_slot(streams, (uint64_t)hash_ends(stream->ends) << 32 | (number + 1));
}

static void unlink_all(Streams *streams)
{
    free(streams->slots);
    streams->slots = NULL;
    streams->n_slots = streams->n_used = 0;
    for (uint32_t i = 0; i < streams->n_processes; i++)
        streams->first_of_source[i] = streams->first_of_destination[i] = NO_STREAM;
}

static void forget(Streams *streams, uint32_t number)
{
    Stream *stream = stream_at(streams, number);
    free_ring(streams, stream);
    *stream = (Stream){.is_free = true, .next_of_source = streams->first_free};
    streams->first_free = number;
}

/* No event of the stream is queued or in flight, and none was read since the last sweep. */
static bool is_idle(const Stream *stream)
{
    return stream->seen == stream->seen_before && stream->seen == stream->sent && stream->sent == stream->taken &&
           stream->taken == stream->posted;
}

static size_t count_idle(const Streams *streams)
{
    size_t n = 0;
    for (uint32_t i = 0; i < streams->count; i++)
        n += is_idle(stream_at(streams, i));
    return n;
}

/* Called when no stream is free. Forgets the idle streams, if there are enough of them. The next
 * sweep comes when the number of remaining streams has doubled, so the cost per stream stays
 * low. */
static void sweep(Streams *streams)
{
    size_t n_idle = count_idle(streams), n_left = streams->count;
    bool forgets = n_idle > streams->count / WORTH_FORGETTING;
    if (forgets) {
        unlink_all(streams);
        n_left -= n_idle;
    }
    for (uint32_t i = 0; i < streams->count; i++) {
        Stream *stream = stream_at(streams, i);
        bool idle = is_idle(stream);
        stream->seen_before = stream->seen;
        if (forgets && idle)
            forget(streams, i);
        else if (forgets)
            link_stream(streams, i);
    }
    streams->sweep_at = 2 * n_left > FIRST_SWEEP ? 2 * n_left : FIRST_SWEEP;
}

static uint32_t take_number(Streams *streams)
{
    uint32_t number = streams->first_free;
    if (number != NO_STREAM) {
        assert(stream_at(streams, number)->is_free);
        streams->first_free = stream_at(streams, number)->next_of_source;
        return number;
    }
    if (streams->count == streams->chunks.count * STREAMS_PER_CHUNK)
        *vec_push(&streams->chunks) = memory_lines(STREAMS_PER_CHUNK * sizeof(Stream));
    return streams->count++;
}

/* Not inlined, so that streams_find() can keep the ends in registers. */
__attribute__((noinline)) static uint32_t add_stream(Streams *streams, StreamEnds ends)
{
    if (streams->first_free == NO_STREAM && streams->count >= streams->sweep_at)
        sweep(streams);
    uint32_t number = take_number(streams);
    *stream_at(streams, number) = (Stream){.ends = ends, .closed = streams->closed_to[ends_destination(ends)]};
    link_stream(streams, number);
    return number;
}

/* Finds a stream with the same hash, from the slot on. Most likely it is the one that is sought. */
static bool find_candidate(const Streams *streams, uint32_t hash, size_t *slot, uint32_t *number)
{
    for (size_t mask = streams->n_slots - 1; streams->slots[*slot & mask]; ++*slot)
        if (streams->slots[*slot & mask] >> 32 == hash) {
            *number = (uint32_t)streams->slots[*slot & mask] - 1;
            return true;
        }
    return false;
}

uint32_t streams_find(Streams *streams, StreamEnds ends)
{
    uint32_t hash = hash_ends(ends), number;
    if (streams->n_slots)
        for (size_t slot = hash; find_candidate(streams, hash, &slot, &number); slot++)
            if (are_ends(stream_at(streams, number), ends))
                return number;
    return add_stream(streams, ends);
}

void streams_fetch_slot(const Streams *streams, StreamEnds ends)
{
    __builtin_prefetch(&streams->slots[hash_ends(ends) & (streams->n_slots - 1)]);
}

void streams_fetch(const Streams *streams, StreamEnds ends)
{
    uint32_t hash = hash_ends(ends), number;
    size_t slot = hash;
    if (find_candidate(streams, hash, &slot, &number))
        __builtin_prefetch(stream_at(streams, number), 1);
}

void stream_grow(Streams *streams, Stream *stream)
{
    uint8_t bits = stream->ring_bits ? stream->ring_bits + 1 : FIRST_RING_BITS;
    uint32_t capacity = (uint32_t)1 << bits;
    assert(capacity > stream->sent - stream->taken);
    SendTime *ring = memory_resize(NULL, capacity * sizeof *ring);
    for (uint32_t ordinal = stream->taken; ordinal != stream->sent; ordinal++)
        ring[ordinal & (capacity - 1)] = *stream_place(stream, ordinal);
    free_ring(streams, stream);
    stream->ring = ring;
    stream->ring_bits = bits;
    streams->ring_bytes += capacity * sizeof *ring;
}

void stream_close(Streams *streams, Stream *stream)
{
    assert(stream->taken == stream->sent);
    free_ring(streams, stream);
    stream->closed = true;
}

uint64_t stream_drain(Stream *stream, void (*visit)(void *self, uint64_t lt), void *self)
{
    uint64_t n = 0;
    for (; stream->taken != stream->sent; stream->taken++) {
        uint64_t lt = stream_place(stream, stream->taken)->lt;
        if (lt == LT_TAKEN)
            continue;
        n++;
        if (visit)
            visit(self, lt);
    }
    return n;
}
