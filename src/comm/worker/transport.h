/* SPDX-License-Identifier: BSD-3-Clause */
/* What the harness measures: a way to move bytes between ranks. One table of functions a transport; a worker has one
 * or several. Functions that move bytes return false if a peer has gone or the library failed, with *err set; those of
 * MPI need not return then, as MPI ends the job. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <jansson.h>
#include <stddef.h>

typedef struct Transport Transport;

/* `send` and `receive` each hold what the operation needs of p blocks of `block` bytes (reduce, allreduce: `block`
 * bytes of doubles; broadcast: `receive` alone, in and out). Root is rank 0. */
typedef struct CollectiveCall {
    void *send, *receive;
    size_t block;
} CollectiveCall;

typedef struct Collective {
    const char *name; /* of COMM_OPERATIONS */
    bool (*execute)(Transport *transport, const CollectiveCall *call, Err *err);
} Collective;

typedef struct TransportKind {
    const char *name; /* as in the request */
    /* Connects this process with the others; fills in `common`. */
    bool (*open)(const json_t *request, Arena *arena, Transport **transport, Err *err);
    bool (*send)(Transport *transport, int to, const void *buffer, size_t bytes, Err *err);
    bool (*receive)(Transport *transport, int from, void *buffer, size_t bytes, Err *err);
    /* Optional. Waits, without keeping a processor busy, until there is something to receive from that rank. NULL: its
     * `receive` does so itself. */
    bool (*await)(Transport *transport, int from, Err *err);
    /* Optional. Called again and again while a process waits for an instant, so that a library whose messages move only
     * inside calls can finish what others wait for. */
    void (*progress)(Transport *transport);
    /* Where the peer's answer is the system's (ICMP): a whole round trip in seconds; then there is neither send nor
     * receive, and one process. Peers are counted from 1 on: peers[peer - 1] of the request. NULL elsewhere. */
    bool (*echo)(Transport *transport, int peer, void *buffer, size_t bytes, double *round_trip_s, Err *err);
    const Collective *collectives; /* ends with a NULL name; NULL: none */
    /* Memory for messages where the transport wants its own (pinned …). NULL: the harness allocates. */
    void *(*allocate)(Transport *transport, size_t bytes);
    /* What one message can hold; smaller ones are rounded up (a stream can't carry an empty one), greater ones are
     * reported as unsupported. most_bytes 0: no limit. */
    size_t least_bytes, most_bytes;
    /* The other ranks may be inside an operation when this rank has failed: ends it for all, if it can. NULL: `close`.
     */
    void (*abandon)(Transport *transport);
    void (*close)(Transport *transport);
} TransportKind;

/* A transport's own struct begins with this. */
struct Transport {
    const TransportKind *kind;
    int rank, n_ranks;
    const char *library; /* "Open MPI 4.1.4", "Linux 6.1" */
};
