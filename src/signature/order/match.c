/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a process's events, and gives each receive its ordinal (match.h). */
#include "signature/order/match.h"

#include <assert.h>
#include <inttypes.h>

#define POST_OPEN UINT64_MAX
#define POST_GONE (UINT64_MAX - 1) /* cancelled, or skipped */

/* SPARE_BATCHES: an empty queue with room for more batches gives memory back. */
enum { FIRST_INDEX = 64, SPARE_BATCHES = 16 };
_Static_assert((FIRST_INDEX & (FIRST_INDEX - 1)) == 0, "slots are found by a mask");

void queue_free(Queue *queue)
{
    vec_free(&queue->skipped);
    free(queue->events);
    vec_free(&queue->posts);
    free(queue->index.slots);
}

size_t queue_bytes(const Queue *queue)
{
    return queue->capacity * sizeof(Event) + queue->posts.capacity * sizeof(Post) +
           queue->index.capacity * sizeof *queue->index.slots;
}

Event queued_original(const Event *event)
{
    Event original = *event;
    if (event->kind == EVENT_RECV)
        original.collective = 0;
    if (event->kind != EVENT_COLLECTIVE)
        original.bytes_received = 0;
    return original;
}

/* Open posts: a deque in a vector. */

static bool has_posts(const Queue *queue)
{
    return queue->first_post < queue->posts.count;
}

static void push_post(Queue *queue, Post post)
{
    if (queue->posts.count == queue->posts.capacity && queue->first_post > queue->posts.count / 2) {
        size_t kept = queue->posts.count - queue->first_post;
        memmove(queue->posts.items, queue->posts.items + queue->first_post, kept * sizeof(Post));
        queue->posts_base += queue->first_post;
        queue->posts.count = kept;
        queue->first_post = 0;
    }
    *vec_push(&queue->posts) = post;
}

static StreamEnds ends_of(const Queue *queue, const Event *event)
{
    if (event->kind == EVENT_RECV)
        return stream_ends(event->comm, event->peer, queue->process, event->tag);
    return stream_ends(event->comm, queue->process, event->peer, event->tag);
}

static void assign_ordinal(Queue *queue, Streams *streams, uint64_t serial)
{
    /* The receive is in the queue. */
    assert(serial >= queue->base + queue->head && serial < queue->base + queue->tail);
    Event *event = &queue->events[serial - queue->base];
    assert(event->kind == EVENT_RECV && event->collective != QUEUED_MATCHED);
    uint32_t stream = streams_find(streams, ends_of(queue, event));
    event->bytes_received = (uint64_t)stream_at(streams, stream)->posted++ << 32 | stream;
    event->collective = QUEUED_MATCHED;
}

/* Drops posts from the front until one is open, and gives ordinals to the receives among them. */
static void pop_posts(Queue *queue, Streams *streams)
{
    while (has_posts(queue)) {
        uint64_t serial = queue->posts.items[queue->first_post].serial;
        if (serial == POST_OPEN)
            return;
        if (serial != POST_GONE)
            assign_ordinal(queue, streams, serial);
        queue->first_post++;
    }
    queue->posts_base += queue->posts.count;
    queue->posts.count = queue->first_post = 0;
}

static size_t index_slot(const PostIndex *index, uint64_t request)
{
    uint64_t hash = request * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 32 ^ hash) & (index->capacity - 1);
}

static void enter_post(Queue *queue, uint64_t sequence)
{
    PostIndex *index = &queue->index;
    assert(sequence >= queue->posts_base && sequence - queue->posts_base < queue->posts.count);
    assert(2 * index->used < index->capacity); /* so a search always ends at a free slot */
    size_t slot = index_slot(index, queue->posts.items[sequence - queue->posts_base].request);
    while (index->slots[slot])
        slot = (slot + 1) & (index->capacity - 1);
    index->slots[slot] = sequence + 1;
    index->used++;
}

/* Enters the new posts. Rebuilds the index if it would be more than half full. */
static void update_index(Queue *queue)
{
    PostIndex *index = &queue->index;
    uint64_t first = queue->posts_base + queue->first_post, end = queue->posts_base + queue->posts.count;
    if (index->to < first)
        index->to = first;
    if (2 * (index->used + (end - index->to)) > index->capacity) {
        size_t capacity = FIRST_INDEX;
        while (capacity < 4 * (end - first))
            capacity *= 2;
        free(index->slots);
        *index = (PostIndex){memory_zeroed(capacity, sizeof(uint64_t)), capacity, 0, first};
    }
    for (; index->to < end; index->to++)
        if (queue->posts.items[index->to - queue->posts_base].serial == POST_OPEN)
            enter_post(queue, index->to);
}

static Post *find_open_post(Queue *queue, uint64_t request)
{
    if (!has_posts(queue))
        return NULL;
    Post *oldest = &queue->posts.items[queue->first_post];
    if (oldest->request == request && oldest->serial == POST_OPEN)
        return oldest;
    update_index(queue);
    const PostIndex *index = &queue->index;
    for (size_t slot = index_slot(index, request); index->slots[slot]; slot = (slot + 1) & (index->capacity - 1)) {
        uint64_t sequence = index->slots[slot] - 1;
        if (sequence < queue->posts_base + queue->first_post)
            continue;
        Post *post = &queue->posts.items[sequence - queue->posts_base];
        if (post->request == request && post->serial == POST_OPEN)
            return post;
    }
    return NULL;
}

static void complete_receive(Queue *queue, Streams *streams, const Event *event)
{
    uint64_t serial = queue->base + (uint64_t)(event - queue->events);
    if (!has_posts(queue)) {
        assign_ordinal(queue, streams, serial);
        return;
    }
    Post *post = event->request == NO_REQUEST ? NULL : find_open_post(queue, event->request);
    if (post)
        post->serial = serial;
    else /* a blocking receive, or one whose post was skipped: counts as posted here */
        push_post(queue, (Post){NO_REQUEST, queue->n_read, serial});
    pop_posts(queue, streams);
}

static void cancel_receive(Queue *queue, Streams *streams, uint64_t request)
{
    Post *post = find_open_post(queue, request);
    if (!post)
        return;
    post->serial = POST_GONE;
    pop_posts(queue, streams);
}

static void skip_old_posts(Queue *queue, Streams *streams)
{
    while (has_posts(queue) && queue->n_read - queue->posts.items[queue->first_post].number > queue->reach_events) {
        queue->posts.items[queue->first_post].serial = POST_GONE;
        queue->n_skipped_posts++;
        pop_posts(queue, streams);
    }
}

static void end_of_events(Queue *queue, Streams *streams)
{
    queue->exhausted = true;
    for (size_t i = queue->first_post; i < queue->posts.count; i++)
        if (queue->posts.items[i].serial == POST_OPEN)
            queue->posts.items[i].serial = POST_GONE;
    pop_posts(queue, streams);
    ProcessSpan *span = queue->span;
    span->begin_ns = queue->lifetime.begin_ns;
    span->end_ns = queue->lifetime.end_ns;
    span->finished = queue->lifetime.finished;
    if (!span->n_send_events)
        span->first_ns = span->last_ns = span->end_ns;
}

static void note_send(ProcessSpan *span, const Event *event)
{
    if (!span->n_send_events++)
        span->first_ns = event->enter_ns;
    span->last_ns = event->enter_ns;
}

static bool check_event(const Queue *queue, const Trace *trace, const Event *event, Err *err)
{
    if (event->kind == EVENT_SEND || event->kind == EVENT_RECV || event->kind == EVENT_ONE_SIDED) {
        if (event->peer >= trace->application.n_processes)
            return err_set(err, ERR_INPUT,
                           "process %u, event %" PRIu64 ": its partner is process %u, but the trace has %u processes",
                           queue->process, queue->n_read, event->peer, trace->application.n_processes);
    } else if (event->kind > EVENT_REQUEST_DONE) {
        return err_set(err, ERR_INPUT, "process %u, event %" PRIu64 ": unknown kind of event: %u", queue->process,
                       queue->n_read, event->kind);
    } else if (event->kind == EVENT_COLLECTIVE && event->comm >= trace->n_comms) {
        return err_set(err, ERR_INPUT, "process %u, event %" PRIu64 ": the trace doesn't define communicator %u",
                       queue->process, queue->n_read, event->comm);
    }
    return true;
}

static void skip_time(Queue *queue, const Event *event)
{
    if (!event_outside_ns(event))
        return;
    while (queue->skipped.count <= event->sequence)
        *vec_push(&queue->skipped) = (Skipped){0};
    Skipped *skipped = &queue->skipped.items[event->sequence];
    skipped->compute_ns += event->compute_ns;
    skipped->lost_ns += event_lost_ns(event);
}

static void take_skipped_time(Queue *queue, Event *event)
{
    if (queue->skipped.count <= event->sequence)
        return;
    Skipped *skipped = &queue->skipped.items[event->sequence];
    if (!skipped->compute_ns && !skipped->lost_ns)
        return;
    event->compute_ns += skipped->compute_ns;
    event_set_lost_ns(event, (uint64_t)(event_lost_ns(event) + skipped->lost_ns));
    *skipped = (Skipped){0};
}

/* Puts an event that was read at the queue's tail. */
static Event *put_event(Queue *queue, const Event *read)
{
    assert(queue->tail < queue->capacity);
    Event *event = &queue->events[queue->tail++];
    *event = *read;
    take_skipped_time(queue, event);
    return event;
}

/* Takes in the event at `read`. Events that stay in the queue go to its tail. */
static void accept_event(Queue *queue, Streams *streams, const Event *read)
{
    Event *event;
    switch ((EventKind)read->kind) {
    case EVENT_BEGIN:
    case EVENT_END:
        return;
    case EVENT_RECV_POST:
        skip_time(queue, read);
        push_post(queue, (Post){read->request, queue->n_read, POST_OPEN});
        return;
    case EVENT_REQUEST_DONE:
        if (queue->keeps_completions)
            put_event(queue, read);
        else
            skip_time(queue, read);
        return;
    case EVENT_RECV_CANCEL:
        skip_time(queue, read);
        cancel_receive(queue, streams, read->request);
        return;
    case EVENT_WINDOW_SYNC:
        skip_time(queue, read);
        return;
    case EVENT_SEND:
        event = put_event(queue, read);
        note_send(queue->span, event);
        event->bytes_received = streams_find(streams, ends_of(queue, event));
        stream_at(streams, queued_stream(event))->seen++;
        return;
    case EVENT_COLLECTIVE:
    case EVENT_ONE_SIDED:
        note_send(queue->span, put_event(queue, read));
        return;
    case EVENT_RECV:
        event = put_event(queue, read);
        event->collective = 0;
        queue->span->n_recvs++;
        complete_receive(queue, streams, event);
        return;
    }
}

/* How many events before its use a stream is fetched into the cache: first its slot, then the
 * stream. */
enum { SLOT_AHEAD = 12, STREAM_AHEAD = 6 };

static void fetch_ahead(const Queue *queue, const Streams *streams, const Event *event, const Event *end,
                        void (*fetch)(const Streams *streams, StreamEnds ends))
{
    if (event < end && (event->kind == EVENT_SEND || event->kind == EVENT_RECV))
        fetch(streams, ends_of(queue, event));
}

/* Prefetches for the first events of a batch; fetch_next() goes on from there. */
static void fetch_first(const Queue *queue, const Streams *streams, const Event *first, const Event *end)
{
    for (size_t i = 0; i < SLOT_AHEAD; i++)
        fetch_ahead(queue, streams, first + i, end, streams_fetch_slot);
    for (size_t i = 0; i < STREAM_AHEAD; i++)
        fetch_ahead(queue, streams, first + i, end, streams_fetch);
}

static void fetch_next(const Queue *queue, const Streams *streams, const Event *event, const Event *end)
{
    fetch_ahead(queue, streams, event + SLOT_AHEAD, end, streams_fetch_slot);
    fetch_ahead(queue, streams, event + STREAM_AHEAD, end, streams_fetch);
}

static void set_capacity(Queue *queue, size_t capacity)
{
    Event *events = memory_lines(capacity * sizeof(Event));
    if (queue->tail)
        memcpy(events, queue->events, queue->tail * sizeof(Event));
    free(queue->events);
    queue->events = events;
    queue->capacity = capacity;
}

static void make_room(Queue *queue, size_t batch)
{
    if (queue->head == queue->tail) {
        queue->base += queue->tail;
        queue->head = queue->tail = 0;
        if (queue->capacity > SPARE_BATCHES * batch)
            set_capacity(queue, batch);
    } else if (queue->tail + batch > queue->capacity && queue->head > queue->capacity / 2) {
        memmove(queue->events, queue->events + queue->head, (queue->tail - queue->head) * sizeof(Event));
        queue->base += queue->head;
        queue->tail -= queue->head;
        queue->head = 0;
    }
    if (queue->tail + batch > queue->capacity)
        set_capacity(queue, queue->tail + batch > 2 * queue->capacity ? queue->tail + batch : 2 * queue->capacity);
}

bool queue_read(Queue *queue, uint64_t oldest, EventSource *source, size_t batch, Streams *streams, Err *err)
{
    assert(oldest >= queue->base && oldest - queue->base <= queue->tail);
    queue->head = oldest - queue->base;
    make_room(queue, batch);
    size_t count = 0;
    Event *first = queue->events + queue->tail;
    if (!source->read(source, queue->process, first, batch, &count, err))
        return false;
    assert(count <= batch);
    if (!count)
        end_of_events(queue, streams);
    const Event *end = first + count;
    bool fetches = streams_are_many(streams);
    if (fetches)
        fetch_first(queue, streams, first, end);
    for (const Event *read = first; read < end; read++) {
        if (fetches)
            fetch_next(queue, streams, read, end);
        if (!check_event(queue, source->trace, read, err))
            return false;
        lifetime_add(&queue->lifetime, read);
        queue->span->compute_ns += read->compute_ns;
        accept_event(queue, streams, read);
        queue->n_read++;
        if (has_posts(queue))
            skip_old_posts(queue, streams);
    }
    return true;
}
