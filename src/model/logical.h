/* SPDX-License-Identifier: BSD-3-Clause */
/* The logical trace: ticks × processes. It is never held as a whole; the order stage hands it on tick by tick. */
#pragma once

#include "base/err.h"
#include "model/event.h"
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Communication type of an event, in 64 bits, equal in two runs of a program: +K is a send to process K, -K a receive
 * from it; a collective is its kind, its root, and its communicator's group. 0 is "no event". */
typedef uint64_t CommType;

typedef enum CommTypeKind { TYPE_NONE, TYPE_SEND, TYPE_RECV, TYPE_COLLECTIVE, TYPE_ONE_SIDED } CommTypeKind;

/* bits 63..60 kind; send, recv, one-sided: bits 31..0 peer; collective: bits 59..52 kind, 51..32 group, 31..0 root + 1
 * (0: none) */
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

/* Of a send, receive, collective or one-sided event. */
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

/* The written form, as the thesis draws it: "+3", "-0", and for the rest "allreduce", "bcast<2" (root), "allreduce@1"
 * (group other than the whole world), "put>3". Needs at most 64 bytes. Parsing takes the same form. */
void comm_type_format(CommType type, char text[64]);
bool comm_type_parse(const char *text, CommType *type);

typedef struct LogicalEvent {
    uint32_t process;
    uint32_t reserved;
    CommType type;
    uint64_t bytes;  /* sent + received for collectives */
    uint64_t number; /* of this event among the send-like ones of its process, from 0; for a recv: of those before it */
    int64_t enter_ns, leave_ns;
    int64_t compute_ns; /* time on a processor since the process's previous event that is handed on, outside of MPI */
} LogicalEvent;

typedef enum TickKind {
    TICK_RECV, /* PAS2P order: receives alone */
    TICK_SEND, /* PAS2P order: send-like events alone */
    TICK_MIXED /* Lamport order: both */
} TickKind;

/* Who takes the logical trace. Ticks come in order; a tick's events by ascending process, at most one a process. */
typedef struct TickSink {
    bool wants_receives; /* false: receives are left out, and ticks that would hold nothing else; they cost nothing */
    bool (*tick)(struct TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err);
    bool done; /* set by `tick`: no more is wanted; ordering ends soon, without an error and without further ticks */
} TickSink;
