/* SPDX-License-Identifier: BSD-3-Clause */
/* See read_ahead.h. Each process has two batches. The caller takes events from the first one, while the thread fills
 * the other. The thread reads the process that the caller waits for; if there is none, those that have waited longest
 * for a batch to be filled. */
#include "trace/read_ahead.h"

#include "base/arena.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 2, SHORTEST_BATCH = 64, LONGEST_BATCH = 1024, ALL_EVENTS = 1 << 18 };

#define NO_PROCESS UINT32_MAX

typedef struct Batch {
    Event *events;
    size_t count; /* 0: the process has no more events, or `err` */
    Err *err;
} Batch;

typedef struct Ahead {
    Batch batches[DEPTH];
    uint32_t first, n_ready; /* under the lock; the caller alone takes from the first batch */
    uint32_t next;           /* which the thread fills next */
    size_t n_taken;          /* events of the first batch that the caller took */
    bool is_queued, has_ended;
} Ahead;

struct ReadAhead {
    EventSource source; /* the first member, so that pointers to both convert */
    EventSource *from;
    uint32_t n_processes;
    size_t batch;
    Ahead *processes; /* [n_processes] */
    bool has_thread, stops;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t is_ready, has_work;
    uint32_t *queue; /* ring of n_processes: those with room for a batch */
    uint32_t head, n_queued;
    uint32_t awaited; /* the process that the caller waits for, or NO_PROCESS */
};

/* ---- the thread ---- */

static bool has_room(const Ahead *process)
{
    return process->n_ready < DEPTH && !process->has_ended;
}

static void enqueue(ReadAhead *ahead, uint32_t number)
{
    Ahead *process = &ahead->processes[number];
    if (process->is_queued || !has_room(process))
        return;
    process->is_queued = true;
    ahead->queue[(ahead->head + ahead->n_queued++) % ahead->n_processes] = number;
    pthread_cond_signal(&ahead->has_work);
}

static uint32_t dequeue(ReadAhead *ahead)
{
    uint32_t number = ahead->queue[ahead->head];
    ahead->head = (ahead->head + 1) % ahead->n_processes;
    ahead->n_queued--;
    ahead->processes[number].is_queued = false;
    return number;
}

/* The process to be read next; NO_PROCESS: the thread must end. */
static uint32_t choose(ReadAhead *ahead)
{
    while (!ahead->stops) {
        if (ahead->awaited != NO_PROCESS && has_room(&ahead->processes[ahead->awaited]))
            return ahead->awaited;
        if (!ahead->n_queued) {
            pthread_cond_wait(&ahead->has_work, &ahead->lock);
            continue;
        }
        uint32_t number = dequeue(ahead);
        if (has_room(&ahead->processes[number]))
            return number;
    }
    return NO_PROCESS;
}

static void fill(ReadAhead *ahead, uint32_t number, Batch *batch)
{
    Err err;
    if (!batch->events)
        batch->events = memory_resize(NULL, ahead->batch * sizeof(Event));
    batch->count = 0;
    if (ahead->from->read(ahead->from, number, batch->events, ahead->batch, &batch->count, &err))
        return;
    batch->count = 0;
    batch->err = memory_resize(NULL, sizeof err);
    *batch->err = err;
}

static void *run_thread(void *self)
{
    ReadAhead *ahead = self;
    uint32_t number;
    pthread_mutex_lock(&ahead->lock);
    while ((number = choose(ahead)) != NO_PROCESS) {
        Ahead *process = &ahead->processes[number];
        Batch *batch = &process->batches[process->next];
        pthread_mutex_unlock(&ahead->lock);
        fill(ahead, number, batch);
        pthread_mutex_lock(&ahead->lock);
        process->next = (process->next + 1) % DEPTH;
        process->n_ready++;
        process->has_ended = !batch->count;
        if (ahead->awaited == number)
            pthread_cond_signal(&ahead->is_ready);
        enqueue(ahead, number);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

/* ---- the caller ---- */

static void await(ReadAhead *ahead, uint32_t number)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->awaited = number;
    pthread_cond_signal(&ahead->has_work);
    while (!ahead->processes[number].n_ready)
        pthread_cond_wait(&ahead->is_ready, &ahead->lock);
    ahead->awaited = NO_PROCESS;
    pthread_mutex_unlock(&ahead->lock);
}

static void release_first(ReadAhead *ahead, uint32_t number)
{
    Ahead *process = &ahead->processes[number];
    pthread_mutex_lock(&ahead->lock);
    process->first = (process->first + 1) % DEPTH;
    process->n_ready--;
    enqueue(ahead, number);
    pthread_mutex_unlock(&ahead->lock);
    process->n_taken = 0;
}

static bool is_ready(ReadAhead *ahead, uint32_t number)
{
    pthread_mutex_lock(&ahead->lock);
    bool ready = ahead->processes[number].n_ready;
    pthread_mutex_unlock(&ahead->lock);
    return ready;
}

/* The function EventSource.read. The last batch, without events, stays. */
static bool read_events(EventSource *source, uint32_t number, Event *events, size_t capacity, size_t *count, Err *err)
{
    ReadAhead *ahead = (ReadAhead *)source;
    if (!ahead->has_thread)
        return ahead->from->read(ahead->from, number, events, capacity, count, err);
    Ahead *process = &ahead->processes[number];
    if (!is_ready(ahead, number))
        await(ahead, number);
    const Batch *batch = &process->batches[process->first];
    size_t n_left = batch->count - process->n_taken, n = n_left < capacity ? n_left : capacity;
    if (batch->err) {
        *err = *batch->err;
        return false;
    }
    if (n)
        memcpy(events, batch->events + process->n_taken, n * sizeof *events);
    *count = n;
    process->n_taken += n;
    if (n && n == n_left)
        release_first(ahead, number);
    return true;
}

static bool has_second_processor(void)
{
    cpu_set_t mine;
    return sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 1;
}

static void start_thread(ReadAhead *ahead)
{
    for (uint32_t i = 0; i < ahead->n_processes; i++)
        enqueue(ahead, i);
    ahead->has_thread = pthread_create(&ahead->thread, NULL, run_thread, ahead) == 0;
}

ReadAhead *read_ahead_new(EventSource *from)
{
    uint32_t n = from->trace->application.n_processes;
    size_t batch = n ? ALL_EVENTS / n : 0;
    ReadAhead *ahead = memory_zeroed(1, sizeof *ahead);
    *ahead = (ReadAhead){.source = {from->trace, read_events},
                         .from = from,
                         .n_processes = n,
                         .batch = batch < SHORTEST_BATCH  ? SHORTEST_BATCH
                                  : batch > LONGEST_BATCH ? LONGEST_BATCH
                                                          : batch,
                         .processes = memory_zeroed(n, sizeof *ahead->processes),
                         .queue = memory_zeroed(n, sizeof *ahead->queue),
                         .awaited = NO_PROCESS};
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->is_ready, NULL);
    pthread_cond_init(&ahead->has_work, NULL);
    if (n && has_second_processor())
        start_thread(ahead);
    return ahead;
}

EventSource *read_ahead_source(ReadAhead *ahead)
{
    return &ahead->source;
}

static void end_thread(ReadAhead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->stops = true;
    pthread_cond_signal(&ahead->has_work);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
}

void read_ahead_free(ReadAhead *ahead)
{
    if (!ahead)
        return;
    if (ahead->has_thread)
        end_thread(ahead);
    for (uint32_t i = 0; i < ahead->n_processes; i++)
        for (int k = 0; k < DEPTH; k++) {
            free(ahead->processes[i].batches[k].events);
            free(ahead->processes[i].batches[k].err);
        }
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->is_ready);
    pthread_cond_destroy(&ahead->has_work);
    free(ahead->processes);
    free(ahead->queue);
    free(ahead);
}
