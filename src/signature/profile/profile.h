/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace shows before any phase is found: calls by kind, the time of each process, who sends how much to whom,
 * and stretches of a process's events. One pass over the source; memory grows with processes, and with the pairs of
 * them that talk, not with events. */
#pragma once

#include "base/arena.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/lifetime.h"

/* What MPI calls do, as far as their events tell. Collectives have a kind each: CALL_COLLECTIVE + Collective. */
typedef enum CallKind {
    CALL_SEND,      /* blocking */
    CALL_ISEND,     /* returns at once */
    CALL_RECV,      /* blocking */
    CALL_IRECV,     /* posts a receive */
    CALL_WAIT,      /* completes posted receives: Wait, Waitall, a successful Test, … */
    CALL_SENDRECV,  /* sends and receives */
    CALL_ONE_SIDED, /* put, get, accumulate */
    CALL_COLLECTIVE
} CallKind;

#define CALL_KIND_COUNT (CALL_COLLECTIVE + COLLECTIVE_COUNT)

/* "send", "isend", "recv", "irecv", "wait", "sendrecv", "put"; collectives by collective_name. */
const char *call_kind_name(uint32_t kind);

/* The kind of a call from its events: they follow each other in their process and have its entry and return. */
uint32_t call_kind_of(const Event *events, size_t count);

typedef struct CallProfile {
    uint64_t n_calls;
    int64_t time_ns, longest_ns; /* from entry to return; all calls, one of them */
    uint64_t bytes_sent;         /* sent, put, contributed to collectives */
    uint64_t bytes_received;     /* received, also from collectives */
} CallProfile;

typedef struct ProcessProfile {
    Lifetime lifetime;
    int64_t compute_ns; /* on a processor outside of MPI */
    int64_t mpi_ns;     /* in calls with events. What is left of the process's time went to calls without (waiting
                           for sends, polls), or it was off the processor */
    CallProfile calls;
} ProcessProfile;

/* The calls of one kind on one communicator; point-to-point ones together, as `kind` CALL_SEND. */
typedef struct CommProfile {
    uint32_t comm, kind;
    CallProfile calls;
} CommProfile;

/* What one process sent to, or put at, another. */
typedef struct PairProfile {
    uint32_t source, destination;
    uint64_t n_messages, bytes;
    uint64_t n_one_sided, one_sided_bytes;
} PairProfile;

typedef struct Profile {
    uint32_t n_processes;
    const ProcessProfile *processes; /* [n_processes] */
    CallProfile calls[CALL_KIND_COUNT];
    CallProfile all;
    uint64_t n_messages; /* sent */
    size_t n_comms;
    const CommProfile *comms; /* [n_comms] by time, longest first */
    size_t n_pairs;
    const PairProfile *pairs; /* [n_pairs] ascending by source, then destination */
} Profile;

/* Reads the source to its end. All results in the arena. */
bool profile_read(EventSource *source, const Progress *progress, Arena *arena, Profile *profile, Err *err);

/* Seconds; rest_s is what went neither to computation nor to calls with events. */
typedef struct TimeSpent {
    double whole_s, compute_s, mpi_s, rest_s;
} TimeSpent;

TimeSpent process_time_spent(const ProcessProfile *process);
TimeSpent profile_time_spent(const Profile *profile); /* all processes together */
double profile_slowest_s(const Profile *profile);     /* the application's time: that of its slowest process */
double profile_balance(const Profile *profile); /* mean over largest computation: 1 when all have the same to do */
uint32_t profile_count_unfinished(const Profile *profile);

/* A process's event with its numbers. */
typedef struct ProcessEvent {
    uint64_t number;     /* in the process, from 0; beginning and end of the application have none */
    uint64_t send_event; /* send-like events before it: what a signature's startpoints count */
    Event event;
    int64_t since_ns; /* entry of its call, from the return of MPI_Init, or the first entry */
    int64_t mpi_ns;   /* its call's time; 0 for the second and further events of a call */
    uint32_t kind;    /* of its call */
} ProcessEvent;

typedef struct ProcessEvents {
    uint32_t process;
    uint64_t from; /* number of the first that was asked for */
    size_t count;
    const ProcessEvent *events;
    bool more; /* others follow */
} ProcessEvents;

/* What a view may hold; larger ranges are an ERR_USAGE. */
#define PROCESS_EVENTS_LIMIT (1u << 20)

/* The events [from, to) of a process, as far as there are any; nothing behind them is read. None at all: ERR_USAGE that
 * tells how many there are. */
bool profile_read_events(EventSource *source, uint32_t process, uint64_t from, uint64_t to, Arena *arena,
                         ProcessEvents *events, Err *err);
