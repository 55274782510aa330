/* SPDX-License-Identifier: BSD-3-Clause */
/* The walk of the replay (replay.h). Processes take turns of some events each. So none runs far
 * ahead of the others, and few messages are in flight. What a process waits for wakes it.
 *
 * If no process can go on, the process is released whose next event ended first in the trace. In
 * the trace, all that this event waited for came before its end. If another process still had to do
 * that, this process would stand at an earlier event that ended later, which is impossible. So what
 * is missing isn't in the trace: a send, or members of a collective for which the event didn't
 * wait. */
#include "scaling/walk.h"

enum { BATCH_EVENTS = 1 << 14, SHORTEST_BATCH = 64, LONGEST_BATCH = 1024, TURN_EVENTS = 1024 };

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

static bool read_on(Replay *replay, Walker *walker, size_t batch, Err *err)
{
    return queue_read(&walker->queue, walker->queue.base + walker->queue.head, &replay->meter.source, batch,
                      &replay->streams, err);
}

static void end(Replay *replay, Walker *walker)
{
    walker->clock_ns += replay->meter.processes[walker->queue.process].before_ns;
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
    if (!walker->is_ready)
        walker->clock_ns += event->compute_ns;
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
    return true;
}

static bool take_turn(Replay *replay, uint32_t number, size_t batch, Err *err)
{
    Walker *walker = &replay->walkers[number];
    Queue *queue = &walker->queue;
    for (int i = 0; i < TURN_EVENTS; i++) {
        while (!is_known(queue)) {
            if (queue->exhausted && queue->head == queue->tail) {
                end(replay, walker);
                return true;
            }
            if (!read_on(replay, walker, batch, err))
                return false;
        }
        if (!pass(replay, number))
            return true;
    }
    replay_wake(replay, number);
    return true;
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

/* Reads the first events of all processes, which tell when each process began. */
static bool begin(Replay *replay, size_t batch, Err *err)
{
    int64_t first_ns = INT64_MAX;
    for (uint32_t i = 0; i < replay->n_processes; i++) {
        const Lifetime *lifetime = &replay->meter.processes[i].lifetime;
        if (!read_on(replay, &replay->walkers[i], batch, err))
            return false;
        if (lifetime->has_begun && lifetime->begin_ns < first_ns)
            first_ns = lifetime->begin_ns;
    }
    for (uint32_t i = 0; i < replay->n_processes; i++) {
        const Lifetime *lifetime = &replay->meter.processes[i].lifetime;
        replay->walkers[i].clock_ns = lifetime->has_begun ? lifetime->begin_ns - first_ns : 0;
        replay->result->processes[i].ideal_ns = -replay->walkers[i].clock_ns;
        replay_wake(replay, i);
    }
    return true;
}

static bool walk(Replay *replay, const Progress *progress, Err *err)
{
    size_t batch = BATCH_EVENTS / replay->n_processes;
    batch = batch < SHORTEST_BATCH ? SHORTEST_BATCH : batch > LONGEST_BATCH ? LONGEST_BATCH : batch;
    if (!begin(replay, batch, err))
        return false;
    for (uint64_t n_turns = 0; replay->n_ended < replay->n_processes; n_turns++) {
        if (!replay->n_runnable)
            release_earliest(replay);
        else if (!take_turn(replay, take_runnable(replay), batch, err))
            return false;
        if (n_turns % replay->n_processes == 0)
            progress_report(progress, "replaying events", n_turns * TURN_EVENTS, 0);
    }
    return true;
}

static void conclude(const Replay *replay)
{
    for (uint32_t i = 0; i < replay->n_processes; i++) {
        const MeteredProcess *metered = &replay->meter.processes[i];
        ReplayProcess *process = &replay->result->processes[i];
        process->whole_ns = lifetime_ns(&metered->lifetime);
        process->ideal_ns += replay->walkers[i].clock_ns;
        process->compute_ns = metered->compute_ns;
        process->idle_ns = replay->walkers[i].idle_ns;
        process->mpi_ns = metered->mpi_ns;
        process->finished = metered->lifetime.finished;
    }
}

static void init(Replay *replay, EventSource *source, ReplayResult *result)
{
    uint32_t n = source->trace->application.n_processes;
    *replay = (Replay){.trace = source->trace, .result = result, .n_processes = n};
    meter_init(&replay->meter, source);
    streams_init(&replay->streams, n);
    replay->walkers = memory_zeroed(n, sizeof(Walker));
    replay->spans = memory_zeroed(n, sizeof(ProcessSpan));
    replay->comms = memory_zeroed(source->trace->n_comms, sizeof(CommInstances));
    replay->run_queue = memory_resize(NULL, n * sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t reach = POST_REACH_ALL_EVENTS / n;
        replay->walkers[i].last_comm = UINT32_MAX;
        replay->walkers[i].awaited_comm = NO_COMM;
        replay->walkers[i].queue = (Queue){.process = i, .span = &replay->spans[i], .keeps_completions = true};
        replay->walkers[i].queue.reach_events = reach > POST_REACH_EVENTS  ? POST_REACH_EVENTS
                                                : reach < LEAST_POST_REACH ? LEAST_POST_REACH
                                                                           : reach;
    }
}

bool replay_run(EventSource *source, const Progress *progress, ReplayResult *result, Err *err)
{
    Replay replay;
    init(&replay, source, result);
    bool ok = walk(&replay, progress, err);
    if (ok)
        conclude(&replay);
    for (uint32_t i = 0; i < replay.n_processes; i++)
        queue_free(&replay.walkers[i].queue);
    replay_free_collectives(&replay);
    streams_free(&replay.streams);
    meter_free(&replay.meter);
    free(replay.walkers);
    free(replay.spans);
    free(replay.run_queue);
    return ok;
}
