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

#define NO_SEQUENCE UINT32_MAX

typedef enum SequenceState {
    SEQUENCE_RUNNABLE,      /* in the run queue, or running */
    SEQUENCE_IN_RECEIVE,    /* waits for the logical time of a send */
    SEQUENCE_IN_COLLECTIVE, /* waits for other members */
    SEQUENCE_IN_PROCESS,    /* waits for other sequences of its process */
    SEQUENCE_PAUSED,        /* its next event lies beyond the current window */
    SEQUENCE_ENDED
} SequenceState;

/* A process, or a sequence of one whose threads communicate at the same time (Trace.n_sequences). Sequence 0
 * of such a process goes on when all others have come to its event or ended, and takes them along. */
typedef struct Sequence {
    uint64_t next;  /* serial number of its next event in its process's queue */
    uint64_t floor; /* lowest logical time of its next send-like event, by the rule */
    SequenceState state;
    bool arrived;         /* its next event is a collective, and its Instance counts it as arrived */
    bool is_candidate;    /* see Order.candidates */
    uint8_t number;       /* in its process */
    uint32_t process;     /* its rank */
    uint32_t awaited;     /* SEQUENCE_IN_RECEIVE: ordinal of the send in its stream */
    int64_t compute_ns;   /* computation before receives since the last event handed on, if
                           receives aren't handed on */
    Path path;            /* at the return of its last event */
    uint64_t n_left;      /* events of its own to come; UINT64_MAX: not known */
    uint32_t next_waiter; /* next sequence that waits for the same instance */
    uint32_t last_comm, last_membership;
} Sequence;

typedef struct Process {
    Queue queue;
    uint64_t n_sends;            /* send-like events placed */
    uint32_t first, n_sequences; /* its sequences in Order.sequences */
    uint32_t n_waiting;          /* of these, how many of number 1 and on wait for sequence 0 */
    uint32_t n_ended;
} Process;

/* The n-th collective of a communicator. */
typedef struct Instance {
    uint64_t lt;                        /* highest floor of the members that arrived */
    Path path, root_path;               /* longest of these, and the root's */
    uint32_t n_arrived, n_left, n_gone; /* n_gone: members that ended without arriving */
    uint32_t first;                     /* lowest number of the sequences that arrived */
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
    uint32_t n_processes, n_sequences;
    size_t batch;
    size_t memory_limit_bytes;          /* 0: none */
    size_t queue_bytes, instance_bytes; /* memory that queues and instances take */
    Process *processes;
    Sequence *sequences; /* [n_sequences] by process */
    Streams streams;
    Ticks ticks;
    CommState *comms;
    Map memberships; /* (comm, process) -> number in next_instance */
    /* Number of the member's next collective on the communicator, or NOT_A_MEMBER. */
    VEC(uint64_t) next_instance;
    uint32_t *run_queue; /* ring of n_sequences */
    uint32_t run_head, n_runnable;
    VEC(uint32_t) paused;
    uint32_t n_ended;
    /* NULL until some event can't be ordered as the method asks. */
    struct Stall *stall;
    /* Sequences from which the next search for circles starts, see stall.c. */
    VEC(uint32_t) candidates;
} Order;

/* The walk (engine.c). `number`: of a sequence, in Order.sequences. */
void order_wake(Order *order, uint32_t number);
/* `awaited`: the path of what the event waits for, beyond its entry. */
void order_place_send(Order *order, uint32_t number, const Event *event, uint64_t lt, Path awaited);
void order_drop_receive(Order *order, uint32_t number);
/* Returns whether the time lies in the window. If not, pauses the sequence. */
bool order_fits_window(Order *order, uint32_t number, uint64_t lt);
/* Makes the next search for circles start from this sequence, too. */
void order_add_candidate(Order *order, uint32_t number);
static inline const Event *order_head_event(const Order *order, const Sequence *sequence)
{
    const Queue *queue = &order->processes[sequence->process].queue;
    assert(sequence->next - queue->base < queue->tail);
    return &queue->events[sequence->next - queue->base];
}
static inline bool process_has_ended(const Process *process)
{
    return process->n_ended == process->n_sequences;
}

/* The sequence's next event is a collective. True: the sequence has passed it. False: the sequence
 * must wait. */
bool order_pass_collective(Order *order, uint32_t number);
/* The communicator's instance without a final time; NULL if all have one. */
Instance *order_open_instance(CommState *comm);
void order_force_collective(Order *order, uint32_t comm, OrderProblemKind kind);
/* A member has ended, and will join no further collectives of this communicator. */
void order_leave_comm(Order *order, uint32_t comm, uint32_t process);

/* Called when no sequence can go on and none is paused. Makes some sequence go on. */
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
