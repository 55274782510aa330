/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory_trace.h. */
#include "memory_trace.h"
#include "test.h"

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((random_next(state) >> 32) * limit >> 32);
}

static bool read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    (void)err;
    MemoryTrace *trace = (MemoryTrace *)source;
    MemoryProcess *own = &trace->processes[process];
    size_t n = own->events.count - own->n_read;
    if (trace->largest_batch && capacity > trace->largest_batch)
        capacity = trace->largest_batch;
    if (trace->random)
        capacity = 1 + random_below(&trace->random, (uint32_t)capacity);
    if (n > capacity)
        n = capacity;
    if (n)
        memcpy(events, own->events.items + own->n_read, n * sizeof(Event));
    own->n_read += n;
    *count = n;
    return true;
}

MemoryTrace *memory_trace_new(uint32_t n_processes)
{
    MemoryTrace *trace = memory_zeroed(1, sizeof *trace);
    trace->arena = arena_new();
    trace->processes = arena_new_array(trace->arena, MemoryProcess, n_processes);
    trace->source.trace = &trace->trace;
    trace->source.read = read_events;
    trace->trace.application =
        (Application){.executable = "app", .build_id = "", .mpi_library = "", .n_processes = n_processes};
    uint32_t *world = arena_new_array(trace->arena, uint32_t, n_processes);
    for (uint32_t i = 0; i < n_processes; i++)
        world[i] = i;
    memory_trace_add_comm(trace, world, n_processes);
    trace->comms.items[0].group = 0;
    return trace;
}

void memory_trace_free(MemoryTrace *trace)
{
    for (uint32_t i = 0; i < trace->trace.application.n_processes; i++)
        vec_free(&trace->processes[i].events);
    vec_free(&trace->comms);
    arena_free(trace->arena);
    free(trace);
}

uint32_t memory_trace_add_comm(MemoryTrace *trace, const uint32_t *members, uint32_t n_members)
{
    uint32_t *copy = arena_new_array(trace->arena, uint32_t, n_members);
    memcpy(copy, members, n_members * sizeof *copy);
    uint32_t number = (uint32_t)trace->comms.count;
    *vec_push(&trace->comms) = (Comm){.name = "comm", .n_members = n_members, .members = copy, .group = number};
    trace->trace.comms = trace->comms.items;
    trace->trace.n_comms = number + 1;
    return number;
}

void set_sequences(MemoryTrace *trace, uint8_t n)
{
    uint8_t *n_sequences = arena_new_array(trace->arena, uint8_t, trace->trace.application.n_processes);
    memset(n_sequences, n, trace->trace.application.n_processes);
    trace->trace.n_sequences = n_sequences;
}

void in_sequence(MemoryTrace *trace, uint32_t process, unsigned sequence)
{
    MemoryProcess *own = &trace->processes[process];
    own->events.items[own->events.count - 1].sequence = sequence & (SEQUENCE_LIMIT - 1);
}

Event *memory_trace_add(MemoryTrace *trace, uint32_t process, Event event)
{
    event.enter_ns = trace->now_ns;
    event.leave_ns = trace->now_ns += 10;
    Event *added = vec_push(&trace->processes[process].events);
    *added = event;
    return added;
}

void add_send(MemoryTrace *trace, uint32_t process, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    memory_trace_add(trace, process,
                     (Event){.kind = EVENT_SEND, .peer = peer, .tag = tag, .bytes = bytes, .request = NO_REQUEST});
}

void add_recv(MemoryTrace *trace, uint32_t process, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    add_completion(trace, process, peer, tag, bytes, NO_REQUEST);
}

void add_post(MemoryTrace *trace, uint32_t process, uint64_t request)
{
    memory_trace_add(trace, process, (Event){.kind = EVENT_RECV_POST, .request = request});
}

void add_completion(MemoryTrace *trace, uint32_t process, uint32_t peer, uint32_t tag, uint64_t bytes, uint64_t request)
{
    memory_trace_add(trace, process,
                     (Event){.kind = EVENT_RECV, .peer = peer, .tag = tag, .bytes = bytes, .request = request});
}

void add_cancel(MemoryTrace *trace, uint32_t process, uint64_t request)
{
    memory_trace_add(trace, process, (Event){.kind = EVENT_RECV_CANCEL, .request = request});
}

void add_collective(MemoryTrace *trace, uint32_t process, uint32_t comm, Collective collective, uint64_t bytes)
{
    memory_trace_add(trace, process,
                     (Event){.kind = EVENT_COLLECTIVE,
                             .collective = (uint8_t)collective,
                             .comm = comm,
                             .peer = NO_ROOT,
                             .bytes = bytes,
                             .request = NO_REQUEST});
}

void add_begin(MemoryTrace *trace, uint32_t process)
{
    memory_trace_add(trace, process, (Event){.kind = EVENT_BEGIN});
}

void add_end(MemoryTrace *trace, uint32_t process)
{
    memory_trace_add(trace, process, (Event){.kind = EVENT_END});
}

EventSource *memory_trace_source(MemoryTrace *trace)
{
    for (uint32_t i = 0; i < trace->trace.application.n_processes; i++)
        trace->processes[i].n_read = 0;
    return &trace->source;
}

bool collect_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)err;
    Collector *collector = (Collector *)sink;
    for (size_t i = 0; i < count; i++)
        *vec_push(&collector->events) = (CollectedEvent){lt, collector->n_ticks, kind, 0, events[i]};
    collector->n_ticks++;
    return true;
}

void collect_with(MemoryTrace *trace, const char *method, const OrderOptions *options, bool wants_receives,
                  Collector *collector, OrderReport *report)
{
    *collector = (Collector){.sink = {wants_receives, collect_tick}};
    Err err = {0};
    if (!order_trace(method, memory_trace_source(trace), &collector->sink, options, NULL, trace->arena, report, &err))
        fail_msg("%s", err.message);
}

void collect_ordered(MemoryTrace *trace, const char *method, bool wants_receives, Collector *collector,
                     OrderReport *report)
{
    collect_with(trace, method, NULL, wants_receives, collector, report);
}

void collect(MemoryTrace *trace, bool wants_receives, Collector *collector, OrderReport *report)
{
    collect_ordered(trace, "pas2p", wants_receives, collector, report);
}

void assert_same_ticks(const Collector *a, const Collector *b)
{
    assert_int_equal(a->events.count, b->events.count);
    for (size_t e = 0; e < a->events.count; e++)
        assert_memory_equal(&a->events.items[e], &b->events.items[e], sizeof(CollectedEvent));
}

void collector_free(Collector *collector)
{
    vec_free(&collector->events);
}
