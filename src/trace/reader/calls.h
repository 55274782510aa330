/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a location's MPI calls while its records come in: the current call, its events, and the
 * computation between calls. Inline, because every record of an archive passes here. Private to
 * trace/.
 *
 * An event is delivered when its MPI call has returned, because only then is leave_ns known:
 *
 *   events: | delivered | ready ……… | of the current call … | free
 *                       head        ready                   count
 *
 * Computation. The time between calls counts as computation, as far as the samples of the CPU time
 * allow. Consider the time between two samples in which the thread was not on a processor. If this
 * time exceeds the time in MPI calls, the excess was lost outside of MPI calls, and is subtracted.
 * Computation before a call without an event is added to the next event.
 *
 * File operations (MPI_File_…) count as computation for their whole duration. If the thread is not
 * on a processor in them, it waits for its files; no other process has taken the processor. So when
 * samples are compared, this time counts like time in MPI calls; when computation is added up, it
 * counts as computation. */
#pragma once

#include "trace/archive_names.h"
#include "trace/reader/reader.h"

__extension__ typedef unsigned __int128 Wide;

/* Ends reading with an error at a record of the location: "PATH: …". Returns the value for the
 * callback to return. */
OTF2_CallbackCode location_fail(Location *location, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets last_ns to the time of a record, in ns since the trace's origin. The location's clock never
 * goes back. */
static inline bool location_take_time(Location *location, OTF2_TimeStamp time)
{
    const Archive *archive = location->archive;
    uint64_t ns = time > archive->offset ? time - archive->offset : 0;
    if (archive->resolution != 1000000000u) {
        Wide scaled = (Wide)ns * 1000000000u / archive->resolution;
        ns = scaled < ARCHIVE_SPAN_LIMIT_NS ? (uint64_t)scaled : ARCHIVE_SPAN_LIMIT_NS;
    }
    if (__builtin_expect(ns >= ARCHIVE_SPAN_LIMIT_NS, 0)) {
        location_fail(location, "the time %lu lies too far from the trace's start", (unsigned long)time);
        return false;
    }
    if (ns > location->last_ns)
        location->last_ns = ns;
    return true;
}

static inline Event *location_push_event(Location *location, EventKind kind, uint64_t enter_ns)
{
    Event *event = &location->events[location->count++];
    *event = (Event){.kind = (uint8_t)kind,
                     .peer = NO_ROOT,
                     .request = NO_REQUEST,
                     .enter_ns = (int64_t)enter_ns,
                     .leave_ns = (int64_t)location->last_ns};
    return event;
}

/* Called at the first record. A trace without MPI_Init starts with its first call. */
static inline void location_start(Location *location)
{
    if (location->started)
        return;
    location->started = true;
    location->free_since_ns = location->last_ns;
    if (location->is_main && !location->archive->has_init)
        location_push_event(location, EVENT_BEGIN, location->last_ns);
}

/* Gives the event the computation before it. */
static inline void location_hand_over_computation(Location *location, Event *event, uint64_t compute_ns)
{
    event->compute_ns = (int64_t)compute_ns;
    if (location->lost_ns)
        event_set_lost_ns(event, location->lost_ns);
    location->compute_ns = location->lost_ns = 0;
}

/* Completes the events of a call that returns, or is cut off, now. */
static inline void location_finish_events(Location *location)
{
    if (location->call_first == location->count)
        return;
    location_hand_over_computation(location, &location->events[location->call_first], location->compute_ns);
    for (size_t i = location->call_first; i < location->count; i++)
        location->events[i].leave_ns = (int64_t)location->last_ns;
}

static inline void location_enter_call(Location *location, uint32_t region)
{
    location_start(location);
    if (location->depth++ > 0)
        return;
    location->compute_ns += location->last_ns - location->free_since_ns;
    location->enter_ns = location->last_ns;
    location->region = region;
    location->call_first = location->count;
    if ((region & REGION_KIND_MASK) == REGION_FINALIZE && location->is_main)
        location_push_event(location, EVENT_END, location->enter_ns);
}

static inline void location_leave_call(Location *location)
{
    if (location->depth == 0 || --location->depth > 0)
        return;
    uint64_t since_ns = location->sample_time_ns > location->enter_ns ? location->sample_time_ns : location->enter_ns;
    location->mpi_ns += location->last_ns - since_ns;
    location_finish_events(location);
    location->free_since_ns = location->last_ns;
    if ((location->region & REGION_KIND_MASK) == REGION_INIT && location->is_main) {
        location_push_event(location, EVENT_BEGIN, location->enter_ns);
        location->compute_ns = location->lost_ns = 0;
    }
    location->call_first = location->count;
}

static inline void location_enter_io(Location *location)
{
    location_start(location);
    if (location->io_depth++ == 0)
        location->io_since_ns = location->last_ns;
}

/* The time of the current file operation since its beginning or the last sample, whichever is
 * later. */
static inline uint64_t location_io_ns(const Location *location)
{
    return location->last_ns -
           (location->sample_time_ns > location->io_since_ns ? location->sample_time_ns : location->io_since_ns);
}

static inline void location_leave_io(Location *location)
{
    if (location->io_depth > 0 && --location->io_depth == 0)
        location->mpi_ns += location_io_ns(location);
}

/* Adds an event of the current call. For an event outside any MPI region, the entry is
 * `since_ns`. */
static inline Event *location_add_event(Location *location, EventKind kind, uint64_t since_ns)
{
    if (__builtin_expect(location->depth > 0, 1))
        return location_push_event(location, kind, location->enter_ns);
    location_start(location);
    if (since_ns < location->free_since_ns)
        since_ns = location->free_since_ns;
    Event *event = location_push_event(location, kind, since_ns);
    location_hand_over_computation(location, event, location->compute_ns + since_ns - location->free_since_ns);
    location->free_since_ns = location->last_ns;
    location->call_first = location->count;
    return event;
}

/* Takes a sample: the CPU time of the location's thread at last_ns. */
void location_take_sample(Location *location, uint64_t cpu_ns);
