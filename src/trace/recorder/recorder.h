/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that all entry points share: the thread's records, entering and leaving a call, and the
 * state of the recorder.
 *
 * This library is loaded into the user's program. It must never crash, stop or slow down the
 * program. If it fails itself, it stops recording, prints one line, and from then on only passes
 * calls on. */
#pragma once

#include "trace/recorder/clock.h"
#include "trace/segment.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define HOT static inline __attribute__((always_inline)) /* inlined into every entry point */
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

typedef enum RecorderState {
    RECORDER_PASSIVE, /* before MPI_Init returned, after MPI_Finalize, in a forked child, or without firma */
    RECORDER_ON,
    RECORDER_STOPPED /* recording has ended, but firma can still make the program stop */
} RecorderState;

#define COMM_CACHE_SIZE 4
#define SINK_RECORDS 4

/* A recently used communicator of a thread. Valid while its generation equals comms_generation. */
typedef struct CommCache {
    uint64_t handle;
    uint64_t generation;
    struct CommEntry *entry;
} CommCache;

/* Each MPI function has two names. */
typedef enum CallName { CALLED_MPI, CALLED_PMPI, CALL_NAMES } CallName;

/* All data that a thread needs to record. No other thread uses it. */
typedef struct Thread {
    /* The frame of the MPI call that the program is in, or 0. Calls that MPI makes to itself come
     * from deeper frames, and are only passed on. A call from another frame means that the program
     * left the old call by longjmp or by an exception. So does a call from a deeper frame if the
     * old frame holds another return address now. */
    uintptr_t frame, return_address;
    CallName called; /* CALLED_PMPI on the way from the entry of PMPI_X */
    uint32_t number; /* of the thread's segment */
    Record *cursor, *limit;
    Record *call; /* record of the last call */
    Record *poll; /* the last record, if it is a poll that found nothing */
    /* Number of quick polls in a row: each one is short, and comes shortly after the one before. */
    uint32_t quick_polls;
    int64_t poll_enter_ns; /* entry of the current poll in a streak */
    SegmentHeader *header;
    int64_t leave_ns; /* return of the last call; in a streak of polls, its entry */
    ClockAnchor anchor;
    /* The last reading of the CPU clock, and what is added to readings, because a restored thread's
     * clock begins anew. */
    int64_t cpu_ns, cpu_shift_ns;
    uint64_t claimed_events; /* see stops.c */
    CommCache comms[COMM_CACHE_SIZE];
    /* If the half with the open CALL has been stored: a copy of the CALL, and its offset in the
     * file. Otherwise the offset is 0. */
    Record stored_call;
    uint64_t stored_call_offset;
    void *handles, *statuses;
    size_t handles_bytes, statuses_bytes;
    /* Records that find no space go here, and are dropped. */
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

/* MPI_Init returned. From now on, the process is recorded if firma asked for it and the MPI is the
 * right one. */
void recorder_start(Thread *thread, uint16_t call, int64_t enter_ns);

/* The time, or 0 if the program forbids reading clocks. */
int64_t recorder_now_ns(void);

/* MPI_Finalize returned. */
void recorder_finish(int64_t leave_ns);

/* Prints a line to stderr: this process of this host WHAT this DIRECTORY, and why. */
void recorder_say(const char *what, const char *directory, int error);

/* Ends recording for good. The first caller prints one line to stderr. */
void recorder_stop(RecordingEnd end, int error);

/* Counts a call that no record describes; stores times in the ProcessFile. */
void process_count(uint16_t call);
void process_stamp_abort(void);
void process_stamp_finalize_enter(int64_t time_ns);

/* Waits for firma to end this process, unless that firma has ended itself. */
void recorder_park(void);

/* True if the firma that started or adopted the process ran on this host, and has ended. Then
 * nobody will end a waiting process. */
bool recorder_is_left_alone(void);

/* Makes room for at least one more record, in the segment's other half, or in the sink. */
void segment_advance(Thread *thread);

/* Completes an open CALL that was already stored in the file. */
void segment_close_stored_call(Thread *thread);

/* Touches all mapped pages of the segment. After a restore, each page would otherwise be faulted in
 * between two records. */
void segment_touch(const Thread *thread);

/* Returns the place of the next record. */
HOT Record *record_next(Thread *thread)
{
    if (UNLIKELY(thread->cursor == thread->limit))
        segment_advance(thread);
    return thread->cursor++;
}

/* The first eight bytes of a record, put together in a register. Building a record byte by byte and
 * then copying it in words costs more than everything else. */
HOT uint64_t record_head(RecordKind kind, uint8_t second, uint16_t third, uint32_t fourth)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (uint64_t)kind | (uint64_t)second << 8 | (uint64_t)third << 16 | (uint64_t)fourth << 32;
#else
    return (uint64_t)kind << 56 | (uint64_t)second << 48 | (uint64_t)third << 32 | (uint64_t)fourth;
#endif
}

/* Publishes a record; called last. A reader that sees the record's kind sees all of the record,
 * even if the process was killed. */
HOT void record_publish(Record *place, uint64_t head)
{
    __atomic_store_n(&place->words[0], head, __ATOMIC_RELEASE);
}

/* The thread's CPU time, which never goes back. */
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

/* True if a duration is too long for ticks and needs the CPU clock, or is negative. */
HOT bool is_long(int64_t duration_ns)
{
    return (uint64_t)duration_ns > CPU_GAP_NS;
}

/* The frame of the entry point that calls this. Stacks grow down. */
HOT uintptr_t call_frame(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}

/* True if the program left the thread's current call without returning from it. */
bool call_was_left(const Thread *thread);

/* Stops recording, because the call in which the thread is isn't the one that returns. */
void recorder_stop_after_return(void);

/* True if another call began or ended since this one began: the program left this one, and came back
 * to it. Recording stops then. */
HOT bool call_came_back(const Thread *thread, uintptr_t frame)
{
    if (!UNLIKELY(thread->frame != frame))
        return false;
    recorder_stop_after_return();
    return true;
}

/* True if MPI itself made the call in this frame. */
HOT bool call_is_inner(const Thread *thread, uintptr_t frame)
{
    return UNLIKELY(frame < thread->frame) && !call_was_left(thread);
}

/* The place of a frame's return address, on processors where it is known. */
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

/* Stores the record of an open call. */
HOT void call_open(Thread *thread, uint16_t call, int64_t enter_ns)
{
    Record *place = record_next(thread);
    place->call.enter_ns = enter_ns;
    record_publish(place, record_head(RECORD_CALL_OPEN, 0, call, 0));
    thread->call = place;
}

/* Opens a call's record. Returns false if the call is not to be recorded. */
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

/* The real call has returned: takes the time. */
HOT void call_returned(Thread *thread)
{
    const int64_t enter_ns = thread->call->call.enter_ns;
    thread->leave_ns = clock_by_ticks_ns(&thread->anchor);
    if (UNLIKELY(is_long(thread->leave_ns - enter_ns)))
        thread->leave_ns = clock_reanchor(&thread->anchor, enter_ns);
}

/* Turns an open CALL into one record of the call and its blocking event. Returns false if the event
 * needs a record of its own. */
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

/* Closes the call, unless call_put_event() did. */
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

/* Closes a poll that found nothing. If the record before is such a poll, too, and has just ended,
 * both become one record. The two may be different calls, because programs poll with several in
 * turn. */
void call_found_nothing(Thread *thread);

/* Programs poll millions of times a second, so reading the clock twice is most of a poll's cost.
 * After QUICK_POLLS quick polls, the recorder reads the clock only at the entry, and only
 * increments a count:
 *
 *     [poll][poll][poll][poll]  |poll  |poll  |poll   …   |poll finds]
 *      both times, each           the entry                both times
 *
 * The entry must be read, because the time between two polls may be computation. If the next poll
 * comes more than POLL_GAP_NS after this poll's entry, the streak has ended at this poll's entry. A
 * longer poll, in which the library moves data, is then taken for computation. But this happens
 * only once: later polls are measured one by one again. */
#define POLL_GAP_NS 1000 /* polls closer than this become one record */
#define QUICK_POLLS 4

/* True if the poll that begins now continues a streak. Sets thread->poll_enter_ns to its entry. */
HOT bool poll_continues(Thread *thread)
{
    if (thread->quick_polls < QUICK_POLLS || UNLIKELY(!recorder_is(RECORDER_ON)))
        return false;
    const int64_t enter_ns = clock_by_ticks_ns(&thread->anchor);
    thread->poll_enter_ns = enter_ns;
    if (UNLIKELY(thread->poll + 1 != thread->cursor || (uint64_t)(enter_ns - thread->leave_ns) >= POLL_GAP_NS ||
                 __atomic_load_n(&recorder_control->stop, __ATOMIC_RELAXED))) {
        thread->quick_polls = 0;
        return false;
    }
    return true;
}

/* Counts a poll of a streak that found nothing. */
void poll_fold(Thread *thread);
