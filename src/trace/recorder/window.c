/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's segment file, seen through a window that moves on as it fills:
 *
 *     | header | window 64 KiB | 128 KiB | … | 4 MiB | 4 MiB |
 *
 * Each stretch is allocated on disk before it is mapped, so that a full disk is an error code here and not a SIGBUS in
 * the program. No file descriptor is kept: programs close descriptors that they don't know, and reuse their numbers. */
#include "trace/recorder/files.h"
#include "trace/recorder/process.h"
#include "trace/recorder/recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define WINDOW_FIRST_BYTES (64 << 10)
#define WINDOW_LIMIT_BYTES (4 << 20)

static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;
static bool thread_end_made;

static void window_unmap(Window *window)
{
    if (window->start)
        munmap(window->start, window->size_bytes);
    *window = (Window){0};
}

void window_release_held(Thread *thread)
{
    window_unmap(&thread->held);
}

/* The thread has ended: its records are in the file. Should it call MPI again, from another destructor, it is a new
 * one. */
static void thread_forget(void *argument)
{
    Thread *thread = argument;
    window_unmap(&thread->window);
    window_unmap(&thread->held);
    if (thread->header && thread->header != &thread->sink_header)
        munmap(thread->header, SEGMENT_HEADER_BYTES);
    free(thread->handles);
    free(thread->statuses);
    const uint32_t depth = thread->depth;
    *thread = (Thread){.depth = depth};
}

static void make_thread_end(void)
{
    thread_end_made = pthread_key_create(&thread_end, thread_forget) == 0;
}

static void segment_path(const Thread *thread, char path[PATH_BYTES])
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "-%u.segment", thread->number);
    process_path(suffix, path);
}

/* Maps `size_bytes` of the file, allocated first. 0 or an errno. */
static int map_stretch(int file, uint64_t offset, size_t size_bytes, void **start)
{
    const int error = file_allocate(file, offset, size_bytes);
    if (error)
        return error;
    void *mapped = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
    if (mapped == MAP_FAILED)
        return errno;
    /* All faults at once cost half of what they cost one by one; an older kernel takes them one by one. */
    madvise(mapped, size_bytes, MADV_POPULATE_WRITE);
    *start = mapped;
    return 0;
}

/* The segment's header; the file is `file`. 0 or an errno. */
static int make_header(Thread *thread, int file)
{
    void *start = NULL;
    const int error = map_stretch(file, 0, SEGMENT_HEADER_BYTES, &start);
    if (error)
        return error;
    thread->header = start;
    thread->header->version = SEGMENT_VERSION;
    thread->header->thread = thread->number;
    thread->header->pid = getpid();
    memcpy(thread->header->magic, SEGMENT_MAGIC, sizeof thread->header->magic);
    thread->file_bytes = SEGMENT_HEADER_BYTES;
    return 0;
}

static size_t next_size_bytes(const Thread *thread)
{
    const size_t doubled = thread->window.size_bytes * 2;
    if (!doubled)
        return WINDOW_FIRST_BYTES;
    return doubled < WINDOW_LIMIT_BYTES ? doubled : WINDOW_LIMIT_BYTES;
}

/* Puts the next stretch of the file in the window's place. 0 or an errno. */
static int map_next(Thread *thread)
{
    char path[PATH_BYTES];
    if (!thread->has_segment)
        thread->number = process_new_thread();
    segment_path(thread, path);
    const int file = open(path, O_RDWR | O_CLOEXEC | (thread->has_segment ? 0 : O_CREAT | O_EXCL), 0666);
    if (file < 0)
        return errno;
    int error = thread->has_segment ? 0 : make_header(thread, file);
    thread->has_segment = true;
    const size_t size_bytes = next_size_bytes(thread);
    void *start = NULL;
    if (!error)
        error = map_stretch(file, thread->file_bytes, size_bytes, &start);
    close(file);
    if (error)
        return error;
    if (thread->call && !thread->held.start)
        thread->held = thread->window;
    else
        window_unmap(&thread->window);
    thread->window = (Window){start, size_bytes};
    thread->file_bytes += size_bytes;
    thread->cursor = start;
    thread->limit = thread->cursor + size_bytes / RECORD_BYTES;
    return 0;
}

static void record_into_sink(Thread *thread)
{
    thread->cursor = thread->sink;
    thread->limit = thread->sink + SINK_RECORDS;
    if (!thread->header)
        thread->header = &thread->sink_header;
}

void window_advance(Thread *thread)
{
    const int saved = errno;
    thread->poll = NULL;
    if (!thread->has_segment) {
        pthread_once(&thread_end_once, make_thread_end);
        if (thread_end_made)
            pthread_setspecific(thread_end, thread);
    }
    const int error = recorder_is(RECORDER_ON) ? map_next(thread) : ECANCELED;
    if (error) {
        recorder_stop(error == ENOMEM ? RECORDING_NO_MEMORY : RECORDING_NO_SPACE, error);
        record_into_sink(thread);
    }
    errno = saved;
}
