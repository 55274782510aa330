/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing array of any type:
 *     VEC(int) v = {0};  *vec_push(&v) = 3;  v.items[0];  v.count;  vec_free(&v); */
#pragma once

#include "base/arena.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define VEC(Type)                                                                                                      \
    struct {                                                                                                           \
        Type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

/* Makes room for `more` further items. Pointers to the vector's items become invalid. */
#define vec_reserve(vec, more)                                                                                         \
    ((vec)->count + (more) > (vec)->capacity                                                                           \
         ? ((vec)->items = vec_grow((vec)->items, sizeof *(vec)->items, (vec)->count + (more), &(vec)->capacity))      \
         : (vec)->items)

/* Adds an item at the end, and returns a pointer to it. The item is not initialised. */
#define vec_push(vec) (vec_reserve(vec, 1), &(vec)->items[(vec)->count++])

/* A copy of the items in the arena. The vector keeps its own. */
#define vec_copy(vec, arena) arena_copy_array((arena), (vec)->items, (vec)->count, sizeof *(vec)->items)

#define vec_free(vec) (free((vec)->items), (vec)->items = NULL, (vec)->count = (vec)->capacity = 0)

/* Binary search. The condition on `at` must hold up to some index, and not from there on. `at`
 * becomes the first index of [at, end) for which the condition doesn't hold, or `end`. */
#define vec_bisect(at, end, condition)                                                                                 \
    do {                                                                                                               \
        size_t bisect_low = (at), bisect_high = (end);                                                                 \
        while (bisect_low < bisect_high) {                                                                             \
            (at) = bisect_low + (bisect_high - bisect_low) / 2;                                                        \
            if (condition)                                                                                             \
                bisect_low = (at) + 1;                                                                                 \
            else                                                                                                       \
                bisect_high = (at);                                                                                    \
        }                                                                                                              \
        (at) = bisect_low;                                                                                             \
    } while (0)

static inline void *vec_grow(void *items, size_t item_bytes, size_t needed, size_t *capacity)
{
    size_t grown = *capacity ? *capacity * 2 : 8;
    assert(item_bytes && needed > *capacity);
    *capacity = grown < needed ? needed : grown;
    return memory_resize(items, *capacity * item_bytes);
}
