/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces in memory for tests: built event by event, read through an EventSource, and ordered, with
 * the result collected. */
#pragma once

#include "base/vec.h"
#include "model/event.h"
#include "model/logical.h"
#include "signature/order/order.h"

typedef struct MemoryProcess {
    VEC(Event) events;
    size_t n_read;
} MemoryProcess;

typedef struct MemoryTrace {
    EventSource source;
    Trace trace;
    Arena *arena;
    MemoryProcess *processes;
    VEC(Comm) comms;
    int64_t now_ns;       /* time of the next event */
    size_t largest_batch; /* most events that the source delivers at a time; 0: no limit */
    uint64_t random;      /* state of random batch sizes; 0: sizes aren't random */
} MemoryTrace;

MemoryTrace *memory_trace_new(uint32_t n_processes);
void memory_trace_free(MemoryTrace *trace);

/* Adds a communicator. Communicator 0 is the world. */
uint32_t memory_trace_add_comm(MemoryTrace *trace, const uint32_t *members, uint32_t n_members);

/* Appends an event that begins now and takes 10 ns. */
Event *memory_trace_add(MemoryTrace *trace, uint32_t process, Event event);
void add_send(MemoryTrace *trace, uint32_t process, uint32_t peer, uint32_t tag, uint64_t bytes);
void add_recv(MemoryTrace *trace, uint32_t process, uint32_t peer, uint32_t tag, uint64_t bytes);
void add_post(MemoryTrace *trace, uint32_t process, uint64_t request);
void add_completion(MemoryTrace *trace, uint32_t process, uint32_t peer, uint32_t tag, uint64_t bytes,
                    uint64_t request);
void add_cancel(MemoryTrace *trace, uint32_t process, uint64_t request);
void add_collective(MemoryTrace *trace, uint32_t process, uint32_t comm, Collective collective, uint64_t bytes);
void add_begin(MemoryTrace *trace, uint32_t process);
void add_end(MemoryTrace *trace, uint32_t process);

/* Each process has n sequences of events (Trace.n_sequences); its latest event is in one of them. */
void set_sequences(MemoryTrace *trace, uint8_t n);
void in_sequence(MemoryTrace *trace, uint32_t process, unsigned sequence);

/* A source that reads the trace from its start. */
EventSource *memory_trace_source(MemoryTrace *trace);

typedef struct CollectedEvent {
    uint64_t lt, tick; /* tick: number of the row */
    TickKind kind;
    uint32_t reserved; /* avoids padding, because events are compared as bytes */
    LogicalEvent event;
} CollectedEvent;

typedef struct Collector {
    TickSink sink;
    VEC(CollectedEvent) events;
    uint64_t n_ticks;
} Collector;

/* Orders the trace by a method, and collects the result. Fails the test on an error. */
void collect_with(MemoryTrace *trace, const char *method, const OrderOptions *options, bool wants_receives,
                  Collector *collector, OrderReport *report);
void collect_ordered(MemoryTrace *trace, const char *method, bool wants_receives, Collector *collector,
                     OrderReport *report);
/* The same in PAS2P order. */
void collect(MemoryTrace *trace, bool wants_receives, Collector *collector, OrderReport *report);
void collector_free(Collector *collector);

/* A sink's function that collects ticks. */
bool collect_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err);

/* Fails the test unless both have the same events in the same ticks. */
void assert_same_ticks(const Collector *a, const Collector *b);

uint64_t random_next(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t limit);
