/* SPDX-License-Identifier: BSD-3-Clause */
/* The walk of the replay (replay.h). A process is walked until it waits, or needs further events.
 * What a process waits for wakes it.
 *
 * If all processes wait, the process is released whose next event ended first in the trace. In
 * the trace, all that this event waited for came before its end. If another process still had to do
 * that, this process would stand at an earlier event that ended later, which is impossible. So what
 * is missing isn't in the trace: a send, or members of a collective for which the event didn't
 * wait. */
#include "signature/replay/walk.h"

enum { BATCH_EVENTS = 1 << 14, SHORTEST_BATCH = 64, LONGEST_BATCH = 1024 };

static const Event *next_event(const Walker *walker)
{
    return &walker->queue.events[walker->queue.head];
}

static void send(Replay *replay, const Walker *walker, const Event *event)
{
    Stream *stream = stream_at(&replay->streams, queued_stream(event));
    uint32_t ordinal = stream_send(&replay->streams, stream, (SendTime){.path_ns = walker->clock_ns}),
             destination = ends_destination(stream->ends);
    if (stream->is_awaited && ordinal == replay->walkers[destination].awaited) {
        stream->is_awaited = false;
        replay_wake(replay, destination);
    }
}

/* True: the receive passes. False: it waits. */
static bool receive(Replay *replay, Walker *walker, const Event *event)
{
    Stream *stream = stream_at(&replay->streams, queued_stream(event));
    uint32_t ordinal = queued_ordinal(event);
    if (stream_has(stream, ordinal)) {
        replay_wait_until(walker, stream_time(stream, ordinal).path_ns);
        stream_take(stream, ordinal);
        return true;
    }
    stream->is_awaited = !walker->is_released;
    walker->awaited = ordinal;
    replay->result->n_unmatched += walker->is_released;
    return walker->is_released;
}

static void compute(const Replay *replay, Walker *walker, int64_t compute_ns)
{
    const double factor = replay->watch ? replay->watch->factors[walker->queue.process] : 1;
    walker->clock_ns += factor == 1 ? compute_ns : (int64_t)((double)compute_ns * factor + 0.5);
}

static void end(Replay *replay, Walker *walker)
{
    compute(replay, walker, replay->metered[walker->queue.process].before_ns);
    walker->has_ended = true;
    replay->n_ended++;
}

/* Whether the next event is in the queue and, if it is a receive, has its message. */
static bool is_known(const Queue *queue)
{
    return queue->head < queue->tail &&
           (queue->events[queue->head].kind != EVENT_RECV || queue->events[queue->head].collective & QUEUED_MATCHED);
}

static bool pass(Replay *replay, uint32_t number)
{
    Walker *walker = &replay->walkers[number];
    const Event *event = next_event(walker);
    if (!walker->is_ready) {
        compute(replay, walker, event->compute_ns);
        if (replay->watch && event_is_send_like(event))
            replay->watch->sends(replay->watch->self, number, (double)walker->clock_ns);
    }
    walker->is_ready = true;
    if ((event->kind == EVENT_RECV && !receive(replay, walker, event)) ||
        (event->kind == EVENT_COLLECTIVE && !replay_pass_collective(replay, number, event)) ||
        (event->kind == EVENT_REQUEST_DONE && !replay_pass_completion(replay, number, event))) {
        walker->waits = true;
        return false;
    }
    if (event->kind == EVENT_SEND)
        send(replay, walker, event);
    walker->is_ready = walker->is_released = false;
    walker->queue.head++;
    replay->n_queued--;
    return true;
}

/* Walks a process as far as possible. */
static void walk(Replay *replay, uint32_t number)
{
    Walker *walker = &replay->walkers[number];
    const Queue *queue = &walker->queue;
    while (is_known(queue))
        if (!pass(replay, number))
            return;
    if (queue->exhausted && queue->head == queue->tail) {
        end(replay, walker);
        return;
    }
    walker->is_starved = true;
    replay->n_starved++;
}

static void release_earliest(Replay *replay)
{
    uint32_t earliest = NO_WALKER;
    for (uint32_t i = 0; i < replay->n_processes; i++)
        if (replay->walkers[i].waits && (earliest == NO_WALKER || next_event(&replay->walkers[i])->leave_ns <
                                                                      next_event(&replay->walkers[earliest])->leave_ns))
            earliest = i;
    replay->walkers[earliest].is_released = true;
    replay_wake(replay, earliest);
}

static uint32_t take_runnable(Replay *replay)
{
    uint32_t number = replay->run_queue[replay->run_head];
    replay->run_head = replay->run_head + 1 < replay->n_processes ? replay->run_head + 1 : 0;
    replay->n_runnable--;
    return number;
}

static bool must_release(const Replay *replay)
{
    uint32_t n_waiting = replay->n_processes - replay->n_starved - replay->n_ended;
    return n_waiting && !replay->n_starved;
}

static void walk_all(Replay *replay)
{
    do {
        while (replay->n_runnable)
            walk(replay, take_runnable(replay));
        if (must_release(replay))
            release_earliest(replay);
    } while (replay->n_runnable);
}

/* The function EventSource.read of `given`. */
static bool read_given(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    Replay *replay = (Replay *)source;
    (void)err;
    assert(replay->n_given <= capacity);
    for (size_t i = 0; i < replay->n_given; i++) {
        events[i] = replay->given_events[i];
        meter_take(&replay->metered[process], &events[i]);
    }
    *count = replay->n_given;
    return true;
}

/* The process's first events tell when it began. */
static void begin(Replay *replay, uint32_t process)
{
    const Lifetime *lifetime = &replay->metered[process].lifetime;
    Walker *walker = &replay->walkers[process];
    walker->begin_ns = walker->clock_ns = lifetime->has_begun ? lifetime->begin_ns : 0;
}

static void conclude(const Replay *replay)
{
    for (uint32_t i = 0; i < replay->n_processes; i++) {
        const MeteredProcess *metered = &replay->metered[i];
        ReplayProcess *process = &replay->result->processes[i];
        process->whole_ns = lifetime_ns(&metered->lifetime);
        process->ideal_ns = replay->walkers[i].clock_ns - replay->walkers[i].begin_ns;
        process->compute_ns = metered->compute_ns;
        process->idle_ns = replay->walkers[i].idle_ns;
        process->mpi_ns = metered->mpi_ns;
        process->finished = metered->lifetime.finished;
    }
}

bool replay_take(Replay *replay, uint32_t process, const Event *events, size_t count, Err *err)
{
    Walker *walker = &replay->walkers[process];
    Queue *queue = &walker->queue;
    bool is_first = !queue->n_read && !queue->exhausted;
    size_t n_before = queue->tail - queue->head;
    replay->given_events = events;
    replay->n_given = count;
    if (!queue_read(queue, queue->base + queue->head, &replay->given, count ? count : 1, &replay->streams, err))
        return false;
    replay->n_queued += queue->tail - queue->head - n_before;
    if (is_first)
        begin(replay, process);
    if (walker->is_starved) {
        walker->is_starved = false;
        replay->n_starved--;
        replay_wake(replay, process);
    }
    walk_all(replay);
    if (replay->n_ended == replay->n_processes)
        conclude(replay);
    return true;
}

size_t replay_queued(const Replay *replay)
{
    return replay->n_queued;
}

bool replay_awaits(const Replay *replay, uint32_t process)
{
    return replay->walkers[process].is_starved;
}

Replay *replay_new(const Trace *trace, const ReplayWatch *watch, ReplayResult *result)
{
    uint32_t n = trace->application.n_processes;
    Replay *replay = memory_zeroed(1, sizeof *replay);
    *replay = (Replay){.given = {trace, read_given},
                       .trace = trace,
                       .watch = watch,
                       .result = result,
                       .n_processes = n,
                       .n_starved = n};
    streams_init(&replay->streams, n);
    replay->metered = memory_zeroed(n, sizeof *replay->metered);
    replay->walkers = memory_zeroed(n, sizeof(Walker));
    replay->spans = memory_zeroed(n, sizeof(ProcessSpan));
    replay->comms = memory_zeroed(trace->n_comms, sizeof(CommInstances));
    replay->run_queue = memory_resize(NULL, n * sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        replay->walkers[i].is_starved = true;
        replay->walkers[i].last_comm = UINT32_MAX;
        replay->walkers[i].awaited_comm = NO_COMM;
        replay->walkers[i].queue = (Queue){
            .process = i, .span = &replay->spans[i], .keeps_completions = true, .reach_events = post_reach_events(n)};
    }
    return replay;
}

void replay_free(Replay *replay)
{
    for (uint32_t i = 0; i < replay->n_processes; i++)
        queue_free(&replay->walkers[i].queue);
    replay_free_collectives(replay);
    streams_free(&replay->streams);
    free(replay->metered);
    free(replay->walkers);
    free(replay->spans);
    free(replay->run_queue);
    free(replay);
}

bool replay_run(EventSource *source, const ReplayWatch *watch, const Progress *progress, ReplayResult *result, Err *err)
{
    Replay *replay = replay_new(source->trace, watch, result);
    size_t batch = BATCH_EVENTS / replay->n_processes;
    batch = batch < SHORTEST_BATCH ? SHORTEST_BATCH : batch > LONGEST_BATCH ? LONGEST_BATCH : batch;
    Event *events = memory_resize(NULL, batch * sizeof *events);
    bool ok = true;
    uint64_t n_read = 0;
    while (ok && replay->n_ended < replay->n_processes) {
        for (uint32_t i = 0; ok && i < replay->n_processes; i++) {
            size_t count;
            if (!replay_awaits(replay, i))
                continue;
            ok = source->read(source, i, events, batch, &count, err) && replay_take(replay, i, events, count, err);
            n_read += ok ? count : 0;
        }
        progress_report(progress, "replaying events", n_read, 0);
    }
    free(events);
    replay_free(replay);
    return ok;
}
