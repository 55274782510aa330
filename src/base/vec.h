/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing array of any type:  VEC(int) v = {0};  *vec_push(&v) = 3;  v.items[0];  v.count;  vec_free(&v); */
#ifndef FIRMA_BASE_VEC_H
#define FIRMA_BASE_VEC_H

#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

#define VEC(Type)                                                                                                      \
    struct {                                                                                                           \
        Type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

/* Room for `more` further items; pointers into the vector become invalid. */
#define vec_reserve(vec, more)                                                                                         \
    ((vec)->count + (more) > (vec)->capacity                                                                           \
         ? ((vec)->items = vec_grow((vec)->items, sizeof *(vec)->items, (vec)->count + (more), &(vec)->capacity))      \
         : (vec)->items)

/* A pointer to a new last item, not initialised. */
#define vec_push(vec) (vec_reserve(vec, 1), &(vec)->items[(vec)->count++])

#define vec_free(vec) (free((vec)->items), (vec)->items = NULL, (vec)->count = (vec)->capacity = 0)

static inline void *vec_grow(void *items, size_t item_bytes, size_t needed, size_t *capacity)
{
    size_t grown = *capacity ? *capacity * 2 : 8;
    *capacity = grown < needed ? needed : grown;
    return memory_resize(items, *capacity * item_bytes);
}

#endif
