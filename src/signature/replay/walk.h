/* SPDX-License-Identifier: BSD-3-Clause */
/* The replay's state: processes that are walked (replay.c), and collectives that they join
 * (collectives.c). Private to the folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "signature/order/match.h"
#include "signature/order/streams.h"
#include "signature/replay/meter.h"
#include "signature/replay/replay.h"

#define NO_WALKER UINT32_MAX
#define NO_COMM UINT32_MAX

/* A nonblocking collective that the process has joined, but not completed. */
typedef struct Pending {
    Event event;     /* its posting */
    uint64_t number; /* of its instance */
} Pending;

typedef struct Walker {
    int64_t begin_ns, clock_ns, idle_ns;
    bool is_starved; /* needs further events */
    bool waits, has_ended;
    uint32_t awaited;      /* ordinal of the send that it waits for, in its stream */
    bool is_ready;         /* its next event's computation is done */
    bool is_released;      /* goes on without what its next event waits for: otherwise
                                       no process could go on */
    bool has_arrived;      /* has joined the collective that is its next event */
    uint32_t awaited_comm; /* the communicator of the collective in which it waits, or NO_COMM */
    VEC(Pending) pending;
    uint32_t last_comm, membership; /* where the number of its next collective is: index in
                                       Replay.next_instance */
    Queue queue;
} Walker;

/* A member that has joined a collective. */
typedef struct Arrival {
    int64_t enter_ns, leave_ns; /* in the trace */
    int64_t ideal_ns;
    int64_t latest_ns; /* when sorted by entry: the latest ideal time up to here */
    uint32_t process;
} Arrival;

/* The n-th collective of a communicator. */
typedef struct Instance {
    VEC(Arrival) arrivals;
    int64_t latest_enter_ns, latest_ns;
    Arrival root; /* process is NO_WALKER until the root has joined */
    uint32_t n_left;
    bool is_sorted;
} Instance;

/* The instances of a communicator, from the oldest that some member hasn't left yet. */
typedef struct CommInstances {
    VEC(Instance) instances;
    size_t first;
    uint64_t first_number; /* number of instances[first], counted from the communicator's first
                              collective */
} CommInstances;

struct Replay {
    EventSource given; /* hands the events that are being taken to the queues */
    const Event *given_events;
    size_t n_given;
    const Trace *trace;
    const ReplayWatch *watch; /* NULL: nobody */
    ReplayResult *result;
    uint32_t n_processes;
    MeteredProcess *metered; /* [n_processes] */
    Walker *walkers;
    ProcessSpan *spans; /* required by the queues; not used here */
    Streams streams;
    CommInstances *comms; /* [n_comms] */
    Map memberships;      /* (comm, process) -> number in next_instance */
    /* Number of the member's next collective on the communicator, or NOT_A_MEMBER. */
    VEC(uint64_t) next_instance;
    uint32_t *run_queue; /* ring of n_processes */
    uint32_t run_head, n_runnable, n_starved, n_ended;
    size_t n_queued; /* events of all queues */
};

void replay_wake(Replay *replay, uint32_t process);
void replay_wait_until(Walker *walker, int64_t ideal_ns);

/* The process's next event is a collective. True: it passes. False: it waits. */
bool replay_pass_collective(Replay *replay, uint32_t process, const Event *event);

/* The process's next event completes a request. True: the event passes. False: the request is a
 * nonblocking collective's, and the process waits. */
bool replay_pass_completion(Replay *replay, uint32_t process, const Event *event);
void replay_free_collectives(Replay *replay);
