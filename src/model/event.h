/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace says, in the form that every stage after the reader works on: events of processes, in program order,
 * with processes as ranks of MPI_COMM_WORLD. */
#pragma once

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum EventKind {
    EVENT_BEGIN,       /* MPI_Init returned: leave_ns; the application's execution time starts here */
    EVENT_END,         /* MPI_Finalize was entered: enter_ns; it ends here */
    EVENT_SEND,        /* a message was handed to MPI, blocking or not */
    EVENT_RECV_POST,   /* a nonblocking receive was posted under `request`; only its order matters */
    EVENT_RECV,        /* a receive completed; `request` says which post, or NO_REQUEST for a blocking one */
    EVENT_RECV_CANCEL, /* the posted receive `request` will never complete */
    EVENT_COLLECTIVE,  /* this process entered a collective operation */
    EVENT_ONE_SIDED    /* put, get or accumulate with a target and no matching receive */
} EventKind;

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
    COLLECTIVE_CREATE_HANDLE, /* making a communicator, window or file synchronises its members */
    COLLECTIVE_DESTROY_HANDLE,
    COLLECTIVE_OTHER, /* a kind that only the archive's writer knows */
    COLLECTIVE_COUNT
} Collective;

/* "barrier", "bcast", …; these names are part of the signature format. */
const char *collective_name(Collective collective);
bool collective_from_name(const char *name, Collective *collective);

#define NO_REQUEST UINT64_MAX
#define NO_ROOT UINT32_MAX

typedef struct Event {
    uint8_t kind;       /* EventKind */
    uint8_t collective; /* Collective */
    uint16_t reserved;
    uint32_t comm; /* index into Trace.comms */
    uint32_t peer; /* the other process (send, recv, one-sided) or the root of a collective, or NO_ROOT; world ranks */
    uint32_t tag;
    uint64_t bytes;          /* message size; what this process contributes to a collective */
    uint64_t bytes_received; /* what it gets from a collective */
    uint64_t request;        /* unique in its process among pending ones, or NO_REQUEST */
    int64_t enter_ns;   /* entry to the MPI call that the event happened in; any origin, the same for all processes */
    int64_t leave_ns;   /* return from it */
    int64_t compute_ns; /* time on a processor since the process's previous event, outside of MPI calls; 0 for
                           the second and further events of one call */
} Event;

_Static_assert(sizeof(Event) == 64, "an event is one cache line");

/* Startpoints and endpoints count these: receives may come in another order in another run. */
static inline bool event_is_send_like(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_COLLECTIVE || event->kind == EVENT_ONE_SIDED;
}

/* Whether two successive events of a process happened in one call: an archive's reader hands on events, not calls. Each
 * collective is a call of its own; and so is what took no time, of which the clock can't tell. */
static inline bool event_is_of_call(const Event *event, const Event *earlier)
{
    bool is_alone = event->kind == EVENT_COLLECTIVE || earlier->kind == EVENT_COLLECTIVE ||
                    event->kind == EVENT_BEGIN || earlier->kind == EVENT_BEGIN || event->kind == EVENT_END ||
                    earlier->kind == EVENT_END;
    return !is_alone && event->enter_ns == earlier->enter_ns && event->leave_ns == earlier->leave_ns &&
           event->enter_ns != event->leave_ns;
}

/* What two runs of a program are compared by: a message's size; of a collective, what is sent and received. */
static inline uint64_t event_volume_bytes(const Event *event)
{
    return event->bytes + (event->kind == EVENT_COLLECTIVE ? event->bytes_received : 0);
}

typedef struct Comm {
    const char *name;
    uint32_t n_members;      /* all that take part in its collectives: of an intercommunicator, both groups */
    const uint32_t *members; /* [n_members] world ranks */
    uint32_t group;          /* the same for communicators of the same members in the same order; 0: all of the world.
                                Equal in two runs of a program, however often it duplicates a communicator */
} Comm;

/* Where a trace came from. Text fields are "" where the archive doesn't tell. */
typedef struct Application {
    const char *executable;  /* path */
    const char *build_id;    /* hexadecimal */
    const char *mpi_library; /* first line of MPI_Get_library_version */
    uint32_t n_arguments;
    const char *const *arguments; /* [n_arguments], without the program's name */
    uint32_t n_processes;
    bool arguments_truncated; /* there were more than could be kept */
} Application;

typedef struct Trace {
    Application application;
    uint32_t n_comms;
    const Comm *comms;
} Trace;

/* Something that yields a trace's events: an OTF2 archive, a test's arrays, other formats later. */
typedef struct EventSource {
    const Trace *trace;
    /* The next events of one process in program order: at most `capacity` into events, their number into *count.
     * 0 says the process has no more. Processes may be read in any order and interleaved. */
    bool (*read)(struct EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err);
} EventSource;
