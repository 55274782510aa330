/* SPDX-License-Identifier: BSD-3-Clause */
/* See streams.h. */
#include "order/streams.h"

typedef struct StreamCacheEntry {
    uint32_t comm, peer, tag;
    uint32_t stream_plus_1; /* 0: empty */
} StreamCacheEntry;

/* A cache grows up to LARGEST_CACHE entries; with very many processes, all together up to CACHES. */
enum {
    FIRST_CACHE = 16,
    LARGEST_CACHE = 4096,
    CACHES = 1 << 22,
    CACHE_GROWTH = 4,
    MISSES_PER_ENTRY = 4,
    FIRST_RING = 8,
    FIRST_SWEEP = 1 << 16
};

void streams_init(Streams *streams, uint32_t n_processes)
{
    *streams = (Streams){.n_processes = n_processes,
                         .first_free = NO_STREAM,
                         .sweep_at = FIRST_SWEEP,
                         .largest_cache = CACHES / n_processes < LARGEST_CACHE ? CACHES / n_processes : LARGEST_CACHE};
    streams->closed_to = memory_zeroed(n_processes, sizeof(bool));
    streams->first_of_source = memory_resize(NULL, n_processes * sizeof(uint32_t));
    streams->first_of_destination = memory_resize(NULL, n_processes * sizeof(uint32_t));
    for (uint32_t i = 0; i < n_processes; i++)
        streams->first_of_source[i] = streams->first_of_destination[i] = NO_STREAM;
}

void streams_free(Streams *streams)
{
    for (size_t i = 0; i < streams->all.count; i++)
        free(streams->all.items[i].lts);
    vec_free(&streams->all);
    map_free(&streams->numbers);
    free(streams->closed_to);
    free(streams->first_of_source);
    free(streams->first_of_destination);
}

size_t streams_bytes(const Streams *streams)
{
    return streams->all.capacity * sizeof(Stream) + map_bytes(&streams->numbers) + streams->ring_bytes;
}

size_t stream_cache_bytes(const StreamCache *cache)
{
    return cache->capacity * sizeof(StreamCacheEntry);
}

void stream_cache_free(StreamCache *cache)
{
    free(cache->entries);
    *cache = (StreamCache){0};
}

static MapKey key_of(StreamEnds ends)
{
    return (MapKey){(uint64_t)ends.comm << 32 | ends.tag, (uint64_t)ends.source << 32 | ends.destination};
}

/* Enters the stream where it is looked for. */
static void link_stream(Streams *streams, uint32_t number)
{
    Stream *stream = &streams->all.items[number];
    stream->next_of_source = streams->first_of_source[stream->ends.source];
    stream->next_of_destination = streams->first_of_destination[stream->ends.destination];
    streams->first_of_source[stream->ends.source] = streams->first_of_destination[stream->ends.destination] = number;
    *map_put(&streams->numbers, key_of(stream->ends), NULL) = number;
}

static void unlink_all(Streams *streams)
{
    map_free(&streams->numbers);
    streams->numbers = (Map){0};
    for (uint32_t i = 0; i < streams->n_processes; i++)
        streams->first_of_source[i] = streams->first_of_destination[i] = NO_STREAM;
}

static void forget(Streams *streams, uint32_t number)
{
    Stream *stream = &streams->all.items[number];
    if (stream->lts)
        streams->ring_bytes -= (stream->mask + (size_t)1) * sizeof *stream->lts;
    free(stream->lts);
    *stream = (Stream){.is_free = true, .next_of_source = streams->first_free};
    streams->first_free = number;
}

/* No event of it is queued or under way, and none was read since the last time. */
static bool is_idle(const Stream *stream)
{
    return stream->seen == stream->seen_before && stream->seen == stream->sent && stream->sent == stream->taken &&
           stream->taken == stream->posted;
}

/* Forgets the idle ones. Next time is when there are twice as many as are left, so that it costs little for each. */
static void sweep(Streams *streams)
{
    size_t n_left = 0;
    unlink_all(streams);
    for (uint32_t i = 0; i < streams->all.count; i++) {
        Stream *stream = &streams->all.items[i];
        if (stream->is_free)
            continue;
        if (is_idle(stream)) {
            forget(streams, i);
            continue;
        }
        stream->seen_before = stream->seen;
        link_stream(streams, i);
        n_left++;
    }
    streams->sweeps++;
    streams->sweep_at = 2 * n_left > FIRST_SWEEP ? 2 * n_left : FIRST_SWEEP;
}

static uint32_t add_stream(Streams *streams, StreamEnds ends)
{
    if (streams->first_free == NO_STREAM && streams->all.count >= streams->sweep_at)
        sweep(streams);
    uint32_t number = streams->first_free;
    if (number == NO_STREAM) {
        number = (uint32_t)streams->all.count;
        vec_push(&streams->all);
    } else {
        streams->first_free = streams->all.items[number].next_of_source;
    }
    streams->all.items[number] = (Stream){.ends = ends, .closed = streams->closed_to[ends.destination]};
    link_stream(streams, number);
    return number;
}

static uint32_t find_in_map(Streams *streams, StreamEnds ends)
{
    const uint64_t *number = map_get(&streams->numbers, key_of(ends));
    return number ? (uint32_t)*number : add_stream(streams, ends);
}

static uint32_t cache_slot(const StreamCache *cache, uint32_t comm, uint32_t peer, uint32_t tag)
{
    uint32_t hash = peer * 0x9e3779b1u ^ (tag * 0x85ebca6bu + comm * 0xc2b2ae35u);
    return (hash >> 15 ^ hash) & (cache->capacity - 1);
}

static void grow_cache(StreamCache *cache)
{
    cache->capacity = cache->capacity ? cache->capacity * CACHE_GROWTH : FIRST_CACHE;
    cache->misses = 0;
    free(cache->entries);
    cache->entries = memory_zeroed(cache->capacity, sizeof(StreamCacheEntry));
}

/* After a sweep its numbers may stand for other streams. */
static void clear_cache(StreamCache *cache, uint32_t sweeps)
{
    if (cache->capacity)
        memset(cache->entries, 0, cache->capacity * sizeof(StreamCacheEntry));
    cache->sweeps = sweeps;
}

uint32_t streams_find(Streams *streams, StreamCache *cache, uint32_t peer, StreamEnds ends)
{
    if (cache->sweeps != streams->sweeps)
        clear_cache(cache, streams->sweeps);
    if (cache->capacity) {
        const StreamCacheEntry *entry = &cache->entries[cache_slot(cache, ends.comm, peer, ends.tag)];
        if (entry->peer == peer && entry->tag == ends.tag && entry->comm == ends.comm && entry->stream_plus_1)
            return entry->stream_plus_1 - 1;
    }
    if (cache->misses++ >= cache->capacity * MISSES_PER_ENTRY &&
        (!cache->capacity || cache->capacity * CACHE_GROWTH <= streams->largest_cache))
        grow_cache(cache);
    uint32_t stream = find_in_map(streams, ends);
    if (cache->sweeps != streams->sweeps)
        clear_cache(cache, streams->sweeps);
    cache->entries[cache_slot(cache, ends.comm, peer, ends.tag)] =
        (StreamCacheEntry){ends.comm, peer, ends.tag, stream + 1};
    return stream;
}

void stream_grow(Streams *streams, Stream *stream)
{
    uint32_t before = stream->lts ? stream->mask + 1 : 0, capacity = before ? 2 * before : FIRST_RING;
    uint64_t *lts = memory_resize(NULL, capacity * sizeof *lts);
    for (uint32_t ordinal = stream->taken; ordinal != stream->sent; ordinal++)
        lts[ordinal & (capacity - 1)] = stream->lts[ordinal & stream->mask];
    free(stream->lts);
    stream->lts = lts;
    stream->mask = capacity - 1;
    streams->ring_bytes += (capacity - before) * sizeof *lts;
}

void stream_close(Streams *streams, Stream *stream)
{
    if (stream->lts)
        streams->ring_bytes -= (stream->mask + (size_t)1) * sizeof *stream->lts;
    free(stream->lts);
    stream->lts = NULL;
    stream->mask = 0;
    stream->closed = true;
}

uint64_t stream_drain(Stream *stream, void (*visit)(void *self, uint64_t lt), void *self)
{
    uint64_t n = 0;
    for (; stream->taken != stream->sent; stream->taken++) {
        uint64_t lt = stream->lts[stream->taken & stream->mask];
        if (lt == LT_TAKEN)
            continue;
        n++;
        if (visit)
            visit(self, lt);
    }
    return n;
}
