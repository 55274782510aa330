/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of stretches, and numbers for pairs of process and type (content.h). A small cache in
 * front of the map makes lookups cheap. */
#include "signature/phases/content.h"

typedef struct PlaceCacheEntry {
    CommType type;
    uint32_t process;
    uint32_t place_plus_1; /* 0: empty */
} PlaceCacheEntry;

enum { CACHE_PER_PROCESS = 16, SMALLEST_CACHE = 1024, LARGEST_CACHE = 1 << 18 };

void content_free(Content *content)
{
    vec_free(&content->events);
    vec_free(&content->places);
    vec_free(&content->tick_starts);
}

void content_clear(Content *content)
{
    content->events.count = content->places.count = content->tick_starts.count = 0;
}

void content_append(Content *target, const Content *source, size_t from, size_t to)
{
    if (from == to)
        return;
    size_t first = source->tick_starts.items[from], n = content_tick_end(source, to - 1) - first;
    uint32_t tick_shift = (uint32_t)(target->tick_starts.count - from);
    uint32_t event_shift = (uint32_t)(target->events.count - first);
    vec_reserve(&target->tick_starts, to - from);
    for (size_t tick = from; tick < to; tick++)
        *vec_push(&target->tick_starts) = source->tick_starts.items[tick] + event_shift;
    vec_reserve(&target->events, n);
    vec_reserve(&target->places, n);
    for (size_t i = first; i < first + n; i++) {
        PhaseEvent *event = vec_push(&target->events);
        *event = source->events.items[i];
        event->tick += tick_shift;
        *vec_push(&target->places) = source->places.items[i];
    }
}

MapKey content_hash(const Content *content)
{
    MapKey hash = {0x6669726d61, content->tick_starts.count};
    for (size_t i = 0; i < content->events.count; i++) {
        const PhaseEvent *event = &content->events.items[i];
        hash = hash_word(hash, (uint64_t)event->tick << 32 | content->places.items[i]);
        hash = hash_word(hash, event->bytes);
    }
    return hash;
}

void places_init(Places *places, uint32_t n_processes)
{
    size_t capacity = SMALLEST_CACHE;
    while (capacity < (size_t)n_processes * CACHE_PER_PROCESS && capacity < LARGEST_CACHE)
        capacity *= 2;
    *places = (Places){.cache = memory_zeroed(capacity, sizeof(PlaceCacheEntry)), .cache_mask = capacity - 1};
}

void places_free(Places *places)
{
    map_free(&places->numbers);
    vec_free(&places->last_tick);
    free(places->cache);
}

uint32_t places_find(Places *places, uint32_t process, CommType type)
{
    uint64_t hash = (type ^ (uint64_t)process << 36) * 0x9e3779b97f4a7c15u;
    PlaceCacheEntry *entry = &places->cache[(hash >> 40) & places->cache_mask];
    if (entry->type == type && entry->process == process && entry->place_plus_1)
        return entry->place_plus_1 - 1;
    uint32_t place = (uint32_t)map_number(&places->numbers, (MapKey){type, process}, places->last_tick.count);
    if (place == places->last_tick.count)
        *vec_push(&places->last_tick) = 0;
    *entry = (PlaceCacheEntry){type, process, place + 1};
    return place;
}
