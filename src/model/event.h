/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: the form of a trace that all stages after the reader work on. A process's events come in
 * program order. Processes are ranks of MPI_COMM_WORLD. */
#pragma once

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum EventKind {
    EVENT_BEGIN,       /* MPI_Init returned, at leave_ns; the application's execution time starts here */
    EVENT_END,         /* MPI_Finalize was entered, at enter_ns; the execution time ends here */
    EVENT_SEND,        /* a message was handed to MPI, blocking or not */
    EVENT_RECV_POST,   /* a nonblocking receive was posted under `request`; only its order matters */
    EVENT_RECV,        /* a receive completed. `request` is that of its post, or NO_REQUEST for a blocking receive */
    EVENT_RECV_CANCEL, /* the posted receive `request` will never complete */
    EVENT_COLLECTIVE,  /* this process entered a collective operation */
    EVENT_ONE_SIDED,   /* put, get or accumulate with a target and no matching receive */
    EVENT_WINDOW_SYNC, /* `collective` is a WindowSync. Only some members take part, so it has no place in the order */
    EVENT_REQUEST_DONE /* the send or collective `request` completed; for readers alone that ask for it (archive.h) */
} EventKind;

/* How a process synchronises with some members of an RMA window. `peer` is one of them, or
 * EVERY_PEER. */
typedef enum WindowSync {
    WINDOW_SYNC_COMPLETE, /* the process's operations on the peer are complete (unlock, flush, complete); with a
                             request, that one alone */
    WINDOW_SYNC_NOTIFY,   /* tells the peer that it may access the window (post), or that all has been accessed
                           (complete): then EVERY_PEER is each one that the process awaited since */
    WINDOW_SYNC_AWAIT,    /* awaits such a notification (start; wait): EVERY_PEER is each one that it notified since */
    WINDOW_SYNC_COUNT
} WindowSync;

const char *window_sync_name(WindowSync sync);

typedef enum Collective {
    COLLECTIVE_BARRIER,
    COLLECTIVE_BCAST,
    COLLECTIVE_GATHER,
    COLLECTIVE_GATHERV,
    COLLECTIVE_SCATTER,
    COLLECTIVE_SCATTERV,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_ALLGATHERV,
    COLLECTIVE_ALLTOALL,
    COLLECTIVE_ALLTOALLV,
    COLLECTIVE_ALLTOALLW,
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_REDUCE,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_REDUCE_SCATTER_BLOCK,
    COLLECTIVE_SCAN,
    COLLECTIVE_EXSCAN,
    COLLECTIVE_NEIGHBOR_ALLGATHER,
    COLLECTIVE_NEIGHBOR_ALLGATHERV,
    COLLECTIVE_NEIGHBOR_ALLTOALL,
    COLLECTIVE_NEIGHBOR_ALLTOALLV,
    COLLECTIVE_NEIGHBOR_ALLTOALLW,
    COLLECTIVE_CREATE_HANDLE, /* creates a communicator, window or file, which synchronises the members */
    COLLECTIVE_DESTROY_HANDLE,
    COLLECTIVE_OTHER, /* a kind that only the program that wrote the archive knows */
    COLLECTIVE_COUNT
} Collective;

/* "barrier", "bcast", …. These names are part of the signature's format. */
const char *collective_name(Collective collective);
bool collective_from_name(const char *name, Collective *collective);

/* Whether data go from one of the members, the root, to all, or from all to the root; either. */
bool collective_is_from_root(Collective collective);
bool collective_is_to_root(Collective collective);
bool collective_has_root(Collective collective);

#define NO_REQUEST UINT64_MAX
#define NO_ROOT UINT32_MAX
#define EVERY_PEER UINT32_MAX

typedef struct Event {
    uint16_t kind : 4;       /* EventKind */
    uint16_t collective : 5; /* Collective, or WindowSync */
    uint16_t sequence : 7;   /* see Trace.n_sequences */
    uint16_t lost;           /* event_lost_ns() in 16 bits */
    uint32_t comm;           /* index into Trace.comms */
    uint32_t peer; /* world rank of the other process (send, recv, one-sided), or a collective's root or NO_ROOT; of
                      a WindowSync also EVERY_PEER */
    uint32_t tag;
    uint64_t bytes;          /* message size; of a collective, what this process contributes; what goes to a target */
    uint64_t bytes_received; /* of a collective, what this process gets; what comes from a target */
    uint64_t request;        /* unique among the pending requests of its process, or NO_REQUEST */
    int64_t enter_ns;        /* entry to the event's MPI call; the origin is arbitrary, but common to all processes */
    int64_t leave_ns;        /* return from this call */
    int64_t compute_ns;      /* time on a processor, outside of MPI, since the process's previous event; 0 for
                           all but the first event of a call */
} Event;

_Static_assert(sizeof(Event) == 64, "an event is one cache line");
_Static_assert(COLLECTIVE_COUNT <= 1 << 5, "its bits of an Event hold a Collective");

/* A number in few bits, rounded down: its first binary digits, and behind them their exponent. */
static inline uint64_t rounded_pack(uint64_t number, unsigned n_digits)
{
    uint64_t exponent = 0;
    while (number >> exponent >> n_digits)
        exponent++;
    return exponent << n_digits | number >> exponent;
}

static inline int64_t rounded_unpack(uint64_t packed, unsigned n_digits)
{
    return (int64_t)(packed & ((UINT64_C(1) << n_digits) - 1)) << (packed >> n_digits);
}

/* Time that the process wasn't on a processor, in the same stretch as compute_ns: another process
 * had the processor, or the program slept. Known to one part in a thousand: `lost` holds ten binary
 * digits and their exponent. */
enum { LOST_DIGITS = 10 };

static inline int64_t event_lost_ns(const Event *event)
{
    return rounded_unpack(event->lost, LOST_DIGITS);
}

static inline void event_set_lost_ns(Event *event, uint64_t lost_ns)
{
    event->lost = (uint16_t)rounded_pack(lost_ns, LOST_DIGITS);
}

/* The program's time outside of MPI, on a processor or not. */
static inline int64_t event_outside_ns(const Event *event)
{
    return event->compute_ns + event_lost_ns(event);
}

/* Startpoints and endpoints count send-like events alone, because receives may come in another
 * order in another run. */
static inline bool event_is_send_like(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_COLLECTIVE || event->kind == EVENT_ONE_SIDED;
}

/* Sends, receives, collectives and one-sided operations have a place in the logical order. */
static inline bool event_is_in_order(const Event *event)
{
    return event_is_send_like(event) || event->kind == EVENT_RECV;
}

/* True if two successive events of a process happened in one call. (Readers of archives deliver
 * events, not calls.) Each collective is a call of its own. Events without duration also count as
 * calls of their own, because the clock can't tell them apart. */
static inline bool event_is_of_call(const Event *event, const Event *earlier)
{
    bool is_alone = event->kind == EVENT_COLLECTIVE || earlier->kind == EVENT_COLLECTIVE ||
                    event->kind == EVENT_BEGIN || earlier->kind == EVENT_BEGIN || event->kind == EVENT_END ||
                    earlier->kind == EVENT_END;
    return !is_alone && event->enter_ns == earlier->enter_ns && event->leave_ns == earlier->leave_ns &&
           event->enter_ns != event->leave_ns;
}

/* The volume by which two runs of a program are compared: a message's size, or what a process sends
 * and receives in a collective or a one-sided operation. */
static inline uint64_t event_volume_bytes(const Event *event)
{
    bool has_both = event->kind == EVENT_COLLECTIVE || event->kind == EVENT_ONE_SIDED;
    return event->bytes + (has_both ? event->bytes_received : 0);
}

/* A member's neighbours in the topology of a communicator, as places among its members. */
typedef struct CommNeighbours {
    uint32_t n_sources, n_destinations;
    const uint32_t *sources, *destinations;
} CommNeighbours;

typedef struct Comm {
    const char *name;
    uint32_t n_members;      /* processes that take part in its collectives; for an intercommunicator, both groups */
    const uint32_t *members; /* [n_members] world ranks */
    /* Equal for communicators of the same members in the same order; 0: all of the world. Equal in
     * two runs of a program, however often the program duplicates a communicator. */
    uint32_t group;
    bool is_window;                   /* of an RMA window, whose fences are collectives of its own */
    const CommNeighbours *neighbours; /* [n_members]; NULL: it has no topology, or none that is known */
} Comm;

/* The process's place among the members. n_members: it isn't one of them. */
uint32_t comm_place(const Comm *comm, uint32_t process);

/* The program that a trace comes from. Texts are "" where the archive doesn't give them. */
typedef struct Application {
    const char *executable;  /* path */
    const char *build_id;    /* hexadecimal */
    const char *mpi_library; /* first line of MPI_Get_library_version */
    uint32_t n_arguments;
    const char *const *arguments; /* [n_arguments], without the program's name */
    uint32_t n_processes;
    bool arguments_truncated; /* some arguments were cut off */
    /* With hidden arguments (application.h), these are "…", and this is "SALT:HASH" of the true ones;
     * otherwise "" or NULL. */
    const char *arguments_hash;
} Application;

/* Where a process ran: its host, and the processors of the host that it could use ("0-3,8"). ""
 * where that isn't known. */
typedef struct ProcessPlace {
    const char *host, *processors;
} ProcessPlace;

enum { SEQUENCE_LIMIT = 1 << 7 };

typedef struct Trace {
    Application application;
    uint32_t n_comms;
    const Comm *comms;
    /* [n_processes], or NULL: 1 each. If threads of a process communicate at the same time, each has
     * a sequence of events of its own, from 1 on. Sequence 0 holds what only one thread does at a time:
     * such an event comes after all earlier ones of its process, and before all later ones. The events of
     * sequences 1 and on are ordered within their sequence alone. */
    const uint8_t *n_sequences;
    /* [all sequences, by process] sends, receives, collectives and one-sided events; or NULL */
    const uint64_t *sequence_events;
    /* [n_processes] the sequence whose threads compute most, of processes with several; or NULL */
    const uint8_t *leading;
    const char *host;               /* of rank 0; "": not known */
    const ProcessPlace *places;     /* [n_processes], or NULL: not known */
    double ranks_per_processor;     /* where most ranks share one; 0: not known */
    double recording_cost_s;        /* of one call; 0: not known, or nothing */
    double slowdown;                /* factor by which other programs may have slowed the run down; 0: not known */
    uint32_t n_recorded;            /* number of processes, or 0: not known */
    const uint64_t *recorded_calls; /* [n_recorded] of the thread with most calls of each process */
    uint32_t n_incomplete;          /* 0: the archive doesn't say that it lacks something of the run */
    const char *const *incomplete;  /* [n_incomplete] what it lacks, a sentence each */
} Trace;

/* A source of a trace's events: an OTF2 archive, or arrays of a test. */
typedef struct EventSource {
    const Trace *trace;
    /* Reads the next events of one process, in program order, into events[0 … capacity). *count
     * becomes their number; 0 means that the process has no more. Processes may be read in any
     * order, interleaved. */
    bool (*read)(struct EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err);
} EventSource;
