/* SPDX-License-Identifier: BSD-3-Clause */
/* See source.h. */
#include "trace/reader/source.h"

#include "trace/reader/batches.h"
#include <assert.h>
#include <string.h>

/* When an event happened, for merging the threads of a process; never decreasing within a thread. */
static int64_t merge_time(Location *location)
{
    assert(location->head < location->ready);
    const Event *event = &location->outgoing[location->head];
    bool at_return = event->kind == EVENT_RECV || event->kind == EVENT_RECV_CANCEL || event->kind == EVENT_BEGIN;
    int64_t time_ns = at_return ? event->leave_ns : event->enter_ns;
    if (time_ns > location->merge_ns)
        location->merge_ns = time_ns;
    return location->merge_ns;
}

/* The next event of the process, from whichever thread it is. False: a thread failed. NULL: there is none. */
static bool find_first(const Process *process, Location **first, Err *err)
{
    int64_t first_ns = 0;
    *first = NULL;
    for (uint32_t i = 0; i < process->n_locations; i++) {
        Location *location = &process->locations[i];
        if (!location_make_ready(location)) {
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

static bool read_merged(const Process *process, Event *events, size_t capacity, size_t *count, Err *err)
{
    while (*count < capacity) {
        Location *first;
        Err failure;
        if (!find_first(process, &first, &failure)) {
            if (*count)
                return true;
            *err = failure;
            return false;
        }
        if (!first)
            break;
        events[(*count)++] = first->outgoing[first->head++];
    }
    return true;
}

static bool read_alone(Location *location, Event *events, size_t capacity, size_t *count, Err *err)
{
    while (*count < capacity) {
        if (!location_make_ready(location)) {
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
    if (*count == 0) /* ended */
        location_forget_events(location);
    return true;
}

/* As many as there is room for: what comes of them doesn't depend on how many records are read at a time. The events
 * before a failure are handed on first. */
bool reader_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    assert(process < source->trace->application.n_processes);
    const Process *read = &((Archive *)source)->processes[process];
    *count = 0;
    if (read->n_locations != 1)
        return read_merged(read, events, capacity, count, err);
    return read_alone(read->locations, events, capacity, count, err);
}
