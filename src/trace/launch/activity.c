/* SPDX-License-Identifier: BSD-3-Clause */
/* See activity.h. The thread goes on writing while firma reads. The recorder writes a record's kind
 * last, so a record with a kind is complete. firma reads a half again if it changed meanwhile. */
#include "trace/launch/activity.h"

#include "trace/calls.h"
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define HALF_RECORDS (SEGMENT_HALF_BYTES / RECORD_BYTES)
#define LOOK_RECORDS (2 * HALF_RECORDS) /* records per look; usually fewer arrive between two looks */
#define BEHIND_LIMIT (4 * HALF_RECORDS) /* a reader that is further behind starts again at the stored records' end */
#define BLOCK_RECORDS 128

/* Where records are read from, with a buffer for stored records. */
typedef struct Place {
    const SegmentHeader *header;
    const char *path;
    int file; /* -1: not open */
    uint64_t first;
    size_t count;
    Record block[BLOCK_RECORDS];
} Place;

static uint64_t count_stored(const SegmentHeader *header)
{
    return __atomic_load_n(&header->stored_bytes, __ATOMIC_ACQUIRE) / RECORD_BYTES;
}

/* Reads a stored record. Stored records don't change any more, except for an open call. */
static Record read_stored(Place *place, uint64_t index)
{
    if (index < place->first || index - place->first >= place->count) {
        place->file = place->file < 0 ? open(place->path, O_RDONLY | O_CLOEXEC) : place->file;
        off_t offset = (off_t)(SEGMENT_STORED_OFFSET + index * RECORD_BYTES);
        ssize_t got = pread(place->file, place->block, sizeof place->block, offset);
        place->first = index;
        place->count = got > 0 ? (size_t)got / RECORD_BYTES : 0;
    }
    return place->count ? place->block[index - place->first] : (Record){.kind = RECORD_NONE};
}

static Record read_mapped(const SegmentHeader *header, uint64_t stored, uint64_t index)
{
    const char *half =
        (const char *)header + SEGMENT_HEADER_BYTES + stored / HALF_RECORDS % 2 * (size_t)SEGMENT_HALF_BYTES;
    assert(index >= stored && index - stored < HALF_RECORDS);
    const char *place = half + (index - stored) * RECORD_BYTES;
    Record seen;
    uint8_t kind = __atomic_load_n((const uint8_t *)place, __ATOMIC_ACQUIRE);
    memcpy(&seen, place, sizeof seen);
    seen.kind = kind;
    return seen;
}

/* Returns a record of kind RECORD_NONE if the record doesn't exist yet. */
static Record read_record(Place *place, uint64_t index)
{
    for (;;) {
        uint64_t stored = count_stored(place->header);
        if (index < stored)
            return read_stored(place, index);
        if (index - stored >= HALF_RECORDS)
            return (Record){.kind = RECORD_NONE};
        Record seen = read_mapped(place->header, stored, index);
        if (count_stored(place->header) == stored)
            return seen;
    }
}

/* True for kinds of records that stand between calls. Such a record can't be an event of an open
 * call that is about to be closed. */
static bool begins_anew(uint8_t kind)
{
    switch ((RecordKind)kind) {
    case RECORD_CALL:
    case RECORD_CALL_OPEN:
    case RECORD_CALL_SEND:
    case RECORD_CALL_RECV:
    case RECORD_CALL_COLLECTIVE:
    case RECORD_CALL_ONE_SIDED:
    case RECORD_CPU:
    case RECORD_ASLEEP:
        return true;
    default:
        return false;
    }
}

static void see_poll(Activity *activity, const CallRecord *call, int64_t now_ns)
{
    activity->polled_ns = now_ns;
    activity->poll = call->call;
    activity->poll_leave_ns = call->leave_ns;
}

/* Notes a new open call, or that the known one is still open. */
static void see_open_call(Activity *activity, const CallRecord *call, int64_t now_ns)
{
    if (call_is_poll(call->call)) {
        activity->is_inside = false;
        return;
    }
    if (!activity->is_inside || activity->enter_ns != call->enter_ns || activity->call != call->call)
        activity->progress_ns = now_ns;
    activity->is_inside = true;
    activity->call = call->call;
    activity->enter_ns = call->enter_ns;
}

/* Notes a record. Returns false if the record must be looked at again the next time. */
static bool see_record(Activity *activity, Place *place, const Record *seen, int64_t now_ns)
{
    if (seen->kind == RECORD_CALL_OPEN) {
        Record after = read_record(place, activity->next + 1);
        if (after.kind == RECORD_NONE) {
            see_open_call(activity, &seen->call, now_ns);
            return false;
        }
        activity->progress_ns = now_ns;
        activity->is_inside = false;
        return begins_anew(after.kind); /* a call that the program left without returning stays open */
    }
    if (seen->kind == RECORD_CALL && call_is_poll(seen->call.call))
        see_poll(activity, &seen->call, now_ns);
    else if (seen->kind != RECORD_CPU)
        activity->progress_ns = now_ns;
    if (seen->kind != RECORD_CPU)
        activity->is_inside = false;
    return true;
}

/* Looks again at the last record, which may be a poll that stands for more polls now. */
static void see_last_again(Activity *activity, Place *place, int64_t now_ns)
{
    if (activity->next == 0)
        return;
    Record last = read_record(place, activity->next - 1);
    if (last.kind == RECORD_CALL && call_is_poll(last.call.call) && last.call.leave_ns != activity->poll_leave_ns)
        see_poll(activity, &last.call, now_ns);
}

static void begin(Activity *activity, uint64_t stored, int64_t now_ns)
{
    *activity = (Activity){.begun = true, .next = stored, .progress_ns = now_ns};
}

static void see_new_records(Activity *activity, Place *place, int64_t now_ns)
{
    for (int i = 0; i < LOOK_RECORDS; i++) {
        Record seen = read_record(place, activity->next);
        if (seen.kind == RECORD_NONE) {
            activity->is_inside = false;
            return;
        }
        if (!see_record(activity, place, &seen, now_ns))
            return;
        activity->next++;
    }
}

void activity_look(Activity *activity, const SegmentHeader *header, const char *path, int64_t now_ns)
{
    Place place = {.header = header, .path = path, .file = -1};
    uint64_t stored = count_stored(header);
    if (!activity->begun || stored > activity->next + BEHIND_LIMIT)
        begin(activity, stored, now_ns);
    see_last_again(activity, &place, now_ns);
    see_new_records(activity, &place, now_ns);
    if (place.file >= 0)
        close(place.file);
}

bool activity_waits(const Activity *activity, int64_t now_ns, int64_t quiet_ns, uint16_t *call)
{
    if (now_ns - activity->progress_ns < quiet_ns)
        return false;
    if (activity->is_inside) {
        *call = activity->call;
        return true;
    }
    if (!activity->polled_ns || now_ns - activity->polled_ns >= quiet_ns)
        return false;
    *call = activity->poll;
    return true;
}
