/* SPDX-License-Identifier: BSD-3-Clause */
/* The walk. Each process is walked in program order, until it comes to
 *
 *    - a receive whose send has no time yet,
 *    - a collective that other members haven't joined yet, or
 *    - an event beyond the window.
 *
 * The event that a process waits for wakes it. When no process can run, every tick of the window is
 * complete, and the window moves on. The state at this moment doesn't depend on which process ran
 * when. So the result doesn't, either.
 *
 * A process whose threads communicate at the same time is walked in several sequences, each by itself
 * between two events of sequence 0 (Trace.n_sequences). */
#include "signature/order/engine.h"
#include <assert.h>

/* Long batches make reading cheap. Short ones keep the queues of all processes in the cache. */
enum { BATCH_EVENTS = 1 << 14, SHORTEST_BATCH = 64, LONGEST_BATCH = 1024 };

void order_wake(Order *order, uint32_t number)
{
    assert(order->n_runnable < order->n_sequences && order->sequences[number].state != SEQUENCE_ENDED);
    order->sequences[number].state = SEQUENCE_RUNNABLE;
    uint32_t slot = order->run_head + order->n_runnable++;
    order->run_queue[slot < order->n_sequences ? slot : slot - order->n_sequences] = number;
}

void order_add_candidate(Order *order, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    if (sequence->is_candidate)
        return;
    sequence->is_candidate = true;
    *vec_push(&order->candidates) = number;
}

static void start_waiting(Order *order, uint32_t number, SequenceState state)
{
    assert(state == SEQUENCE_IN_RECEIVE || state == SEQUENCE_IN_COLLECTIVE || state == SEQUENCE_IN_PROCESS);
    order->sequences[number].state = state;
    if (order->stall)
        order_add_candidate(order, number);
}

/* Sequence 0 has passed an event. The others, which wait there, go on behind it. */
static void take_others_along(Order *order, Process *process)
{
    const Sequence *common = &order->sequences[process->first];
    for (uint32_t i = process->first + 1; i < process->first + process->n_sequences; i++) {
        Sequence *sequence = &order->sequences[i];
        if (sequence->state == SEQUENCE_ENDED)
            continue;
        assert(sequence->state == SEQUENCE_IN_PROCESS && sequence->next + 1 == common->next);
        sequence->next = common->next;
        sequence->floor = common->floor;
        sequence->path = common->path;
        order_wake(order, i);
    }
    process->n_waiting = 0;
}

static void pass_event(Order *order, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    Process *process = &order->processes[sequence->process];
    sequence->next++;
    if (process->n_sequences == 1)
        return;
    if (sequence->n_left != UINT64_MAX)
        sequence->n_left--;
    if (sequence->number == 0)
        take_others_along(order, process);
}

static void describe_event(const Order *order, const Sequence *sequence, const Event *event, LogicalEvent *logical)
{
    logical->process = sequence->process;
    logical->type = comm_type_of_event(order->trace, event);
    logical->bytes = event_volume_bytes(event);
    logical->number = order->processes[sequence->process].n_sends;
    logical->enter_ns = event->enter_ns;
    logical->leave_ns = event->leave_ns;
    logical->compute_ns = sequence->compute_ns + event->compute_ns;
    Path path = path_after(sequence->path, event);
    logical->path_ns = path.outside_ns;
    logical->path_lost_s = (float)(1e-9 * (double)(path.outside_ns - path.compute_ns));
}

void order_place_send(Order *order, uint32_t number, const Event *event, uint64_t lt, Path awaited)
{
    Sequence *sequence = &order->sequences[number];
    assert(lt >= sequence->floor); /* times of a sequence ascend */
    describe_event(order, sequence, event, ticks_place(&order->ticks, number, lt));
    order->processes[sequence->process].n_sends++;
    sequence->compute_ns = 0;
    sequence->path = path_after(sequence->path, event);
    ProcessSpan *span = &order->report->processes[sequence->process];
    span->path = path_longest(span->path, sequence->path);
    sequence->path = path_longest(sequence->path, awaited);
    sequence->floor = lt + 1;
    pass_event(order, number);
}

bool order_fits_window(Order *order, uint32_t number, uint64_t lt)
{
    if (lt < ticks_end(&order->ticks))
        return true;
    order->sequences[number].state = SEQUENCE_PAUSED;
    *vec_push(&order->paused) = number;
    return false;
}

/* Wakes the sequences of the stream's destination that wait for this send, or for any. */
static void wake_receivers(Order *order, uint32_t number, const uint32_t *ordinal)
{
    Stream *stream = stream_at(&order->streams, number);
    const Process *process = &order->processes[ends_destination(stream->ends)];
    stream->is_awaited = false;
    for (uint32_t i = process->first; i < process->first + process->n_sequences; i++) {
        const Sequence *sequence = &order->sequences[i];
        if (sequence->state != SEQUENCE_IN_RECEIVE || queued_stream(order_head_event(order, sequence)) != number)
            continue;
        if (!ordinal || *ordinal == sequence->awaited)
            order_wake(order, i);
        else
            stream->is_awaited = true;
    }
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
    uint32_t ordinal = stream_send(&order->streams, stream, time);
    if (stream->is_awaited)
        wake_receivers(order, number, &ordinal);
}

void order_drop_receive(Order *order, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    const Event *event = order_head_event(order, sequence);
    assert(event->kind == EVENT_RECV);
    order_report_problem(order->report, PROBLEM_UNMATCHED_RECV, sequence->process, event);
    if (sequence->floor < order->ticks.from)
        sequence->floor = order->ticks.from; /* earlier ticks have been handed on */
    sequence->path = path_after(sequence->path, event);
    pass_event(order, number);
}

static void place_receive(Order *order, uint32_t number, const Event *event, uint64_t lt)
{
    const Sequence *sequence = &order->sequences[number];
    if (order->ticks.held) {
        LogicalEvent logical;
        describe_event(order, sequence, event, &logical);
        held_place_receive(order->ticks.held, lt, event->tag, &logical);
    } else {
        describe_event(order, sequence, event, ticks_place(&order->ticks, number, lt));
    }
}

/* The receive's send has no time yet. True: the send will never come, and the receive was dropped.
 * False: the sequence waits. */
static bool await_send(Order *order, uint32_t number, Stream *stream, uint32_t ordinal)
{
    if (process_has_ended(&order->processes[ends_source(stream->ends)])) {
        order_drop_receive(order, number);
        return true;
    }
    order->sequences[number].awaited = ordinal;
    stream->is_awaited = true;
    start_waiting(order, number, SEQUENCE_IN_RECEIVE);
    return false;
}

/* True: passed, or dropped. False: the sequence waits, or is paused. */
static bool pass_receive(Order *order, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    const Event *event = order_head_event(order, sequence);
    Stream *stream = stream_at(&order->streams, queued_stream(event));
    uint32_t ordinal = queued_ordinal(event);
    if (!stream_has(stream, ordinal))
        return await_send(order, number, stream, ordinal);
    SendTime sent = stream_time(stream, ordinal);
    ReceiveTime time = order->method->time_receive(sequence->floor, sent.lt);
    if (order->method->receives_ascend && !order_fits_window(order, number, time.lt))
        return false;
    stream_take(stream, ordinal);
    sequence->floor = time.floor_after;
    if (order->wants_receives)
        place_receive(order, number, event, time.lt);
    else
        sequence->compute_ns += event->compute_ns;
    sequence->path = path_longest(path_after(sequence->path, event), send_time_path(sent));
    pass_event(order, number);
    return true;
}

static void forget_receive(void *order, uint64_t lt)
{
    held_forget_receive(((Order *)order)->ticks.held, lt);
}

/* Wakes the sequences that wait for messages from this process: none will come. Forgets the
 * messages that were sent to it. */
static void end_process(Order *order, uint32_t rank)
{
    order->streams.closed_to[rank] = true;
    Streams *streams = &order->streams;
    Stream *stream;
    for (uint32_t i = streams->first_of_source[rank]; i != NO_STREAM; i = stream->next_of_source) {
        stream = stream_at(streams, i);
        if (stream->is_awaited)
            wake_receivers(order, i, NULL);
    }
    for (uint32_t i = streams->first_of_destination[rank]; i != NO_STREAM; i = stream->next_of_destination) {
        stream = stream_at(streams, i);
        order->report->n_unmatched_sends += stream_drain(stream, order->ticks.held ? forget_receive : NULL, order);
        stream_close(streams, stream);
    }
    if (order->stall)
        order_note_end(order, rank);
}

/* True: every sequence but sequence 0 waits for it, or has ended. */
static bool common_may_go(const Order *order, const Process *process)
{
    const Sequence *common = &order->sequences[process->first];
    uint32_t n_others = process->n_sequences - 1, n_ended = process->n_ended - (common->state == SEQUENCE_ENDED);
    return process->n_waiting + n_ended == n_others;
}

/* Wakes sequence 0 if it waited for the last of the others. */
static void note_other(Order *order, const Process *process)
{
    if (order->sequences[process->first].state == SEQUENCE_IN_PROCESS && common_may_go(order, process))
        order_wake(order, process->first);
}

static void end_sequence(Order *order, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    Process *process = &order->processes[sequence->process];
    assert(sequence->state != SEQUENCE_ENDED && order->n_ended < order->n_sequences);
    sequence->state = SEQUENCE_ENDED;
    order->n_ended++;
    process->n_ended++;
    if (process_has_ended(process))
        end_process(order, sequence->process);
    else
        note_other(order, process);
}

/* The serial number of the oldest event that some sequence of the process needs. Sequence 0 needs none
 * before those that others are at. */
static uint64_t oldest_event(const Order *order, const Process *process)
{
    const Sequence *common = &order->sequences[process->first];
    uint64_t oldest = process->n_ended + 1 < process->n_sequences ? UINT64_MAX : common->next;
    for (uint32_t i = process->first + 1; i < process->first + process->n_sequences; i++)
        if (order->sequences[i].state != SEQUENCE_ENDED && order->sequences[i].next < oldest)
            oldest = order->sequences[i].next;
    return oldest > process->queue.base ? oldest : process->queue.base;
}

bool order_read(Order *order, uint32_t rank, Err *err)
{
    Process *process = &order->processes[rank];
    size_t before = queue_bytes(&process->queue);
    bool ok =
        queue_read(&process->queue, oldest_event(order, process), order->source, order->batch, &order->streams, err);
    order->queue_bytes += queue_bytes(&process->queue) - before;
    return ok && order_keep_memory(order, err);
}

/* Brings sequence 0 of a process with several to its next event. Before that, it is as far as the
 * furthest of the others. False: it must wait for these. */
static bool gather_others(Order *order, uint32_t number)
{
    Sequence *common = &order->sequences[number];
    const Process *process = &order->processes[common->process];
    if (!common_may_go(order, process)) {
        start_waiting(order, number, SEQUENCE_IN_PROCESS);
        return false;
    }
    for (uint32_t i = number + 1; i < number + process->n_sequences; i++) {
        const Sequence *other = &order->sequences[i];
        common->floor = other->floor > common->floor ? other->floor : common->floor;
        common->path = path_longest(common->path, other->path);
        common->next = other->next > common->next ? other->next : common->next;
    }
    return true;
}

typedef enum Turn { TURN_TAKE, TURN_SKIP, TURN_WAIT } Turn;

/* What a sequence does with the next event of its process, which has several sequences. */
static Turn find_turn(Order *order, uint32_t number, const Event *event)
{
    const Sequence *sequence = &order->sequences[number];
    if (event->sequence == sequence->number)
        return TURN_TAKE;
    if (event->sequence || !sequence->number)
        return TURN_SKIP;
    Process *process = &order->processes[sequence->process];
    process->n_waiting++;
    start_waiting(order, number, SEQUENCE_IN_PROCESS);
    note_other(order, process);
    return TURN_WAIT;
}

/* Passes a send-like event or a receive. False: the sequence waits, or is paused. */
static bool pass_next(Order *order, uint32_t number, const Event *event)
{
    Sequence *sequence = &order->sequences[number];
    if (event->kind == EVENT_RECV)
        return pass_receive(order, number);
    if (event->kind == EVENT_COLLECTIVE) {
        if (order_pass_collective(order, number))
            return true;
        if (sequence->state == SEQUENCE_RUNNABLE)
            start_waiting(order, number, SEQUENCE_IN_COLLECTIVE);
        return false;
    }
    if (!order_fits_window(order, number, sequence->floor))
        return false;
    uint64_t lt = sequence->floor;
    bool is_message = event->kind == EVENT_SEND;
    uint32_t stream = queued_stream(event);
    order_place_send(order, number, event, lt, (Path){0});
    if (is_message)
        post_send(order, stream, send_time(lt, sequence->path));
    return true;
}

/* Walks a sequence as far as possible. */
static bool run_sequence(Order *order, uint32_t number, Err *err)
{
    Sequence *sequence = &order->sequences[number];
    Process *process = &order->processes[sequence->process];
    Queue *queue = &process->queue;
    bool is_alone = process->n_sequences == 1;
    for (;;) {
        /* Sequence 0 must not read ahead to its event: the others find it for it. */
        if (!is_alone && !sequence->number && !gather_others(order, number))
            return true;
        bool is_last = process->n_ended + 1 == process->n_sequences;
        if (sequence->n_left == 0 || sequence->next - queue->base == queue->tail) {
            if (queue->exhausted || (sequence->n_left == 0 && !is_last)) {
                end_sequence(order, number);
                return true;
            }
            if (!order_read(order, sequence->process, err))
                return false;
            continue;
        }
        const Event *event = &queue->events[sequence->next - queue->base];
        Turn turn = is_alone ? TURN_TAKE : find_turn(order, number, event);
        if (turn == TURN_WAIT)
            return true;
        if (turn == TURN_SKIP) {
            sequence->next++;
        } else if (event->kind == EVENT_RECV && !(event->collective & QUEUED_MATCHED)) {
            if (!order_read(order, sequence->process, err))
                return false;
        } else if (!pass_next(order, number, event)) {
            return true;
        }
    }
}

static bool run_all(Order *order, Err *err)
{
    while (order->n_runnable) {
        uint32_t number = order->run_queue[order->run_head];
        order->run_head = order->run_head + 1 < order->n_sequences ? order->run_head + 1 : 0;
        order->n_runnable--;
        if (!run_sequence(order, number, err))
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
        n_done += order->processes[order->sequences[order->paused.items[i]].process].queue.n_read;
        order_wake(order, order->paused.items[i]);
    }
    order->paused.count = 0;
    progress_report(progress, "ordering events", n_done, 0);
    return true;
}

static bool walk(Order *order, const Progress *progress, Err *err)
{
    for (uint32_t number = 0; number < order->n_sequences; number++)
        order_wake(order, number);
    for (;;) {
        if (!run_all(order, err))
            return false;
        if (order->n_ended == order->n_sequences)
            return ticks_finish(&order->ticks, err);
        if (order->ticks.output.sink->done)
            return true;
        if (!(order->paused.count ? next_window(order, progress, err) : order_resolve_stall(order, err)))
            return false;
    }
}

static uint32_t count_sequences(const Trace *trace)
{
    uint32_t n = trace->application.n_processes, count = n;
    for (uint32_t i = 0; trace->n_sequences && i < n; i++)
        count += trace->n_sequences[i] - 1u;
    return count;
}

static void init_sequences(Order *order)
{
    const Trace *trace = order->trace;
    for (uint32_t rank = 0, number = 0; rank < order->n_processes; rank++) {
        Process *process = &order->processes[rank];
        process->first = number;
        process->n_sequences = trace->n_sequences ? trace->n_sequences[rank] : 1;
        for (uint32_t i = 0; i < process->n_sequences; i++, number++)
            order->sequences[number] =
                (Sequence){.process = rank,
                           .number = (uint8_t)i,
                           .last_comm = UINT32_MAX,
                           .n_left = trace->sequence_events && process->n_sequences > 1 ? trace->sequence_events[number]
                                                                                        : UINT64_MAX};
    }
}

static void order_init(Order *order, const OrderMethod *method, EventSource *source, TickSink *sink,
                       const OrderOptions *options, OrderReport *report)
{
    const Trace *trace = source->trace;
    uint32_t n = trace->application.n_processes;
    *order = (Order){.method = method, .source = source, .trace = trace, .report = report, .n_processes = n};
    order->n_sequences = count_sequences(trace);
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
        order->processes[i].queue.reach_events = post_reach_events(n);
        order->processes[i].queue.span = &report->processes[i];
    }
    order->sequences = memory_lines(order->n_sequences * sizeof(Sequence));
    init_sequences(order);
    streams_init(&order->streams, n);
    ticks_init(&order->ticks, sink, n, order->n_sequences, options ? options->window_ticks : 0, method);
    order->comms = memory_zeroed(trace->n_comms, sizeof(CommState));
    order->run_queue = memory_resize(NULL, order->n_sequences * sizeof(uint32_t));
}

static void order_free(Order *order)
{
    for (uint32_t i = 0; i < order->n_processes; i++)
        queue_free(&order->processes[i].queue);
    free(order->processes);
    free(order->sequences);
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
