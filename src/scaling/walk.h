/* SPDX-License-Identifier: BSD-3-Clause */
/* The replay's state: processes that are walked (replay.c), and collectives where they meet (meetings.c). Private to
 * the folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "scaling/meter.h"
#include "scaling/replay.h"
#include "signature/order/match.h"
#include "signature/order/streams.h"

#define NO_WALKER UINT32_MAX

typedef struct Walker {
    int64_t clock_ns, idle_ns;
    bool waits, has_ended;
    bool is_ready;                  /* its next event's computation has been done */
    bool is_released;               /* from what its next event waits for: nobody can go on otherwise */
    bool has_arrived;               /* at the collective that is its next event */
    uint32_t last_comm, membership; /* where the number of its next collective stands: Replay.next_meeting */
    Queue queue;
} Walker;

/* A member at a collective. */
typedef struct Arrival {
    int64_t enter_ns, leave_ns; /* as traced */
    int64_t ideal_ns;
    int64_t latest_ns; /* of the ideal times up to here, once the arrivals are sorted by entry */
    uint32_t process;
} Arrival;

/* The n-th collective of a communicator. */
typedef struct Meeting {
    VEC(Arrival) arrivals;
    int64_t latest_enter_ns, latest_ns;
    Arrival root; /* process: NO_WALKER until it came */
    uint32_t n_left;
    bool is_sorted;
} Meeting;

/* Its meetings from the oldest that some member has yet to leave. */
typedef struct MeetingPlace {
    VEC(Meeting) meetings;
    size_t first;
    uint64_t first_number; /* in the communicator, of meetings[first] */
} MeetingPlace;

typedef struct Replay {
    Meter meter;
    const Trace *trace;
    ReplayResult *result;
    uint32_t n_processes;
    Walker *walkers;
    ProcessSpan *spans; /* what queues note for the order; not used */
    Streams streams;
    MeetingPlace *places;       /* of each communicator */
    Map memberships;            /* (comm, process) -> number in next_meeting */
    VEC(uint64_t) next_meeting; /* number of the member's next collective on the communicator, or NOT_A_MEMBER */
    uint32_t *run_queue;        /* ring of n_processes */
    uint32_t run_head, n_runnable;
    uint32_t n_ended;
} Replay;

void replay_wake(Replay *replay, uint32_t process);
void replay_wait_until(Walker *walker, int64_t ideal_ns);

/* The process stands before a collective. True: it passes. False: it waits. */
bool replay_meet(Replay *replay, uint32_t process, const Event *event);
void replay_free_meetings(Replay *replay);
