/* SPDX-License-Identifier: BSD-3-Clause */
/* What every entry point does: the thread's records, the entry and the exit of a call, and the process's state.
 *
 * This library is loaded into somebody else's program. It must not crash, stop or slow it, whatever happens: on any
 * trouble of its own it stops recording, says so in one line, and only passes calls on from then. */
#pragma once

#include "trace/recorder/clock.h"
#include "trace/segment.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define HOT static inline __attribute__((always_inline)) /* in every entry point, not called */
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

typedef enum RecorderState {
    RECORDER_PASSIVE, /* before MPI_Init returned, after MPI_Finalize, in a forked child, not asked for */
    RECORDER_ON,
    RECORDER_STOPPED /* recording has ended, but firma can still stop the program */
} RecorderState;

#define COMM_CACHE_SIZE 4
#define SINK_RECORDS 4

/* One of the recently used communicators of a thread; valid while its generation is the table's. */
typedef struct CommCache {
    uint64_t handle;
    uint64_t generation;
    struct CommEntry *entry;
} CommCache;

/* Everything a thread needs to record, touched by no other. */
typedef struct Thread {
    /* Of the MPI call that the program is in, or 0. The calls that MPI makes to itself come from deeper frames and are
     * passed on. Any other call means that the program left that one by longjmp or by an exception; so does a deeper
     * one that finds another return address there. */
    uintptr_t frame, return_address;
    uint32_t number; /* of its segment */
    Record *cursor, *limit;
    Record *call;          /* the last CALL */
    Record *poll;          /* the last record, if it is a CALL that found nothing */
    uint32_t quick_polls;  /* how many in a row, each shortly after the one before and itself short */
    int64_t poll_enter_ns; /* of a poll in a streak */
    SegmentHeader *header;
    int64_t leave_ns; /* when the last call returned; in a streak of polls: when it was entered */
    ClockAnchor anchor;
    int64_t cpu_ns, cpu_shift_ns; /* the last reading; what is added to one, as a restored thread begins anew */
    uint64_t claimed_events;      /* see stops.c */
    CommCache comms[COMM_CACHE_SIZE];
    /* The open CALL's copy, and where it is in the file, if its half was stored meanwhile; otherwise 0. */
    Record stored_call;
    uint64_t stored_call_offset;
    void *handles, *statuses;
    size_t handles_bytes, statuses_bytes;
    /* Where records go once there is no room for them any more: nowhere. */
    Record sink[SINK_RECORDS];
    SegmentHeader sink_header;
} Thread;

extern __thread Thread this_thread;
extern RecorderState recorder_state;        /* read with recorder_is() */
extern const ControlFile *recorder_control; /* never NULL */

HOT bool recorder_is(RecorderState state)
{
    return __atomic_load_n(&recorder_state, __ATOMIC_ACQUIRE) == state;
}

/* MPI_Init returned: from now on the process is recorded, if firma asked for it and this is the right MPI. */
void recorder_start(Thread *thread, uint16_t call, int64_t enter_ns);

/* MPI_Finalize returned. */
void recorder_finish(int64_t leave_ns);

/* Recording ends for good; the first caller says so on stderr. */
void recorder_stop(RecordingEnd end, int error);

/* Calls that no record describes, and stamps in the ProcessFile. */
void process_count(uint16_t call);
void process_stamp_abort(void);
void process_stamp_finalize_enter(int64_t time_ns);

/* Waits for the end that firma has in store for this process, unless that firma is gone. */
void recorder_park(void);

/* The firma that started or adopted the process ran on this host, and runs no more: nobody will come. */
bool recorder_is_left_alone(void);

/* Room for at least one more record: the segment's other half, or the sink. */
void segment_advance(Thread *thread);

/* Completes an open CALL that is in the file already. */
void segment_close_stored_call(Thread *thread);

/* Brings the mapped part back into the page tables, at once: a restored process would have it page by page, in between
 * its next records. */
void segment_touch(const Thread *thread);

/* The place of the next record. */
HOT Record *record_next(Thread *thread)
{
    if (UNLIKELY(thread->cursor == thread->limit))
        segment_advance(thread);
    return thread->cursor++;
}

/* The first eight bytes of any record, put together in a register: a record that is built byte by byte elsewhere and
 * copied in words costs more than all the rest. */
HOT uint64_t record_head(RecordKind kind, uint8_t second, uint16_t third, uint32_t fourth)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (uint64_t)kind | (uint64_t)second << 8 | (uint64_t)third << 16 | (uint64_t)fourth << 32;
#else
    return (uint64_t)kind << 56 | (uint64_t)second << 48 | (uint64_t)third << 32 | (uint64_t)fourth;
#endif
}

/* Comes last, so that whoever finds a record's kind finds all of it, whenever the process was killed. */
HOT void record_publish(Record *place, uint64_t head)
{
    __atomic_store_n(&place->words[0], head, __ATOMIC_RELEASE);
}

/* The thread's time on a processor, which never goes back. */
static inline int64_t thread_cpu_ns(Thread *thread)
{
    const int64_t now_ns = clock_cpu_ns() + thread->cpu_shift_ns;
    if (UNLIKELY(now_ns < thread->cpu_ns))
        thread->cpu_shift_ns += thread->cpu_ns - now_ns;
    else
        thread->cpu_ns = now_ns;
    return thread->cpu_ns;
}

static inline void record_cpu(Thread *thread, int64_t time_ns)
{
    Record *place = record_next(thread);
    place->cpu.time_ns = time_ns;
    place->cpu.cpu_ns = thread_cpu_ns(thread);
    record_publish(place, record_head(RECORD_CPU, 0, 0, 0));
}

HOT void record_send_event(Thread *thread)
{
    __atomic_store_n(&thread->header->send_events, thread->header->send_events + 1, __ATOMIC_RELAXED);
}

/* Too long to be measured in ticks, and without reading the processor time; or an impossible one. */
HOT bool is_long(int64_t duration_ns)
{
    return (uint64_t)duration_ns > CPU_GAP_NS;
}

/* The entry point's own; stacks grow down. */
HOT uintptr_t call_frame(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}

/* Whether the call that the thread seems to be in has been left otherwise than by returning. */
bool call_was_left(const Thread *thread);

/* Whether a call in this frame is one that MPI makes to itself. */
HOT bool call_is_inner(const Thread *thread, uintptr_t frame)
{
    return UNLIKELY(frame < thread->frame) && !call_was_left(thread);
}

/* Where a frame's return address stands, on the processors where that is known. */
#if defined __x86_64__ || defined __aarch64__
#define RETURN_ADDRESS(frame) ((const volatile uintptr_t *)(frame))[1]
#else
#define RETURN_ADDRESS(frame) ((void)(frame), (uintptr_t)0)
#endif

HOT void call_enter(Thread *thread, uintptr_t frame)
{
    thread->frame = frame;
    thread->return_address = RETURN_ADDRESS(frame);
}

/* Stores an open call's record. */
HOT void call_open(Thread *thread, uint16_t call, int64_t enter_ns)
{
    Record *place = record_next(thread);
    place->call.enter_ns = enter_ns;
    record_publish(place, record_head(RECORD_CALL_OPEN, 0, call, 0));
    thread->call = place;
}

/* Opens a call's record. False: this call is not to be recorded. */
HOT bool call_begin(Thread *thread, uint16_t call)
{
    if (UNLIKELY(recorder_is(RECORDER_PASSIVE)))
        return false;
    if (UNLIKELY(__atomic_load_n(&recorder_control->stop, __ATOMIC_RELAXED)))
        recorder_park();
    if (UNLIKELY(!recorder_is(RECORDER_ON)))
        return false;
    int64_t enter_ns = clock_by_ticks_ns(&thread->anchor);
    if (UNLIKELY(is_long(enter_ns - thread->leave_ns))) {
        enter_ns = clock_reanchor(&thread->anchor, thread->leave_ns);
        record_cpu(thread, enter_ns);
    }
    call_open(thread, call, enter_ns);
    return true;
}

/* The real call returned. */
HOT void call_returned(Thread *thread)
{
    const int64_t enter_ns = thread->call->call.enter_ns;
    thread->leave_ns = clock_by_ticks_ns(&thread->anchor);
    if (UNLIKELY(is_long(thread->leave_ns - enter_ns)))
        thread->leave_ns = clock_reanchor(&thread->anchor, enter_ns);
}

/* Stores what happened in a blocking call with the call itself, which it closes. False: it must stand behind it. */
HOT bool call_put_event(Thread *thread, RecordKind kind, uint8_t collective, uint32_t comm, int32_t peer,
                        uint64_t bytes, uint64_t tag_or_received)
{
    Record *place = thread->call;
    const uint64_t duration_ns = (uint64_t)(thread->leave_ns - place->call.enter_ns);
    if (UNLIKELY(place + 1 != thread->cursor || place->call.kind != RECORD_CALL_OPEN ||
                 (duration_ns | bytes | tag_or_received) > UINT32_MAX))
        return false;
    place->call_event.comm = comm;
    place->call_event.peer = peer;
    place->call_event.bytes = (uint32_t)bytes;
    place->call_event.bytes_received = (uint32_t)tag_or_received;
    record_publish(place, record_head(kind, collective, place->call.call, (uint32_t)duration_ns));
    return true;
}

/* Closes the call, unless its event did. */
HOT void call_end(Thread *thread)
{
    CallRecord *call = &thread->call->call;
    const int64_t enter_ns = call->enter_ns;
    if (call->kind == RECORD_CALL_OPEN) {
        call->leave_ns = thread->leave_ns;
        __atomic_store_n(&call->kind, RECORD_CALL, __ATOMIC_RELEASE);
    }
    if (UNLIKELY(is_long(thread->leave_ns - enter_ns)))
        record_cpu(thread, clock_now_ns());
    if (UNLIKELY(thread->stored_call_offset))
        segment_close_stored_call(thread);
}

/* Closes a poll that found nothing. If the record before is such a poll too (of any kind: programs poll with several in
 * turn), and just ended, they become one. */
void call_found_nothing(Thread *thread);

/* Programs poll millions of times a second, so that reading the time twice is most of what that costs. After some quick
 * polls it is therefore read only at the entry, and nothing is stored but the count:
 *
 *     [poll][poll][poll][poll]  |poll  |poll  |poll   …   |poll finds]
 *      both times, each           the entry                both times
 *
 * It must be read there: what lies between two polls may be computation. If the next one comes later than POLL_GAP_NS
 * after the entry of this one, the streak has ended at this one's entry. A poll that takes longer (the library moves
 * data in it) is thus taken for computation, but once: the polls behind it are measured one by one again. */
#define POLL_GAP_NS 1000 /* polls closer than this become one record */
#define QUICK_POLLS 4

/* Whether the poll that begins now goes on with a streak of them; its entry is thread->poll_enter_ns. */
HOT bool poll_continues(Thread *thread)
{
    if (thread->quick_polls < QUICK_POLLS)
        return false;
    const int64_t enter_ns = clock_by_ticks_ns(&thread->anchor);
    thread->poll_enter_ns = enter_ns;
    if (UNLIKELY(thread->poll + 1 != thread->cursor || (uint64_t)(enter_ns - thread->leave_ns) >= POLL_GAP_NS ||
                 !recorder_is(RECORDER_ON) || __atomic_load_n(&recorder_control->stop, __ATOMIC_RELAXED))) {
        thread->quick_polls = 0;
        return false;
    }
    return true;
}

/* The poll of a streak found nothing. */
void poll_fold(Thread *thread);
