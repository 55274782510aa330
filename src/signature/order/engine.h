/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine that all orders share. The engine walks each process in program order as far as
 * possible (engine.c). It times collectives (collectives.c), and decides what happens when no
 * process can go on (stall.c). An OrderMethod (method.h) is the rule that distinguishes one order
 * from another. */
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
    PROCESS_PAUSED,        /* its next event lies beyond the current window */
    PROCESS_ENDED
} ProcessState;

/* The fields that the walk needs come first: with many processes, each visit misses the caches. */
typedef struct Process {
    uint64_t floor;   /* lowest logical time of its next send-like event, by the rule */
    uint64_t n_sends; /* send-like events placed */
    ProcessState state;
    bool arrived;       /* its first queued event is a collective, and its Instance counts this
                           process as arrived */
    bool is_candidate;  /* see Order.candidates */
    int64_t compute_ns; /* computation before receives since the last event handed on, if
                           receives aren't handed on */
    Path path;          /* at the return of its last event */
    uint32_t awaited;   /* PROCESS_IN_RECEIVE: ordinal of the send in its stream */
    Queue queue;
    uint32_t next_waiter; /* next process that waits for the same instance */
    uint32_t last_comm, last_membership;
} Process;

/* The n-th collective of a communicator. */
typedef struct Instance {
    uint64_t lt;                        /* highest floor of the members that arrived */
    Path path, root_path;               /* longest of these, and the root's */
    uint32_t n_arrived, n_left, n_gone; /* n_gone: members that ended without arriving */
    uint32_t first_process;             /* lowest rank of the members that arrived */
    uint32_t first_waiter;
    bool placed; /* lt is final */
} Instance;

/* The instances of a communicator, from the oldest that some member hasn't left yet. Only the last
 * one can lack a final time. */
typedef struct CommState {
    VEC(Instance) instances;
    size_t first;          /* index of the oldest instance in use */
    uint64_t first_number; /* number of instances[first], counted from the communicator's first
                              collective */
    uint32_t n_gone;       /* members that ended */
    uint32_t *sorted;      /* members in ascending order; NULL if the trace lists them so */
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
    size_t queue_bytes, instance_bytes; /* memory that queues and instances take */
    Process *processes;
    Streams streams;
    Ticks ticks;
    CommState *comms;
    Map memberships; /* (comm, process) -> number in next_instance */
    /* Number of the member's next collective on the communicator, or NOT_A_MEMBER. */
    VEC(uint64_t) next_instance;
    uint32_t *run_queue; /* ring of n_processes */
    uint32_t run_head, n_runnable;
    VEC(uint32_t) paused;
    uint32_t n_ended;
    /* NULL until some event can't be ordered as the method asks. */
    struct Stall *stall;
    /* Processes from which the next search for circles starts, see stall.c. */
    VEC(uint32_t) candidates;
} Order;

/* The walk (engine.c). */
void order_wake(Order *order, uint32_t process);
void order_place_send(Order *order, Process *process, const Event *event, uint64_t lt);
void order_drop_receive(Order *order, uint32_t process);
/* Returns whether the time lies in the window. If not, pauses the process. */
bool order_fits_window(Order *order, uint32_t process, uint64_t lt);
/* Makes the next search for circles start from this process, too. */
void order_add_candidate(Order *order, uint32_t process);
static inline const Event *order_head_event(const Process *process)
{
    assert(process->queue.head < process->queue.tail);
    return &process->queue.events[process->queue.head];
}

/* The process's next event is a collective. True: the process has passed the collective. False: the
 * process must wait. */
bool order_pass_collective(Order *order, uint32_t process);
/* The communicator's instance without a final time; NULL if all have one. */
Instance *order_open_instance(CommState *comm);
void order_force_collective(Order *order, uint32_t comm, OrderProblemKind kind);
/* A member has ended, and will join no further collectives of this communicator. */
void order_leave_comm(Order *order, uint32_t comm, uint32_t process);

/* Called when no process can go on and none is paused. Makes some process go on. */
bool order_resolve_stall(Order *order, Err *err);
/* Tells a stalled order that a process has ended. */
void order_note_end(Order *order, uint32_t process);
void order_stall_free(struct Stall *stall);

void order_report_problem(OrderReport *report, OrderProblemKind kind, uint32_t process, const Event *event);

/* Reads the next batch of a process's events. */
bool order_read(Order *order, uint32_t process, Err *err);

/* Keeps memory below the limit. Spills what can be spilled. ERR_ENVIRONMENT: the rest is too large;
 * the message lists its parts. */
bool order_keep_memory(Order *order, Err *err);
