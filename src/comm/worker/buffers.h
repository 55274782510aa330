/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that messages are sent from and received into: on a page's boundary, the same each time, or moving through
 * so much of it that caches forget. */
#pragma once

#include "comm/worker/transport.h"
#include <stdbool.h>

typedef struct Pool {
    char *memory;
    size_t capacity, at;
    bool rotates;
} Pool;

/* Room for messages of up to `largest` bytes. `touch`: all of it is written, so that no page is new when it is used.
 * The transport owns what it allocates itself. */
bool pool_make(Pool *pool, Transport *transport, size_t largest, size_t rotate_bytes, bool touch, Err *err);

enum { POOL_LINE = 64 }; /* bytes of a cache line: neighbouring messages share none */

/* The buffer of the next message. */
static inline void *pool_next(Pool *pool, size_t bytes)
{
    if (!pool->rotates)
        return pool->memory;
    if (pool->at + bytes > pool->capacity)
        pool->at = 0;
    void *buffer = pool->memory + pool->at;
    pool->at += (bytes + POOL_LINE) / POOL_LINE * POOL_LINE;
    return buffer;
}
