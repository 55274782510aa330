/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace shows before any phase is found: calls by kind, the time of each process, which
 * process sends how much to which, and ranges of a process's events. Takes one pass over the
 * source. Memory grows with processes and with pairs of processes that communicate, not with
 * events. docs/METHOD.md, section 7. */
#pragma once

#include "base/arena.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/lifetime.h"

/* Kinds of MPI calls, as far as their events tell. Each kind of collective is a kind of call:
 * CALL_COLLECTIVE + Collective. */
typedef enum CallKind {
    CALL_SEND,        /* blocking */
    CALL_ISEND,       /* returns at once */
    CALL_RECV,        /* blocking */
    CALL_IRECV,       /* posts a receive */
    CALL_WAIT,        /* completes posted receives: Wait, Waitall, a successful Test, … */
    CALL_SENDRECV,    /* sends and receives */
    CALL_ONE_SIDED,   /* put, get, accumulate */
    CALL_WINDOW_SYNC, /* unlock, flush; post, start, complete, wait */
    CALL_COLLECTIVE
} CallKind;

#define CALL_KIND_COUNT (CALL_COLLECTIVE + COLLECTIVE_COUNT)

/* "send", "isend", "recv", "irecv", "wait", "sendrecv", "put"; for collectives
 * collective_name(). */
const char *call_kind_name(uint32_t kind);

/* The kind of a call, from its events. These are consecutive in their process, and have the call's
 * entry and return. */
uint32_t call_kind_of(const Event *events, size_t count);

typedef struct CallProfile {
    uint64_t n_calls;
    int64_t time_ns, longest_ns; /* from entry to return: of all calls; of the longest */
    uint64_t bytes_sent;         /* sent, put, or contributed to collectives */
    uint64_t bytes_received;     /* received, also from collectives */
} CallProfile;

typedef struct ProcessProfile {
    Lifetime lifetime;
    int64_t compute_ns; /* on a processor, outside of MPI */
    int64_t mpi_ns;     /* in calls with events; the rest is time in calls without events
                           (waiting for sends, polls), or off the processor */
    CallProfile calls;
} ProcessProfile;

/* The calls of one kind on one communicator. All point-to-point calls together are one entry, with
 * `kind` CALL_SEND. */
typedef struct CommProfile {
    uint32_t comm, kind;
    CallProfile calls;
} CommProfile;

/* What one process sent to another, and what it put there one-sidedly. */
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
    uint64_t n_messages; /* messages sent */
    size_t n_comms;
    const CommProfile *comms; /* [n_comms] by time, longest first */
    size_t n_pairs;
    const PairProfile *pairs; /* [n_pairs] ascending by source, then destination */
} Profile;

/* An EventSource that hands on what it reads from another, and adds it up: so whoever reads the events
 * anyway gets the profile, too. */
typedef struct ProfileWatch ProfileWatch;
ProfileWatch *profile_watch_new(EventSource *from);
EventSource *profile_watch_source(ProfileWatch *watch); /* lives as long as the watch */
/* The source has been read to its end. All results in the arena. */
void profile_watch_finish(const ProfileWatch *watch, Arena *arena, Profile *profile);
void profile_watch_free(ProfileWatch *watch); /* NULL is fine */

/* Reads the source to its end. All results in the arena. */
bool profile_read(EventSource *source, const Progress *progress, Arena *arena, Profile *profile, Err *err);

/* In seconds. rest_s is the time that went neither to computation nor to calls with events. */
typedef struct TimeSpent {
    double whole_s, compute_s, mpi_s, rest_s;
} TimeSpent;

TimeSpent process_time_spent(const ProcessProfile *process);
TimeSpent profile_time_spent(const Profile *profile); /* all processes together */
double profile_slowest_s(const Profile *profile);     /* the application's time */
double profile_balance(const Profile *profile);       /* mean computation over the largest: 1 if all
                                                   processes compute equally long */
uint32_t profile_count_unfinished(const Profile *profile);

/* An event of a process, with its numbers. */
typedef struct ProcessEvent {
    uint64_t number;     /* in the process, from 0; beginning and end of the application have no
                            number */
    uint64_t send_event; /* send-like events before it, as a signature's startpoints count */
    Event event;
    int64_t since_ns; /* entry of its call, since the return of MPI_Init or, without that, since
                         the first entry */
    int64_t mpi_ns;   /* time of its call; 0 for all but the first event of a call */
    uint32_t kind;    /* kind of its call */
} ProcessEvent;

typedef struct ProcessEvents {
    uint32_t process;
    uint64_t from; /* number of the first event that was asked for */
    size_t count;
    const ProcessEvent *events;
    bool more; /* more events follow */
} ProcessEvents;

/* Most events of a range. A larger range is an ERR_USAGE. */
#define PROCESS_EVENTS_LIMIT (1u << 20)

/* Reads the events [from, to) of a process, or fewer if the process has fewer, and nothing after
 * them. ERR_USAGE: the process has none of these; the message says how many events it has. Results
 * in the arena. */
bool profile_read_events(EventSource *source, uint32_t process, uint64_t from, uint64_t to, Arena *arena,
                         ProcessEvents *events, Err *err);
