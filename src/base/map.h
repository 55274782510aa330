/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash map from 128-bit keys to 64-bit values: open addressing, linear probing, at most half full. No removal:
 * nothing that firma maps goes away before the map does. Iteration order is undefined; results must not depend on it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MapKey {
    uint64_t high, low;
} MapKey;

typedef struct Map {
    struct MapSlot *slots;
    size_t count, capacity; /* capacity is 0 or a power of two */
} Map;                      /* zero-initialise */

/* The value of the key, or NULL. Valid until the next map_put. */
uint64_t *map_get(const Map *map, MapKey key);

/* The value of the key, made 0 if it wasn't there; *is_new tells (may be NULL). Valid until the next map_put. */
uint64_t *map_put(Map *map, MapKey key, bool *is_new);

/* Numbers keys in the order in which they come: the key's number, which is `next` if it wasn't there. */
static inline size_t map_number(Map *map, MapKey key, size_t next)
{
    bool is_new;
    uint64_t *number = map_put(map, key, &is_new);
    if (is_new)
        *number = next;
    return (size_t)*number;
}

void map_free(Map *map);
size_t map_bytes(const Map *map); /* what it takes */

/* Hashing of content, 128 bits, the same on every machine: chain it over words. Start from any constant key. */
MapKey hash_word(MapKey state, uint64_t word);
