/* SPDX-License-Identifier: BSD-3-Clause */
/* See buffers.h. */
#include "comm/worker/harness/buffers.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Lives as long as the process. Fresh pages are zeros, which are doubles with harmless sums. */
static void *map_pages(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool pool_make(Pool *pool, Transport *transport, size_t largest, size_t rotate_bytes, bool touch, Err *err)
{
    const TransportKind *kind = transport->kind;
    size_t least = largest ? largest : 1;
    *pool = (Pool){.capacity = rotate_bytes > least ? rotate_bytes : least, .rotates = rotate_bytes > 0};
    pool->memory = kind->allocate ? kind->allocate(transport, pool->capacity) : map_pages(pool->capacity);
    assert(pool->capacity >= least);
    if (!pool->memory)
        return err_set(err, ERR_ENVIRONMENT, "cannot allocate %zu bytes for messages: %s", pool->capacity,
                       strerror(errno));
    if (touch || kind->allocate)
        memset(pool->memory, 0, pool->capacity);
    return true;
}
