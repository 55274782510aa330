/* SPDX-License-Identifier: BSD-3-Clause */
/* See batches.h. A location's events are read in batches, and delivered in order. */
#include "trace/reader/batches.h"

#include "trace/reader/calls.h"
#include "trace/reader/files.h"
#include "trace/reader/sequences.h"
#include <assert.h>
#include <string.h>

enum { BATCH_RECORDS = 1024, HELD_EVENTS_LIMIT = 1 << 22, SPARE_EVENTS = 4, UNPACKED_EVENTS = 32 };

/* Moves the events that are left to the beginning of the buffer. */
static void drop_delivered(Location *location)
{
    assert(location->head <= location->ready && location->ready <= location->count);
    size_t waiting = location->count - location->head;
    if (waiting && location->head)
        memmove(location->events, location->events + location->head, waiting * sizeof(Event));
    location->ready -= location->head;
    location->call_first -= location->head < location->call_first ? location->head : location->call_first;
    for (size_t i = 0; i < location->held.count; i++) {
        /* The first held collective is the limit of the ready events. */
        assert(location->held.items[i].event >= location->head);
        location->held.items[i].event -= location->head;
    }
    location->count = waiting;
    location->head = 0;
}

static void make_room(Location *location)
{
    drop_delivered(location);
    size_t needed = location->count + BATCH_RECORDS + SPARE_EVENTS;
    if (needed > location->capacity) {
        location->capacity = needed > 2 * location->capacity ? needed : 2 * location->capacity;
        location->events = memory_resize(location->events, location->capacity * sizeof(Event));
    }
}

/* Drops nonblocking collectives that never completed, because their kind is unknown. */
static void drop_held(Location *location)
{
    for (size_t i = location->held.count; i-- > 0;) {
        size_t at = location->held.items[i].event;
        assert(at < location->count);
        memmove(&location->events[at], &location->events[at + 1], (location->count - at - 1) * sizeof(Event));
        location->count--;
        location->call_first -= at < location->call_first;
    }
    location->held.count = 0;
}

/* Completes the events of a call in which the process ended. They last until the last known
 * time. */
static void end_location(Location *location)
{
    if (location->depth > 0)
        location_finish_events(location);
    drop_held(location);
    if (location->is_main && location->started && !location->archive->has_finalize) {
        Event *event = location_push_event(location, EVENT_END, location->last_ns);
        if (!location->depth)
            location_hand_over_computation(location, event,
                                           location->compute_ns + location->last_ns - location->free_since_ns);
    }
    location->ready = location->count;
    location->ended = true;
    location_close(location);
}

static bool check_end(const Location *location, Err *err)
{
    char path[4096];
    if (location->n_promised == OTF2_UNDEFINED_UINT64 || location->n_read >= location->n_promised)
        return true;
    return err_set(err, ERR_INPUT, "%s: truncated: %lu events, but the definitions announce %lu",
                   location_path(location, path), (unsigned long)location->n_read, (unsigned long)location->n_promised);
}

/* If a chunk was cut off, OTF2 reads it again from its beginning, without end. This check stops
 * that. */
static bool check_length(const Location *location, Err *err)
{
    char path[4096];
    if (location->n_read <= location->n_promised)
        return true;
    return err_set(err, ERR_INPUT, "%s: broken: the definitions announce %lu events, but there are more",
                   location_path(location, path), (unsigned long)location->n_promised);
}

static void find_ready(Location *location)
{
    location->ready = location->depth > 0 ? location->call_first : location->count;
    if (location->held.count && location->held.items[0].event < location->ready)
        location->ready = location->held.items[0].event;
    assert(location->ready <= location->count);
}

static bool read_batch(Location *location, Err *err)
{
    Archive *archive = location->archive;
    uint64_t n_read = 0;
    OTF2_ErrorCode status = OTF2_Reader_ReadLocalEvents(location->shelf, location->reader, BATCH_RECORDS, &n_read);
    location->n_read += n_read;
    __atomic_fetch_add(&archive->n_read, n_read, __ATOMIC_RELAXED); /* a progress bar reads it meanwhile */
    assert(location->count <= location->capacity); /* a record gives at most one event, except for SPARE_EVENTS */
    if (location->failed)                          /* a callback has failed */
        return false;
    if (status != OTF2_SUCCESS)
        return location_broken(location, status, err);
    if (!check_length(location, err))
        return false;
    find_ready(location);
    if (n_read == BATCH_RECORDS) {
        char path[4096];
        if (location->held.count == 0 || location->count - location->ready < HELD_EVENTS_LIMIT)
            return true;
        return err_set(err, ERR_INPUT,
                       "%s: the nonblocking collective of request %lu hasn't completed within the limit of %d events",
                       location_path(location, path), (unsigned long)location->held.items[0].request,
                       HELD_EVENTS_LIMIT);
    }
    if (!check_end(location, err))
        return false;
    end_location(location);
    return true;
}

/* Reads the location's next records, and adds their events. */
static void fill(Location *location)
{
    make_room(location);
    bool ok = true;
    if (!location->reader) {
        bool absent = false;
        ok = location->n_read > 0 || location_check_file(location, &absent, &location->err);
        if (ok && absent) {
            end_location(location);
            return;
        }
    }
    ok = ok && location_open(location, &location->err) && read_batch(location, &location->err);
    location->failed |= !ok;
}

/* Swaps the location's buffer for the archive's shared buffer, and copies the events. */
static void borrow_buffer(Location *location)
{
    Archive *archive = location->archive;
    if (archive->shared_capacity < location->count) {
        archive->shared_capacity = location->count;
        archive->shared_events = memory_resize(archive->shared_events, location->count * sizeof(Event));
    }
    if (location->count)
        memcpy(archive->shared_events, location->events, location->count * sizeof(Event));
    free(location->events);
    location->events = archive->shared_events;
    location->capacity = archive->shared_capacity;
}

static void give_buffer_back(Location *location)
{
    Archive *archive = location->archive;
    drop_delivered(location);
    archive->shared_events = location->events;
    archive->shared_capacity = location->capacity;
    location->capacity = location->count;
    location->events = NULL;
    if (location->count) {
        location->events = memory_resize(NULL, location->count * sizeof(Event));
        memcpy(location->events, archive->shared_events, location->count * sizeof(Event));
    }
}

/* With very many locations, reads as much of one as fits into memory. Coming back to a location
 * later costs as much as reading thousands of records. */
static void visit(Location *location)
{
    location->head = location->ready = 0;
    borrow_buffer(location);
    while (!location->ended && !location->failed && location->packed.count < location->archive->visit_bytes) {
        fill(location);
        packed_add(&location->packed, location->events + location->head, location->ready - location->head);
        location->head = location->ready;
    }
    give_buffer_back(location);
    location->head = location->ready = 0;
    packed_trim(&location->packed);
}

static void unpack(Location *location)
{
    if (!location->unpacked)
        location->unpacked = memory_resize(NULL, UNPACKED_EVENTS * sizeof(Event));
    location->outgoing = location->unpacked;
    location->head = 0;
    location->ready = packed_take(&location->packed, location->unpacked, UNPACKED_EVENTS);
}

/* Reads until the next event of the location is ready, or the location has ended. False: reading
 * has failed for good; location->err has the reason. */
static bool make_ready(Location *location)
{
    while (location->head == location->ready) {
        if (location->packed.n_events) {
            unpack(location);
        } else if (location->ended || location->failed) {
            return !location->failed;
        } else if (location->archive->visit_bytes) {
            visit(location);
        } else {
            fill(location);
            location->outgoing = location->events;
        }
    }
    return true;
}

void location_forget_events(Location *location)
{
    free(location->events);
    free(location->unpacked);
    packed_free(&location->packed);
    location->events = location->unpacked = location->outgoing = NULL;
    location->packed = (Packed){0};
    location->head = location->ready = location->count = location->capacity = 0;
}

/* ---- the archive as a source of events ---- */

/* The time by which events of a process's threads are merged. It never decreases within a
 * thread. */
static int64_t merge_time(Location *location)
{
    assert(location->head < location->ready);
    const Event *event = &location->outgoing[location->head];
    bool at_return = event->kind == EVENT_RECV || event->kind == EVENT_RECV_CANCEL ||
                     event->kind == EVENT_REQUEST_DONE || event->kind == EVENT_BEGIN;
    int64_t time_ns = at_return ? event->leave_ns : event->enter_ns;
    if (time_ns > location->merge_ns)
        location->merge_ns = time_ns;
    return location->merge_ns;
}

/* Finds the thread whose event is next. False: a thread failed. *first becomes NULL if no events
 * are left. */
static bool find_first(const Process *process, Location **first, Err *err)
{
    int64_t first_ns = 0;
    *first = NULL;
    for (uint32_t i = 0; i < process->n_locations; i++) {
        Location *location = &process->locations[i];
        if (!make_ready(location)) {
            *err = location->err;
            return false;
        }
        if (location->head == location->ready)
            continue;
        int64_t time_ns = merge_time(location);
        if (!*first || time_ns < first_ns) {
            *first = location;
            first_ns = time_ns;
        }
    }
    return true;
}

bool reader_next_merged(const Process *process, Location **location, Event *event, Err *err)
{
    if (!find_first(process, location, err))
        return false;
    if (*location) {
        *event = (*location)->outgoing[(*location)->head++];
        event->sequence = sequence_of_event(*location, event) & (SEQUENCE_LIMIT - 1);
    }
    return true;
}

static bool read_merged(const Process *process, Event *events, size_t capacity, size_t *count, Err *err)
{
    while (*count < capacity) {
        Location *first;
        Err failure;
        if (!reader_next_merged(process, &first, &events[*count], &failure)) {
            if (*count)
                return true;
            *err = failure;
            return false;
        }
        if (!first)
            break;
        ++*count;
    }
    return true;
}

static bool read_alone(Location *location, Event *events, size_t capacity, size_t *count, Err *err)
{
    while (*count < capacity) {
        if (!make_ready(location)) {
            if (*count)
                return true;
            *err = location->err;
            return false;
        }
        size_t n = location->ready - location->head;
        if (n == 0)
            break;
        if (n > capacity - *count)
            n = capacity - *count;
        memcpy(events + *count, location->outgoing + location->head, n * sizeof(Event));
        location->head += n;
        *count += n;
    }
    if (*count == 0) /* the location has ended */
        location_forget_events(location);
    return true;
}

/* Delivers as many events as fit. So the result doesn't depend on how many records are read at a
 * time. Events before a failure are delivered first. */
bool reader_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    assert(process < ((Archive *)source)->n_processes);
    const Process *read = &((Archive *)source)->processes[process];
    *count = 0;
    if (read->n_locations != 1)
        return read_merged(read, events, capacity, count, err);
    return read_alone(read->locations, events, capacity, count, err);
}
