/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's events on their way from the source to the order: read in batches, and each receive given its stream
 * and its ordinal there. Receives are recorded when they complete but match in the order they were posted, so a
 * completed one gets its ordinal when every earlier post of the process has completed or been cancelled:
 *
 *      posts     | open | done | done |        nothing is known about the two that are done …
 *      posts     | done | done | done |   ->   … until the first is: ordinals in this order, from the left
 *
 * All of this looks at one process only. What is left in the queue are send-like events and receives. */
#pragma once

#include "model/lifetime.h"
#include "signature/order/order.h"
#include "signature/order/streams.h"

/* A post that stays open while this many later events of its process are read is skipped: its receive is treated when
 * it completes. It bounds how far a queue reads ahead; with very many processes less far, so that all queues together
 * stay below a GB. */
#define POST_REACH_EVENTS 65536
#define POST_REACH_ALL_EVENTS (1u << 24)
#define LEAST_POST_REACH 1024

typedef struct Post {
    uint64_t request;
    uint64_t number; /* of the event in its process */
    uint64_t serial; /* of the completed receive in the queue, or one of the POST_ values */
} Post;

/* The open posts by request; made when a receive completes that isn't the oldest. Old entries stay until it is remade.
 */
typedef struct PostIndex {
    uint64_t *slots; /* sequence number of a post + 1, or 0 */
    size_t capacity, used;
    uint64_t to; /* posts before this one have been entered */
} PostIndex;

typedef struct Queue {
    /* For the walk: */
    uint32_t process;
    bool exhausted; /* the source has no more of it */
    Event *events;
    size_t head, tail; /* [head, tail) are waiting */
    /* For reading: */
    size_t capacity;
    uint64_t base;         /* serial of events[0] */
    uint64_t n_read;       /* events that the source gave */
    uint64_t reach_events; /* see POST_REACH_EVENTS */
    Lifetime lifetime;
    ProcessSpan *span; /* of what was read; when it begins and ends is known at the end */
    VEC(Post) posts;
    size_t first_post;   /* in posts */
    uint64_t posts_base; /* sequence number of posts.items[0] */
    PostIndex index;
    uint64_t n_skipped_posts;
} Queue; /* zero-initialise but for process, span and reach_events */

void queue_free(Queue *queue);
size_t queue_bytes(const Queue *queue); /* what it takes */

/* Reads a batch of at most `batch` events, or sets `exhausted`. */
bool queue_read(Queue *queue, EventSource *source, size_t batch, Streams *streams, Err *err);

/* In the queue, fields that the kind of event doesn't use say where it belongs. */
#define QUEUED_MATCHED 1u /* in `reserved` of a receive: it has its ordinal */

static inline uint32_t queued_stream(const Event *event)
{
    return (uint32_t)event->bytes_received;
}
static inline uint32_t queued_ordinal(const Event *event)
{
    return (uint32_t)(event->bytes_received >> 32);
}

/* The event as the source gave it. */
Event queued_original(const Event *event);
