/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a channel during a simulation: a ring of arrival times, in the order of sending.
 * The functions are inline, because each message calls them. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "model/machine.h"
#include <stdbool.h>
#include <stdint.h>

/* Messages of a channel that are in flight, or wait to be received. */
typedef struct Queue {
    double *arrivals_s;
    uint32_t head, count, capacity;
    bool is_awaited;         /* the receiver waits, so the queue is empty */
    double latest_s;         /* arrival of the latest message */
    const MachinePath *path; /* in the simulated mapping; NULL: within a processor */
    double *leaves_s;        /* when the sender's node can send again; NULL: the message stays on
                                its node */
    double *enters_s;        /* when the receiver's node can receive the next message */
} Queue;

static inline void queue_put(Queue *queue, double arrival_s, Arena *arena)
{
    if (queue->count == queue->capacity) {
        uint32_t capacity = queue->capacity ? 2 * queue->capacity : 4;
        double *grown = arena_new_array(arena, double, capacity);
        for (uint32_t i = 0; i < queue->count; i++)
            grown[i] = queue->arrivals_s[(queue->head + i) & (queue->capacity - 1)];
        queue->arrivals_s = grown;
        queue->head = 0;
        queue->capacity = capacity;
    }
    queue->arrivals_s[(queue->head + queue->count++) & (queue->capacity - 1)] = arrival_s;
}

static inline double queue_take(Queue *queue)
{
    double arrival_s = queue->arrivals_s[queue->head];
    queue->head = (queue->head + 1) & (queue->capacity - 1);
    queue->count--;
    return arrival_s;
}
