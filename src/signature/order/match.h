/* SPDX-License-Identifier: BSD-3-Clause */
/* One process's events on their way from the source to the order. They are read in batches. Each
 * receive gets its message stream (streams.h) and its ordinal there. A receive is recorded when it
 * completes, but matches in the order in which receives were posted. So a completed receive gets
 * its ordinal when every earlier post of the process has completed or was cancelled:
 *
 *     posts     | open | done | done |        the two that are done have to wait …
 *     posts     | done | done | done |   ->   … for the first: ordinals are given from the left
 *
 * All of this needs one process only. The queue then holds send-like events and receives; if asked,
 * also completions of requests (EVENT_REQUEST_DONE). */
#pragma once

#include "model/lifetime.h"
#include "signature/order/order.h"
#include "signature/order/streams.h"

/* A post is skipped if it stays open while this many later events of its process are read. Its
 * receive then counts as posted when it completes. This limits how far a queue reads ahead. With
 * very many processes the limit is lower, so that all queues together stay below 1 GB. */
#define POST_REACH_EVENTS 65536
#define POST_REACH_ALL_EVENTS (1u << 24)
#define LEAST_POST_REACH 1024

static inline uint64_t post_reach_events(uint32_t n_processes)
{
    uint64_t reach = POST_REACH_ALL_EVENTS / n_processes;
    return reach > POST_REACH_EVENTS ? POST_REACH_EVENTS : reach < LEAST_POST_REACH ? LEAST_POST_REACH : reach;
}

typedef struct Post {
    uint64_t request;
    uint64_t number; /* number of the posting event in its process */
    uint64_t serial; /* serial number of the completed receive in the queue, or one of the POST_
                        values */
} Post;

/* Finds open posts by request. The index is made when a receive completes that wasn't posted first.
 * Old entries stay until the index is rebuilt. */
typedef struct PostIndex {
    uint64_t *slots; /* sequence number of a post + 1, or 0 */
    size_t capacity, used;
    uint64_t to; /* posts before this sequence number are in the index */
} PostIndex;

/* Time outside of MPI before events that aren't queued: posted and cancelled receives. The next event
 * of the sequence takes it over. */
typedef struct Skipped {
    int64_t compute_ns, lost_ns;
} Skipped;

typedef struct Queue {
    /* Fields for the walk: */
    uint32_t process;
    bool exhausted; /* the source has no more events of the process */
    Event *events;
    size_t head, tail; /* [head, tail) are waiting; head: as of the last reading */
    /* Fields for reading: */
    size_t capacity;
    uint64_t base;         /* serial number of events[0] */
    uint64_t n_read;       /* events read from the source */
    uint64_t reach_events; /* see POST_REACH_EVENTS */
    bool keeps_completions;
    Lifetime lifetime;
    ProcessSpan *span;    /* of the events read so far; begin and end are set when the queue is
                          exhausted */
    VEC(Skipped) skipped; /* by sequence, as far as needed */
    VEC(Post) posts;
    size_t first_post;   /* index in posts of the oldest that is kept */
    uint64_t posts_base; /* sequence number of posts.items[0] */
    PostIndex index;
    uint64_t n_skipped_posts;
} Queue; /* zero-initialise, except for process, span, reach_events and keeps_completions */

void queue_free(Queue *queue);
size_t queue_bytes(const Queue *queue); /* memory in use */

/* Reads at most `batch` events, or sets `exhausted`. Forgets events before the serial number `oldest`.
 * ERR_INPUT: an event is impossible. */
bool queue_read(Queue *queue, uint64_t oldest, EventSource *source, size_t batch, Streams *streams, Err *err);

/* A queued event stores its stream and ordinal in fields that its kind doesn't use. */
#define QUEUED_MATCHED 1u /* in `collective` of a receive: it has its ordinal */

static inline uint32_t queued_stream(const Event *event)
{
    return (uint32_t)event->bytes_received;
}
static inline uint32_t queued_ordinal(const Event *event)
{
    return (uint32_t)(event->bytes_received >> 32);
}

/* The event as the source delivered it. */
Event queued_original(const Event *event);
