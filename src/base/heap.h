/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary heap in an array: the first item comes before all others in the given order. The
 * functions are inline, so that the compiler knows the size of an item and the order. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef bool HeapOrder(const void *left, const void *right);

/* Adds an item to a heap of `count` items. The array must have room for one more. */
static inline void heap_put(void *items, size_t count, size_t item_bytes, const void *item, HeapOrder *comes_before)
{
    char *heap = items;
    size_t at = count;
    for (; at && comes_before(item, heap + (at - 1) / 2 * item_bytes); at = (at - 1) / 2)
        memcpy(heap + at * item_bytes, heap + (at - 1) / 2 * item_bytes, item_bytes);
    memcpy(heap + at * item_bytes, item, item_bytes);
}

/* Removes the first item and copies it to *first. `count` is the number of items before, at least
 * 1. */
static inline void heap_take(void *items, size_t count, size_t item_bytes, void *first, HeapOrder *comes_before)
{
    assert(count);
    char *heap = items;
    const char *last = heap + --count * item_bytes;
    size_t at = 0;
    memcpy(first, heap, item_bytes);
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && comes_before(heap + (child + 1) * item_bytes, heap + child * item_bytes))
            child++;
        if (!comes_before(heap + child * item_bytes, last))
            break;
        memcpy(heap + at * item_bytes, heap + child * item_bytes, item_bytes);
    }
    memmove(heap + at * item_bytes, last, item_bytes);
}
