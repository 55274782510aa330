/* SPDX-License-Identifier: BSD-3-Clause */
/* The logical trace: ticks × processes. The order stage hands it on tick by tick, so it is never in
 * memory as a whole. */
#pragma once

#include "base/err.h"
#include "model/event.h"
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* The communication type of an event, in 64 bits, equal in two runs of a program. A send to process
 * K is +K, a receive from K is -K. A collective is its kind, its root, and its communicator's
 * group. 0 is "no event". */
typedef uint64_t CommType;

typedef enum CommTypeKind { TYPE_NONE, TYPE_SEND, TYPE_RECV, TYPE_COLLECTIVE, TYPE_ONE_SIDED } CommTypeKind;

/* Bits 63..60 are the kind. Send, recv and one-sided: bits 31..0 are the peer. Collective: bits
 * 59..52 are its kind, 51..32 its group, and 31..0 its root + 1 (0: no root). */
#define COMM_TYPE_GROUP_LIMIT (1u << 20)
_Static_assert(COLLECTIVE_COUNT <= 1 << 8 && TYPE_ONE_SIDED < 1 << 4, "their bits of a CommType hold them");

static inline CommType comm_type_message(CommTypeKind kind, uint32_t peer)
{
    return (uint64_t)kind << 60 | peer;
}
static inline CommType comm_type_collective(uint8_t collective, uint32_t group, uint32_t root)
{
    return (uint64_t)TYPE_COLLECTIVE << 60 | (uint64_t)collective << 52 |
           (uint64_t)(group % COMM_TYPE_GROUP_LIMIT) << 32 | (uint32_t)(root + 1);
}
static inline CommTypeKind comm_type_kind(CommType type)
{
    return (CommTypeKind)(type >> 60);
}
static inline uint32_t comm_type_peer(CommType type)
{
    return (uint32_t)type;
}
static inline Collective comm_type_of_collective(CommType type)
{
    return (Collective)(type >> 52 & 0xff);
}

/* The type of a send, receive, collective or one-sided event. */
static inline CommType comm_type_of_event(const Trace *trace, const Event *event)
{
    switch (event->kind) {
    case EVENT_SEND:
        return comm_type_message(TYPE_SEND, event->peer);
    case EVENT_RECV:
        return comm_type_message(TYPE_RECV, event->peer);
    case EVENT_ONE_SIDED:
        return comm_type_message(TYPE_ONE_SIDED, event->peer);
    default:
        return comm_type_collective(event->collective, trace->comms[event->comm].group, event->peer);
    }
}

/* The written form, as in the thesis's drawings: "+3", "-0". Others are "allreduce", "bcast<2"
 * (root 2), "allreduce@1" (a group other than the whole world), "put>3". `text` needs at most 64
 * bytes. comm_type_parse() reads the same form. */
void comm_type_format(CommType type, char text[64]);
bool comm_type_parse(const char *text, CommType *type);

typedef struct LogicalEvent {
    uint32_t process;
    float path_lost_s; /* path_ns minus the path of compute_ns alone */
    CommType type;
    uint64_t bytes;  /* for collectives, sent + received */
    uint64_t number; /* send-like events of its process before it */
    int64_t enter_ns, leave_ns;
    /* time on a processor, outside of MPI, since the process's previous event that the order stage
     * delivered */
    int64_t compute_ns;
    /* The path: how much computation the event, at its entry, had to wait for. It is the longest
     * sum of event_outside_ns() over a chain of events, each of which waits for the one before: in its
     * process, or by a message or a collective. */
    int64_t path_ns;
} LogicalEvent;

/* The path up to an event: LogicalEvent.path_ns, and the same of compute_ns alone. */
typedef struct Path {
    int64_t outside_ns, compute_ns;
} Path;

static inline Path path_after(Path before, const Event *event)
{
    return (Path){before.outside_ns + event_outside_ns(event), before.compute_ns + event->compute_ns};
}

static inline Path path_longest(Path a, Path b)
{
    return (Path){a.outside_ns > b.outside_ns ? a.outside_ns : b.outside_ns,
                  a.compute_ns > b.compute_ns ? a.compute_ns : b.compute_ns};
}

static inline Path path_of_event(const LogicalEvent *event)
{
    return (Path){event->path_ns, event->path_ns - (int64_t)(1e9 * (double)event->path_lost_s)};
}

typedef enum TickKind {
    TICK_RECV, /* PAS2P order: receives alone */
    TICK_SEND, /* PAS2P order: send-like events alone */
    TICK_MIXED /* Lamport order: both */
} TickKind;

/* A consumer of the logical trace. Ticks come in order. A tick's events come by ascending process,
 * at most one of each process. */
typedef struct TickSink {
    bool wants_receives; /* false: receives are left out, at no cost, and so are ticks that hold only receives */
    bool (*tick)(struct TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err);
    bool done; /* `tick` sets it to end the ordering early, without an error */
} TickSink;
