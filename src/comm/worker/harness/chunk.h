/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk: some samples of one operation and size, without other communication in between. All
 * participating ranks execute the chunk at once, with the same command. */
#pragma once

#include "comm/worker/harness/buffers.h"
#include "comm/worker/harness/messages.h"
#include "comm/worker/harness/request.h"
#include "comm/worker/harness/transport.h"

/* A rank of the measurement. */
typedef struct Worker {
    Transport *transport;
    const Request *request;
    Arena *arena;
    Pool sending, receiving;
    const char *interface;     /* that of the hosts' addresses; "" if there is none */
    uint64_t payload_bytes;    /* sent and received so far */
    const Collective *barrier; /* the transport's own; NULL: made of messages */
} Worker;

/* A rank's start and end of a collective, on its own clock. */
typedef struct Stamp {
    int64_t start_ns, end_ns;
    uint32_t was_late;       /* the rank was ready only after its window had begun */
    uint32_t was_chunk_late; /* the rank was ready only after the chunk's first window had begun */
} Stamp;

/* Measures messages of an exchange, [command->samples], at rank command->from: for a ping-pong, half round trips. Rank
 * command->to only answers; its samples_s is NULL. */
bool chunk_exchange(Worker *worker, const Command *command, double *samples_s, Err *err);

/* Executes a collective [command->samples] times, each at an agreed instant. */
bool chunk_windows(Worker *worker, const Command *command, Stamp *stamps, Err *err);

/* Executes a collective [command->samples] times, each after a barrier. */
bool chunk_barriers(Worker *worker, const Command *command, Stamp *stamps, Err *err);
