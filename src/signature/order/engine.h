/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine that all orders share: each process is walked in program order as far as it goes. Its state, for the walk
 * (engine.c), collectives (collectives.c) and what happens when nothing can go on (stall.c); and the rule, which is
 * what tells one order from another. */
#pragma once

#include "base/map.h"
#include "signature/order/match.h"
#include "signature/order/method.h"
#include "signature/order/order.h"
#include "signature/order/streams.h"
#include "signature/order/ticks.h"
#include <assert.h>

#define NO_PROCESS UINT32_MAX

typedef enum ProcessState {
    PROCESS_RUNNABLE,      /* in the run queue, or running */
    PROCESS_IN_RECEIVE,    /* waits for the logical time of a send */
    PROCESS_IN_COLLECTIVE, /* waits for other members */
    PROCESS_PAUSED,        /* its next event lies behind the window */
    PROCESS_ENDED
} ProcessState;

/* What the walk needs comes first: with many processes each visit finds it outside of the caches. */
typedef struct Process {
    uint64_t floor;   /* what the rule gives its next send-like event */
    uint64_t n_sends; /* send-like events placed */
    ProcessState state;
    bool arrived;       /* its first queued event, a collective, is counted in its instance */
    bool is_candidate;  /* see Order.candidates */
    int64_t compute_ns; /* before receives since the last event handed on, if receives aren't */
    Queue queue;
    uint32_t next_waiter; /* of the same instance */
    uint32_t last_comm, last_membership;
} Process;

/* The n-th collective of a communicator. */
typedef struct Instance {
    uint64_t lt;                        /* the highest floor of those who came */
    uint32_t n_arrived, n_left, n_gone; /* n_gone: ended without coming */
    uint32_t first_process;             /* the lowest of those who came */
    uint32_t first_waiter;
    bool placed; /* lt is its time */
} Instance;

/* Its instances from the oldest that some member has yet to leave. Only the last can be without a time. */
typedef struct CommState {
    VEC(Instance) instances;
    size_t first;          /* of those in use */
    uint64_t first_number; /* in the communicator, of instances[first] */
    uint32_t n_gone;       /* members that ended */
    uint32_t *sorted;      /* members ascending, if they aren't in the trace */
    bool is_sorted;
} CommState;

#define NOT_A_MEMBER UINT64_MAX

typedef struct Order {
    const OrderMethod *method;
    EventSource *source;
    const Trace *trace;
    OrderReport *report;
    bool wants_receives;
    uint32_t n_processes;
    size_t batch;
    size_t memory_limit_bytes;          /* 0: none */
    size_t queue_bytes, instance_bytes; /* what they take */
    Process *processes;
    Streams streams;
    Ticks ticks;
    CommState *comms;
    Map memberships;             /* (comm, process) -> number in next_instance */
    VEC(uint64_t) next_instance; /* number of the member's next collective on the communicator, or NOT_A_MEMBER */
    uint32_t *run_queue;         /* ring of n_processes */
    uint32_t run_head, n_runnable;
    VEC(uint32_t) paused;
    uint32_t n_ended;
    /* Once something could not be ordered as the method asks: */
    struct Stall *stall;
    VEC(uint32_t) candidates; /* where new circles may be: processes that began to wait since the last stall, … */
} Order;

/* The walk. */
void order_wake(Order *order, uint32_t process);
void order_place_send(Order *order, Process *process, const Event *event, uint64_t lt);
void order_drop_receive(Order *order, uint32_t process);
/* Whether the time is in the window; if not, the process is paused. */
bool order_fits_window(Order *order, uint32_t process, uint64_t lt);
/* The next search for circles must start from this process too. */
void order_add_candidate(Order *order, uint32_t process);
static inline const Event *order_head_event(const Process *process)
{
    assert(process->queue.head < process->queue.tail);
    return &process->queue.events[process->queue.head];
}

/* The process stands before a collective. True: it has passed it. False: it waits. */
bool order_pass_collective(Order *order, uint32_t process);
/* The instance without a time of this communicator, or NULL. */
Instance *order_open_instance(CommState *comm);
void order_force_collective(Order *order, uint32_t comm, OrderProblemKind kind);
/* A member has ended and will never come to what it hasn't come to. */
void order_leave_comm(Order *order, uint32_t comm, uint32_t process);

/* Nothing can go on and nobody is paused: makes something go on. */
bool order_resolve_stall(Order *order, Err *err);
/* Tells a stalled order that a process has ended. */
void order_note_end(Order *order, uint32_t process);
void order_stall_free(struct Stall *stall);

void order_report_problem(OrderReport *report, OrderProblemKind kind, uint32_t process, const Event *event);

/* Reads on in a process's events. */
bool order_read(Order *order, uint32_t process, Err *err);

/* What is in memory stays below the limit: spills what can be, or says what it is that can't. */
bool order_keep_memory(Order *order, Err *err);
