/* SPDX-License-Identifier: BSD-3-Clause */
/* See map.h. */
#include "base/map.h"

#include "base/arena.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct MapSlot {
    MapKey key;
    uint64_t value;
    bool used;
} MapSlot;

enum { FIRST_CAPACITY = 16 };
_Static_assert((FIRST_CAPACITY & (FIRST_CAPACITY - 1)) == 0, "slots are found by a mask");

static uint64_t mix(uint64_t word)
{
    word ^= word >> 32;
    word *= 0xd6e8feb86659fd93u;
    word ^= word >> 32;
    word *= 0xd6e8feb86659fd93u;
    word ^= word >> 32;
    return word;
}

MapKey hash_word(MapKey state, uint64_t word)
{
    state.high = mix(state.high ^ word) + 0x9e3779b97f4a7c15u;
    state.low = (state.low ^ mix(word + 0x632be59bd9b4e019u)) * 0x100000001b3u + (state.high >> 7);
    return state;
}

static MapSlot *find_slot(MapSlot *slots, size_t capacity, MapKey key)
{
    size_t mask = capacity - 1;
    size_t i = (size_t)mix(key.high * 0x9e3779b97f4a7c15u + key.low) & mask;
    while (slots[i].used && (slots[i].key.high != key.high || slots[i].key.low != key.low))
        i = (i + 1) & mask;
    return &slots[i];
}

static void grow(Map *map)
{
    size_t capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY;
    MapSlot *slots = memory_resize(NULL, capacity * sizeof(MapSlot));
    memset(slots, 0,
           capacity *
               sizeof(MapSlot)); /* not by calloc: reading a fresh page and then writing it costs two page faults */
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].used)
            *find_slot(slots, capacity, map->slots[i].key) = map->slots[i];
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    assert(2 * (map->count + 1) <= map->capacity); /* a free slot ends each search */
}

uint64_t *map_get(const Map *map, MapKey key)
{
    if (!map->capacity)
        return NULL;
    MapSlot *slot = find_slot(map->slots, map->capacity, key);
    return slot->used ? &slot->value : NULL;
}

uint64_t *map_put(Map *map, MapKey key, bool *is_new)
{
    if (2 * (map->count + 1) > map->capacity)
        grow(map);
    MapSlot *slot = find_slot(map->slots, map->capacity, key);
    if (is_new)
        *is_new = !slot->used;
    if (!slot->used) {
        slot->used = true;
        slot->key = key;
        slot->value = 0;
        map->count++;
    }
    return &slot->value;
}

size_t map_bytes(const Map *map)
{
    return map->capacity * sizeof(MapSlot);
}

void map_free(Map *map)
{
    free(map->slots);
    *map = (Map){0};
}
