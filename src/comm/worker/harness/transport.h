/* SPDX-License-Identifier: BSD-3-Clause */
/* A transport: a way to move bytes between ranks, which the harness measures. Each transport is a
 * table of functions; a worker has one or more. Functions that move bytes return false with *err
 * set if a peer has ended or the library failed. In MPI's case they may not return, because MPI
 * ends the job. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Transport Transport;
typedef struct Pool Pool; /* buffers.h */

/* Buffers of a collective. `send` and `receive` hold up to p blocks of `block` bytes, as the
 * operation requires. Operations with uneven blocks (uneven.h): `block` is the whole vector. reduce and allreduce: `block` bytes of doubles. broadcast: `receive` alone,
 * in and out. The root is rank 0. */
typedef struct CollectiveCall {
    void *send, *receive;
    /* Of `pairs`: how many windows, and the pools of which each message uses the next buffer. */
    uint32_t windows;
    Pool *sending, *receiving;
    size_t block;
    int64_t compute_ns; /* nonblocking: computing between start and wait */
} CollectiveCall;

typedef struct Collective {
    const char *name; /* of COMM_OPERATIONS */
    bool (*execute)(Transport *transport, const CollectiveCall *call, Err *err);
    bool is_nonblocking;
} Collective;

/* An exchange of messages between two ranks. Each message uses the next buffer of a pool. */
typedef struct ExchangeCall {
    int peer;
    bool begins; /* this rank reads the clock, and not the peer */
    Pool *sending, *receiving;
    size_t bytes;
} ExchangeCall;

typedef struct Exchange {
    const char *name;  /* of COMM_OPERATIONS */
    uint32_t messages; /* of one exchange, in both directions together; a sample is the time of one message */
    bool (*begin)(Transport *transport, const ExchangeCall *call, Err *err); /* at the rank that reads the clock */
    bool (*answer)(Transport *transport, const ExchangeCall *call,
                   Err *err); /* at the other rank; NULL: it needn't act */
    /* Optional. At both ranks, before and after the exchanges of a chunk. */
    bool (*open)(Transport *transport, const ExchangeCall *call, Err *err);
    bool (*close)(Transport *transport, const ExchangeCall *call, Err *err);
} Exchange;

typedef struct TransportKind {
    const char *name; /* as in the request */
    /* Connects this process with the others; sets `common`. */
    bool (*open)(const json_t *request, Arena *arena, Transport **transport, Err *err);
    bool (*send)(Transport *transport, int to, const void *buffer, size_t bytes, Err *err);
    bool (*receive)(Transport *transport, int from, void *buffer, size_t bytes, Err *err);
    /* Optional. Waits for a message from that rank, without keeping a processor busy. NULL:
     * `receive` itself waits in this way. */
    bool (*await)(Transport *transport, int from, Err *err);
    /* Optional. Called repeatedly while a process waits for an instant. Some libraries move
     * messages only inside calls, and others may be waiting for these messages. */
    void (*progress)(Transport *transport);
    /* Measures a whole round trip, in seconds, if the peer's kernel answers (ICMP). Such a
     * transport has one process, and neither send nor receive. Peers count from 1: peers[peer - 1]
     * of the request. NULL for other transports. */
    bool (*echo)(Transport *transport, int peer, void *buffer, size_t bytes, double *round_trip_s, Err *err);
    const Exchange *exchanges;     /* besides ping-pong; ends with a NULL name; NULL: none */
    const Collective *collectives; /* ends with a NULL name; NULL: none */
    /* Allocates memory for messages, if the transport needs a special kind (such as pinned memory).
     * NULL: the harness allocates. */
    void *(*allocate)(Transport *transport, size_t bytes);
    /* Sizes of one message. Smaller ones are rounded up (a stream has no empty messages); larger
     * ones are reported as unsupported. most_bytes 0: no limit. */
    size_t least_bytes, most_bytes;
    size_t least_vector_bytes; /* of a collective; smaller ones are rounded up */
    /* Called if this rank fails while others may be inside an operation: ends the job of all ranks,
     * if possible. NULL: `close` does. */
    void (*abandon)(Transport *transport);
    void (*close)(Transport *transport);
} TransportKind;

/* A transport's own struct begins with this one. */
struct Transport {
    const TransportKind *kind;
    int rank, n_ranks;
    const char *parts;   /* of the library, which may carry messages; NULL: not known */
    const char *library; /* such as "Open MPI 4.1.4" or "Linux 6.1" */
};
