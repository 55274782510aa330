/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a channel during a simulation. The functions are inline, because each message
 * calls them. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* Numbers, first in, first out. */
typedef struct Ring {
    double *items;
    uint32_t head, count, capacity; /* capacity: a power of two */
} Ring;

/* The messages from one task to another: they don't overtake each other, and cross links one at a
 * time. */
typedef struct Queue {
    bool is_awaited;                /* the receiver waits, so no message has arrived */
    bool is_crossing;               /* a message is on links */
    bool is_held;                   /* a long message waits until its receiver waits for it */
    bool holds_sender;              /* the sender waits until the latest message has left */
    double held_bytes;              /* size of the held message */
    uint64_t n_departed, n_awaited; /* messages that have left or are held; receives that have begun */
    size_t receive_at;              /* the operation that receives the next message that departs, or one before it */
    double latency_s;               /* of this message, when it has crossed them */
    Ring waiting_bytes;             /* sizes of messages that were sent while it is crossing */
    double free_s;                  /* without links: when the next message can depart */
    Ring arrivals_s;                /* when messages can be received that were not received yet */
    double latest_s;                /* arrival of the latest message */
} Queue;

static inline void queue_clear(Queue *queue, size_t receive_at)
{
    const Ring waiting = queue->waiting_bytes, arrivals = queue->arrivals_s;
    *queue = (Queue){.receive_at = receive_at,
                     .waiting_bytes = {waiting.items, 0, 0, waiting.capacity},
                     .arrivals_s = {arrivals.items, 0, 0, arrivals.capacity}};
}

static inline void ring_put(Ring *ring, double item, Arena *arena)
{
    if (ring->count == ring->capacity) {
        uint32_t capacity = ring->capacity ? 2 * ring->capacity : 4;
        double *grown = arena_new_array(arena, double, capacity);
        for (uint32_t i = 0; i < ring->count; i++)
            grown[i] = ring->items[(ring->head + i) & (ring->capacity - 1)];
        *ring = (Ring){grown, 0, ring->count, capacity};
    }
    ring->items[(ring->head + ring->count++) & (ring->capacity - 1)] = item;
}

static inline double ring_take(Ring *ring)
{
    double item = ring->items[ring->head];
    ring->head = (ring->head + 1) & (ring->capacity - 1);
    ring->count--;
    return item;
}
