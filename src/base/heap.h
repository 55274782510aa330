/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary heap in an array: the item that comes before all others is the first. Inline, so that the compiler knows the
 * items' size and the order. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef bool HeapOrder(const void *left, const void *right);

/* Enters an item into a heap of `count` items, whose array has room for one more. */
static inline void heap_put(void *items, size_t count, size_t item_bytes, const void *item, HeapOrder *comes_before)
{
    char *heap = items;
    size_t at = count;
    for (; at && comes_before(item, heap + (at - 1) / 2 * item_bytes); at = (at - 1) / 2)
        memcpy(heap + at * item_bytes, heap + (at - 1) / 2 * item_bytes, item_bytes);
    memcpy(heap + at * item_bytes, item, item_bytes);
}

/* Takes the first of `count` items, at least one, out of the heap, into *first. */
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
