/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash map from 128-bit keys to 64-bit values: open addressing, linear probing, at most half
 * full. Keys can't be removed: firma only frees whole maps. The order of iteration is undefined, so
 * results must not depend on it. */
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

/* The value of the key, or NULL. The pointer is valid until the next map_put(). */
uint64_t *map_get(const Map *map, MapKey key);

/* The value of the key; a new key has the value 0. Sets *is_new unless is_new is NULL. The pointer
 * is valid until the next map_put(). */
uint64_t *map_put(Map *map, MapKey key, bool *is_new);

/* Numbers the keys in the order of their first use. Returns the key's number; a new key gets the
 * number `next`. */
static inline size_t map_number(Map *map, MapKey key, size_t next)
{
    bool is_new;
    uint64_t *number = map_put(map, key, &is_new);
    if (is_new)
        *number = next;
    return (size_t)*number;
}

void map_free(Map *map);
size_t map_bytes(const Map *map); /* memory that the map has allocated */

/* Hashes content to 128 bits, with the same result on every machine. Start from any constant key,
 * and call it for each word in turn. */
MapKey hash_word(MapKey state, uint64_t word);
