/* SPDX-License-Identifier: BSD-3-Clause */
/* See batches.h. */
#include "trace/reader/batches.h"

#include "trace/reader/calls.h"
#include "trace/reader/files.h"
#include <string.h>

enum { HELD_EVENTS_LIMIT = 1 << 22, SPARE_EVENTS = 4 };

static void make_room(Location *location)
{
    size_t waiting = location->count - location->head, needed = waiting + location->archive->batch + SPARE_EVENTS;
    if (waiting && location->head)
        memmove(location->events, location->events + location->head, waiting * sizeof(Event));
    location->ready -= location->head;
    location->call_first -= location->head < location->call_first ? location->head : location->call_first;
    for (size_t i = 0; i < location->held.count; i++)
        location->held.items[i].event -= location->head;
    location->count = waiting;
    location->head = 0;
    if (needed > location->capacity) {
        location->capacity = needed > 2 * location->capacity ? needed : 2 * location->capacity;
        location->events = memory_resize(location->events, location->capacity * sizeof(Event));
    }
}

/* Nonblocking collectives that never completed have told nothing of themselves. */
static void drop_held(Location *location)
{
    for (size_t i = location->held.count; i-- > 0;) {
        size_t at = location->held.items[i].event;
        memmove(&location->events[at], &location->events[at + 1], (location->count - at - 1) * sizeof(Event));
        location->count--;
        location->call_first -= at < location->call_first;
    }
    location->held.count = 0;
}

/* A process that ended inside a call leaves its events without a return: they last until the last thing known. */
static void end_location(Location *location)
{
    if (location->depth > 0)
        location_finish_events(location);
    drop_held(location);
    if (location->is_main && location->started && !location->archive->has_finalize) {
        Event *event = location_push_event(location, EVENT_END, location->last_ns);
        event->compute_ns =
            location->depth ? 0 : (int64_t)(location->compute_ns + location->last_ns - location->free_since_ns);
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
    return err_set(err, ERR_INPUT, "%s: truncated: %lu events, but %lu are promised", location_path(location, path),
                   (unsigned long)location->n_read, (unsigned long)location->n_promised);
}

static void find_ready(Location *location)
{
    location->ready = location->depth > 0 ? location->call_first : location->count;
    if (location->held.count && location->held.items[0].event < location->ready)
        location->ready = location->held.items[0].event;
}

static bool read_batch(Location *location, Err *err)
{
    Archive *archive = location->archive;
    uint64_t n_read = 0;
    OTF2_ErrorCode status = OTF2_Reader_ReadLocalEvents(archive->reader, location->reader, archive->batch, &n_read);
    location->n_read += n_read;
    archive->n_read += n_read;
    if (location->failed) /* in a callback */
        return false;
    if (status != OTF2_SUCCESS)
        return location_broken(location, status, err);
    find_ready(location);
    if (n_read == archive->batch) {
        char path[4096];
        if (location->held.count == 0 || location->count - location->ready < HELD_EVENTS_LIMIT)
            return true;
        return err_set(
            err, ERR_INPUT, "%s: the nonblocking collective of request %lu hasn't completed %d events later, the limit",
            location_path(location, path), (unsigned long)location->held.items[0].request, HELD_EVENTS_LIMIT);
    }
    if (!check_end(location, err))
        return false;
    end_location(location);
    return true;
}

/* With very many locations what isn't needed until the next visit is given back. */
static void shrink(Location *location)
{
    const Archive *archive = location->archive;
    if (location->ended || archive->n_locations > archive->open_limit) {
        location->capacity = location->count;
        location->events = memory_resize(location->events, location->capacity * sizeof(Event));
    }
}

static bool fill(Location *location)
{
    make_room(location);
    bool ok = true;
    if (!location->reader) {
        bool absent = false;
        ok = location->n_read > 0 || location_check_file(location, &absent, &location->err);
        if (ok && absent) {
            end_location(location);
            return true;
        }
    }
    ok = ok && location_open(location, &location->err) && read_batch(location, &location->err);
    shrink(location);
    location->failed |= !ok;
    return ok;
}

bool location_make_ready(Location *location)
{
    while (location->head == location->ready && !location->ended)
        if (location->failed || !fill(location))
            return false;
    return true;
}
