/* SPDX-License-Identifier: BSD-3-Clause */
/* See source.h. */
#include "trace/reader/source.h"

#include "trace/reader/batches.h"
#include <stdlib.h>
#include <string.h>

/* When an event happened, for merging the threads of a process; never decreasing within a thread. */
static int64_t merge_time(Location *location)
{
    const Event *event = &location->events[location->head];
    bool at_return = event->kind == EVENT_RECV || event->kind == EVENT_RECV_CANCEL || event->kind == EVENT_BEGIN;
    int64_t time_ns = at_return ? event->leave_ns : event->enter_ns;
    if (time_ns > location->merge_ns)
        location->merge_ns = time_ns;
    return location->merge_ns;
}

static bool read_merged(Process *process, Event *events, size_t capacity, size_t *count, Err *err)
{
    for (*count = 0; *count < capacity; (*count)++) {
        Location *first = NULL;
        int64_t first_ns = 0;
        for (uint32_t i = 0; i < process->n_locations; i++) {
            Location *location = &process->locations[i];
            if (!location_make_ready(location, err))
                return false;
            if (location->head == location->ready)
                continue;
            int64_t time_ns = merge_time(location);
            if (!first || time_ns < first_ns) {
                first = location;
                first_ns = time_ns;
            }
        }
        if (!first)
            break;
        events[*count] = first->events[first->head++];
    }
    return true;
}

bool reader_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    Archive *archive = (Archive *)source;
    Process *read = &archive->processes[process];
    *count = 0;
    if (read->n_locations != 1)
        return read_merged(read, events, capacity, count, err);
    Location *location = read->locations;
    if (!location_make_ready(location, err))
        return false;
    size_t n = location->ready - location->head;
    if (n > capacity)
        n = capacity;
    if (n)
        memcpy(events, location->events + location->head, n * sizeof(Event));
    location->head += n;
    *count = n;
    if (n == 0) { /* ended */
        free(location->events);
        location->events = NULL;
        location->capacity = 0;
    }
    return true;
}
