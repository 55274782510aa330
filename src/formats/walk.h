/* SPDX-License-Identifier: BSD-3-Clause */
/* Goes through a trace, and tells what each process does in turn: computation, messages, waits for requests, and
 * collectives. Formats for simulators are written from it. Every message that it tells has both its sides. Private to
 * the folder. */
#pragma once

#include "formats/kept.h"

typedef enum MessageKind { MESSAGE_SEND, MESSAGE_ISEND, MESSAGE_RECV, MESSAGE_IRECV } MessageKind;

/* A process's part in a collective of all processes. */
typedef struct WorldCollective {
    Collective collective;
    uint32_t n, place, root;   /* root: NO_ROOT for collectives without one */
    double sent, received;     /* bytes */
    const MemberShare *shares; /* [n]; NULL: the collective needs none */
} WorldCollective;

/* Takes the actions of a process, in order. Tags of different communicators differ. `handle` is the same for a
 * nonblocking message and its wait. */
typedef struct ActionSink {
    void (*compute)(struct ActionSink *sink, double seconds);
    void (*message)(struct ActionSink *sink, MessageKind kind, uint32_t peer, int32_t tag, double bytes,
                    uint64_t handle);
    void (*wait)(struct ActionSink *sink, bool receives, uint32_t peer, int32_t tag, uint64_t handle);
    /* False: the format knows no such collective. NULL: it knows none, and all become messages. */
    bool (*collective)(struct ActionSink *sink, const WorldCollective *collective);
} ActionSink;

typedef struct WalkOptions {
    CollectiveLibrary library; /* whose rules turn collectives into messages */
    bool leaves_out_collectives;
} WalkOptions;

typedef struct TraceWalk TraceWalk;

/* Reads the source to its end. ERR_INPUT: threads of a process communicate at the same time. */
bool walk_read(EventSource *source, const WalkOptions *options, const Progress *progress, TraceWalk **walk, Err *err);
void walk_free(TraceWalk *walk); /* NULL is fine */

/* Tells the actions of the next process: to be called once for each, from 0 on. */
bool walk_next(TraceWalk *walk, ActionSink *sink, Err *err);

/* Notes what was left out or became something else. */
void walk_note(const TraceWalk *walk, Notes *notes);
