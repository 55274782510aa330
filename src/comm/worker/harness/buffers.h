/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for sent and received messages, aligned to pages. Each message uses the same place, or
 * messages move through so much memory that caches don't hold it. */
#pragma once

#include "comm/worker/harness/transport.h"
#include <stdbool.h>

struct Pool {
    char *memory;
    size_t capacity, at;
    bool rotates;
};

/* Allocates room for messages of up to `largest` bytes. If `touch`, writes all of it, so that
 * measuring causes no page faults. If the transport allocates memory itself, the transport owns
 * it. */
bool pool_make(Pool *pool, Transport *transport, size_t largest, size_t rotate_bytes, bool touch, Err *err);

enum { POOL_LINE = 64 }; /* bytes of a cache line; neighbouring messages share none */

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
