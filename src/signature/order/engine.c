/* SPDX-License-Identifier: BSD-3-Clause */
/* The walk. Each process is walked in program order, until it comes to
 *
 *    - a receive whose send has no time yet,
 *    - a collective that other members haven't joined yet, or
 *    - an event beyond the window.
 *
 * The event that a process waits for wakes it. When no process can run, every tick of the window is
 * complete, and the window moves on. The state at this moment doesn't depend on which process ran
 * when. So the result doesn't, either. */
#include "signature/order/engine.h"
#include <assert.h>

/* Long batches make reading cheap. Short ones keep the queues of all processes in the cache. */
enum { BATCH_EVENTS = 1 << 14, SHORTEST_BATCH = 64, LONGEST_BATCH = 1024 };

void order_wake(Order *order, uint32_t process)
{
    assert(order->n_runnable < order->n_processes && order->processes[process].state != PROCESS_ENDED);
    order->processes[process].state = PROCESS_RUNNABLE;
    uint32_t slot = order->run_head + order->n_runnable++;
    order->run_queue[slot < order->n_processes ? slot : slot - order->n_processes] = process;
}

void order_add_candidate(Order *order, uint32_t number)
{
    Process *process = &order->processes[number];
    if (process->is_candidate)
        return;
    process->is_candidate = true;
    *vec_push(&order->candidates) = number;
}

static void start_waiting(Order *order, uint32_t number, ProcessState state)
{
    assert(state == PROCESS_IN_RECEIVE || state == PROCESS_IN_COLLECTIVE);
    order->processes[number].state = state;
    if (order->stall)
        order_add_candidate(order, number);
}

static void describe_event(const Order *order, const Process *process, const Event *event, LogicalEvent *logical)
{
    logical->process = process->queue.process;
    logical->type = comm_type_of_event(order->trace, event);
    logical->bytes = event_volume_bytes(event);
    logical->number = process->n_sends;
    logical->enter_ns = event->enter_ns;
    logical->leave_ns = event->leave_ns;
    logical->compute_ns = process->compute_ns + event->compute_ns;
    Path path = path_after(process->path, event);
    logical->path_ns = path.outside_ns;
    logical->path_lost_s = (float)(1e-9 * (double)(path.outside_ns - path.compute_ns));
}

void order_place_send(Order *order, Process *process, const Event *event, uint64_t lt)
{
    assert(lt >= process->floor); /* times of a process ascend */
    describe_event(order, process, event, ticks_place(&order->ticks, process->queue.process, lt));
    process->n_sends++;
    process->compute_ns = 0;
    process->path = path_after(process->path, event);
    process->queue.span->path = process->path;
    process->floor = lt + 1;
    process->queue.head++;
}

bool order_fits_window(Order *order, uint32_t number, uint64_t lt)
{
    if (lt < ticks_end(&order->ticks))
        return true;
    order->processes[number].state = PROCESS_PAUSED;
    *vec_push(&order->paused) = number;
    return false;
}

static void post_send(Order *order, uint32_t number, SendTime time)
{
    Stream *stream = stream_at(&order->streams, number);
    if (stream->closed) {
        order->report->n_unmatched_sends++;
        return;
    }
    if (order->ticks.held)
        held_expect_receive(order->ticks.held, time.lt);
    uint32_t ordinal = stream_send(&order->streams, stream, time), destination = ends_destination(stream->ends);
    if (stream->is_awaited && ordinal == order->processes[destination].awaited) {
        stream->is_awaited = false;
        order_wake(order, destination);
    }
}

void order_drop_receive(Order *order, uint32_t number)
{
    Process *process = &order->processes[number];
    const Event *event = order_head_event(process);
    assert(event->kind == EVENT_RECV);
    stream_at(&order->streams, queued_stream(event))->is_awaited = false;
    order_report_problem(order->report, PROBLEM_UNMATCHED_RECV, number, event);
    if (process->floor < order->ticks.from)
        process->floor = order->ticks.from; /* earlier ticks have been handed on */
    process->path = path_after(process->path, event);
    process->queue.head++;
}

static void place_receive(Order *order, Process *process, const Event *event, uint64_t lt)
{
    if (order->ticks.held) {
        LogicalEvent logical;
        describe_event(order, process, event, &logical);
        held_place_receive(order->ticks.held, lt, event->tag, &logical);
    } else {
        describe_event(order, process, event, ticks_place(&order->ticks, process->queue.process, lt));
    }
}

/* The receive's send has no time yet. True: the send will never come, and the receive was dropped.
 * False: the process waits. */
static bool await_send(Order *order, uint32_t number, Stream *stream, uint32_t ordinal)
{
    if (order->processes[ends_source(stream->ends)].state == PROCESS_ENDED) {
        order_drop_receive(order, number);
        return true;
    }
    assert(!stream->is_awaited); /* a stream has one destination */
    order->processes[number].awaited = ordinal;
    stream->is_awaited = true;
    start_waiting(order, number, PROCESS_IN_RECEIVE);
    return false;
}

/* True: passed, or dropped. False: the process waits, or is paused. */
static bool pass_receive(Order *order, uint32_t number)
{
    Process *process = &order->processes[number];
    const Event *event = order_head_event(process);
    Stream *stream = stream_at(&order->streams, queued_stream(event));
    uint32_t ordinal = queued_ordinal(event);
    if (!stream_has(stream, ordinal))
        return await_send(order, number, stream, ordinal);
    SendTime sent = stream_time(stream, ordinal);
    ReceiveTime time = order->method->time_receive(process->floor, sent.lt);
    if (order->method->receives_ascend && !order_fits_window(order, number, time.lt))
        return false;
    stream_take(stream, ordinal);
    process->floor = time.floor_after;
    if (order->wants_receives)
        place_receive(order, process, event, time.lt);
    else
        process->compute_ns += event->compute_ns;
    process->path = path_longest(path_after(process->path, event), send_time_path(sent));
    process->queue.head++;
    return true;
}

static void forget_receive(void *order, uint64_t lt)
{
    held_forget_receive(((Order *)order)->ticks.held, lt);
}

/* Wakes the processes that wait for messages from this one: none will come. Forgets the messages
 * that were sent to it. */
static void end_process(Order *order, uint32_t number)
{
    assert(order->processes[number].state != PROCESS_ENDED && order->n_ended < order->n_processes);
    order->processes[number].state = PROCESS_ENDED;
    order->n_ended++;
    order->streams.closed_to[number] = true;
    Streams *streams = &order->streams;
    Stream *stream;
    for (uint32_t i = streams->first_of_source[number]; i != NO_STREAM; i = stream->next_of_source) {
        stream = stream_at(streams, i);
        if (!stream->is_awaited)
            continue;
        stream->is_awaited = false;
        order_wake(order, ends_destination(stream->ends));
    }
    for (uint32_t i = streams->first_of_destination[number]; i != NO_STREAM; i = stream->next_of_destination) {
        stream = stream_at(streams, i);
        order->report->n_unmatched_sends += stream_drain(stream, order->ticks.held ? forget_receive : NULL, order);
        stream_close(streams, stream);
    }
    if (order->stall)
        order_note_end(order, number);
}

bool order_read(Order *order, uint32_t number, Err *err)
{
    Queue *queue = &order->processes[number].queue;
    size_t before = queue_bytes(queue);
    bool ok = queue_read(queue, order->source, order->batch, &order->streams, err);
    order->queue_bytes += queue_bytes(queue) - before;
    return ok && order_keep_memory(order, err);
}

/* Walks a process as far as possible. */
static bool run_process(Order *order, uint32_t number, Err *err)
{
    Process *process = &order->processes[number];
    Queue *queue = &process->queue;
    for (;;) {
        if (queue->head == queue->tail) {
            if (queue->exhausted) {
                end_process(order, number);
                return true;
            }
            if (!order_read(order, number, err))
                return false;
            continue;
        }
        const Event *event = &queue->events[queue->head];
        if (event->kind == EVENT_RECV) {
            if (!(event->collective & QUEUED_MATCHED)) {
                if (!order_read(order, number, err))
                    return false;
            } else if (!pass_receive(order, number)) {
                return true;
            }
        } else if (event->kind == EVENT_COLLECTIVE) {
            if (!order_pass_collective(order, number)) {
                if (process->state == PROCESS_RUNNABLE)
                    start_waiting(order, number, PROCESS_IN_COLLECTIVE);
                return true;
            }
        } else {
            if (!order_fits_window(order, number, process->floor))
                return true;
            uint64_t lt = process->floor;
            bool is_message = event->kind == EVENT_SEND;
            uint32_t stream = queued_stream(event);
            order_place_send(order, process, event, lt);
            if (is_message)
                post_send(order, stream, send_time(lt, process->path));
        }
    }
}

static bool run_all(Order *order, Err *err)
{
    while (order->n_runnable) {
        uint32_t number = order->run_queue[order->run_head];
        order->run_head = order->run_head + 1 < order->n_processes ? order->run_head + 1 : 0;
        order->n_runnable--;
        if (!run_process(order, number, err))
            return false;
    }
    return true;
}

static bool next_window(Order *order, const Progress *progress, Err *err)
{
    if (!ticks_next_window(&order->ticks, err))
        return false;
    uint64_t n_done = 0;
    for (size_t i = 0; i < order->paused.count; i++) {
        n_done += order->processes[order->paused.items[i]].queue.n_read;
        order_wake(order, order->paused.items[i]);
    }
    order->paused.count = 0;
    progress_report(progress, "ordering events", n_done, 0);
    return true;
}

static bool walk(Order *order, const Progress *progress, Err *err)
{
    for (uint32_t process = 0; process < order->n_processes; process++)
        order_wake(order, process);
    for (;;) {
        if (!run_all(order, err))
            return false;
        if (order->n_ended == order->n_processes)
            return ticks_finish(&order->ticks, err);
        if (order->ticks.output.sink->done)
            return true;
        if (!(order->paused.count ? next_window(order, progress, err) : order_resolve_stall(order, err)))
            return false;
    }
}

/* Limits how far a process reads ahead, so that the queues of all processes together stay small. */
static uint64_t reach_events(uint32_t n_processes)
{
    uint64_t reach = POST_REACH_ALL_EVENTS / n_processes;
    return reach > POST_REACH_EVENTS ? POST_REACH_EVENTS : reach < LEAST_POST_REACH ? LEAST_POST_REACH : reach;
}

static void order_init(Order *order, const OrderMethod *method, EventSource *source, TickSink *sink,
                       const OrderOptions *options, OrderReport *report)
{
    const Trace *trace = source->trace;
    uint32_t n = trace->application.n_processes;
    *order = (Order){.method = method, .source = source, .trace = trace, .report = report, .n_processes = n};
    order->wants_receives = sink->wants_receives;
    order->memory_limit_bytes = options ? options->memory_bytes : 0;
    order->batch = BATCH_EVENTS / n;
    if (order->batch < SHORTEST_BATCH)
        order->batch = SHORTEST_BATCH;
    if (order->batch > LONGEST_BATCH)
        order->batch = LONGEST_BATCH;
    order->processes = memory_lines(n * sizeof(Process));
    memset(order->processes, 0, n * sizeof(Process));
    for (uint32_t i = 0; i < n; i++) {
        order->processes[i].queue.process = i;
        order->processes[i].queue.reach_events = reach_events(n);
        order->processes[i].queue.span = &report->processes[i];
        order->processes[i].last_comm = UINT32_MAX;
    }
    streams_init(&order->streams, n);
    ticks_init(&order->ticks, sink, n, options ? options->window_ticks : 0, method);
    order->comms = memory_zeroed(trace->n_comms, sizeof(CommState));
    order->run_queue = memory_resize(NULL, n * sizeof(uint32_t));
}

static void order_free(Order *order)
{
    for (uint32_t i = 0; i < order->n_processes; i++)
        queue_free(&order->processes[i].queue);
    free(order->processes);
    streams_free(&order->streams);
    ticks_free(&order->ticks);
    for (uint32_t i = 0; i < order->trace->n_comms; i++) {
        vec_free(&order->comms[i].instances);
        free(order->comms[i].sorted);
    }
    free(order->comms);
    map_free(&order->memberships);
    vec_free(&order->next_instance);
    free(order->run_queue);
    vec_free(&order->paused);
    vec_free(&order->candidates);
    order_stall_free(order->stall);
}

static void count_events(const Order *order)
{
    OrderReport *report = order->report;
    for (uint32_t i = 0; i < order->n_processes; i++) {
        report->n_events += report->processes[i].n_send_events + report->processes[i].n_recvs;
        report->n_skipped_posts += order->processes[i].queue.n_skipped_posts;
    }
    report->n_ticks = order->ticks.output.n_ticks;
}

bool order_trace(const char *name, EventSource *source, TickSink *sink, const OrderOptions *options,
                 const Progress *progress, Arena *arena, OrderReport *report, Err *err)
{
    uint32_t n_processes = source->trace->application.n_processes;
    const OrderMethod *method = order_method(name);
    if (!method)
        return order_method_missing(name, arena, err);
    if (!n_processes)
        return err_set(err, ERR_INPUT, "the trace has no processes");
    OrderReport result = {.processes = arena_new_array(arena, ProcessSpan, n_processes)};
    Order order;
    order_init(&order, method, source, sink, options, &result);
    bool ok = order_keep_memory(&order, err) && walk(&order, progress, err);
    count_events(&order);
    order_free(&order);
    if (ok)
        *report = result;
    return ok;
}
