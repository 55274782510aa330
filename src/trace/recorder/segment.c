/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's segment file; see trace/segment.h. Its header and halves are allocated on disk and
 * mapped once. A full half is written to the end of the file. So a full disk is an error code here,
 * not a SIGBUS in the program:
 *
 *     half 0 full: write it, clear half 1, increase stored_bytes; now half 1 is the current one
 *
 * If the process is killed at any instruction, the file has all records exactly once. The file
 * descriptor is closed after each use: some programs close descriptors that they don't know, and
 * reuse their numbers.
 *
 * A program may start a thread for each task. A file for each of thousands of threads would cost
 * far more than their calls. So a thread that ends leaves its segment, still mapped, to a thread
 * that begins later:
 *
 *     segment 1  [thread A ………][thread C …][thread D ………
 *     segment 2       [thread B …………………]
 *
 * The later thread's calls begin after those of the earlier one, so a segment's times never go
 * back. */
#include "trace/recorder/aside.h"
#include "trace/recorder/files.h"
#include "trace/recorder/lock.h"
#include "trace/recorder/process.h"
#include "trace/recorder/recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;
static bool thread_end_made;

/* What a thread leaves to the next one. It lies in the header's page, behind the header. */
typedef struct Legacy {
    SegmentHeader *next; /* of the segments left, the one that was left before this one */
    Record *cursor;
    int64_t leave_ns, cpu_ns;
    uint64_t claimed_events;
} Legacy;
_Static_assert(sizeof(SegmentHeader) + sizeof(Legacy) <= SEGMENT_HEADER_BYTES, "both fit into the header's page");

static Lock left_lock;
static SegmentHeader *last_left; /* NULL: no segment is left */

static Legacy *legacy_of(SegmentHeader *header)
{
    return (Legacy *)(header + 1);
}

static bool has_segment(const Thread *thread)
{
    return thread->header && thread->header != &thread->sink_header;
}

/* Leaves the segment to another thread. False: not now, or the thread ended inside a call, whose
 * record stays open and must be the segment's last one. */
static bool leave_segment(Thread *thread)
{
    const int64_t cpu_ns = thread_cpu_ns(thread);
    if (!recorder_is(RECORDER_ON) || thread->frame || !lock_take(&left_lock))
        return false;
    *legacy_of(thread->header) = (Legacy){.next = last_left,
                                          .cursor = thread->cursor,
                                          .leave_ns = thread->leave_ns,
                                          .cpu_ns = cpu_ns,
                                          .claimed_events = thread->claimed_events};
    last_left = thread->header;
    lock_release(&left_lock);
    return true;
}

/* The thread has ended, and its records are in the file. If another destructor calls MPI later, the
 * recorder treats it as a new thread. */
static void thread_forget(void *argument)
{
    Thread *thread = argument;
    if (has_segment(thread) && !leave_segment(thread))
        munmap(thread->header, SEGMENT_STORED_OFFSET);
    free(thread->handles);
    free(thread->statuses);
    const Thread again = {.frame = thread->frame, .return_address = thread->return_address};
    *thread = again;
}

static void make_thread_end(void)
{
    thread_end_made = pthread_key_create(&thread_end, thread_forget) == 0;
}

/* The current half when this many bytes are stored. */
static Record *half_at(const Thread *thread, uint64_t stored_bytes)
{
    return (Record *)((char *)thread->header + SEGMENT_HEADER_BYTES +
                      stored_bytes / SEGMENT_HALF_BYTES % 2 * SEGMENT_HALF_BYTES);
}

static void fill_half(Thread *thread, Record *half)
{
    thread->cursor = half;
    thread->limit = half + SEGMENT_HALF_BYTES / RECORD_BYTES;
}

/* Goes on in a segment that another thread left before this thread's call began. The CPU time goes
 * on, too. False: no such segment. */
static bool take_over_segment(Thread *thread)
{
    if (!lock_take(&left_lock))
        return false;
    SegmentHeader **place = &last_left;
    while (*place && legacy_of(*place)->leave_ns > thread->anchor.time_ns)
        place = &legacy_of(*place)->next;
    SegmentHeader *header = *place;
    const bool found = header != NULL;
    if (found)
        *place = legacy_of(header)->next;
    lock_release(&left_lock);
    if (!found)
        return false;
    const Legacy *legacy = legacy_of(header);
    thread->header = header;
    thread->number = header->thread;
    fill_half(thread, half_at(thread, header->stored_bytes));
    thread->cursor = legacy->cursor;
    thread->cpu_ns = thread->cpu_shift_ns = legacy->cpu_ns;
    thread->claimed_events += legacy->claimed_events;
    return true;
}

/* Opens the file. Returns a descriptor, or -1. */
static int open_segment(const Thread *thread, int flags)
{
    char suffix[32], path[PATH_BYTES];
    snprintf(suffix, sizeof suffix, "-%u.segment", thread->number);
    process_path(suffix, path);
    return open(path, flags | O_CLOEXEC, 0600);
}

/* Creates the file. Returns 0 or an errno. */
static int make_segment(Thread *thread)
{
    thread->number = process_new_thread();
    const int file = open_segment(thread, O_RDWR | O_CREAT | O_EXCL);
    if (file < 0)
        return errno;
    int error = file_allocate(file, 0, SEGMENT_STORED_OFFSET);
    void *start = NULL;
    if (!error &&
        (start = mmap(NULL, SEGMENT_STORED_OFFSET, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) == MAP_FAILED)
        error = errno;
    close(file);
    if (error)
        return error;
    thread->header = start;
    thread->header->version = SEGMENT_VERSION;
    thread->header->thread = thread->number;
    thread->header->pid = getpid();
    memcpy(thread->header->magic, SEGMENT_MAGIC, sizeof thread->header->magic);
    fill_half(thread, half_at(thread, 0));
    return 0;
}

/* Writes the full half. Returns 0 or an errno. */
static int store_half(const Thread *thread, const Record *half, uint64_t offset)
{
    const int file = open_segment(thread, O_WRONLY);
    if (file < 0)
        return errno;
    const int error = file_write_at(file, offset, half, SEGMENT_HALF_BYTES);
    close(file);
    return error;
}

/* Copies an open CALL before its half is reused. When the call returns, its record in the file is
 * completed. */
static void keep_open_call(Thread *thread, const Record *half, uint64_t offset)
{
    Record *call = thread->call;
    if (call < half || call >= half + SEGMENT_HALF_BYTES / RECORD_BYTES || call->call.kind != RECORD_CALL_OPEN)
        return;
    thread->stored_call = *call;
    thread->stored_call_offset = offset + (uint64_t)(call - half) * RECORD_BYTES;
    thread->call = &thread->stored_call;
}

/* Stores the full half, and switches to the other one. Returns 0 or an errno. */
static int change_halves(Thread *thread)
{
    const int64_t begin_ns = clock_work_ns();
    const uint64_t stored_bytes = thread->header->stored_bytes;
    const uint64_t offset = SEGMENT_STORED_OFFSET + stored_bytes;
    Record *half = half_at(thread, stored_bytes), *other = half_at(thread, stored_bytes + SEGMENT_HALF_BYTES);
    const int error = store_half(thread, half, offset);
    if (error)
        return error;
    memset(other, 0, SEGMENT_HALF_BYTES);
    __atomic_store_n(&thread->header->stored_bytes, stored_bytes + SEGMENT_HALF_BYTES, __ATOMIC_RELEASE);
    keep_open_call(thread, half, offset);
    fill_half(thread, other);
    process_add_storing(clock_work_ns() - begin_ns);
    return 0;
}

/* If the return can't be written, the CALL_OPEN stays in the file, as if the program never left the
 * call. */
void segment_close_stored_call(Thread *thread)
{
    ASIDE;
    const int saved = errno;
    const int file = open_segment(thread, O_WRONLY);
    if (file >= 0) {
        file_write_at(file, thread->stored_call_offset, &thread->stored_call, sizeof thread->stored_call);
        close(file);
    }
    thread->stored_call_offset = 0;
    errno = saved;
}

void segment_touch(const Thread *thread)
{
#ifdef MADV_POPULATE_WRITE
    if (has_segment(thread))
        madvise(thread->header, SEGMENT_STORED_OFFSET, MADV_POPULATE_WRITE);
#else
    (void)thread;
#endif
}

static void record_into_sink(Thread *thread)
{
    thread->cursor = thread->sink;
    thread->limit = thread->sink + SINK_RECORDS;
    if (!thread->header)
        thread->header = &thread->sink_header;
}

void segment_advance(Thread *thread)
{
    ASIDE;
    const int saved = errno;
    thread->poll = NULL;
    thread->anchor.ticks = 0;
    if (!thread->header) {
        pthread_once(&thread_end_once, make_thread_end);
        if (thread_end_made)
            pthread_setspecific(thread_end, thread);
    }
    int error = 0;
    if (!recorder_is(RECORDER_ON))
        error = ECANCELED;
    else if (!has_segment(thread) && !take_over_segment(thread))
        error = make_segment(thread);
    else if (thread->cursor == thread->limit)
        error = change_halves(thread);
    if (error) {
        recorder_stop(RECORDING_FAILED, error);
        record_into_sink(thread);
    }
    errno = saved;
}
