/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk: some samples of one operation and size, without a word in between. All ranks that take part execute it at
 * once, each with the same command. */
#pragma once

#include "comm/worker/buffers.h"
#include "comm/worker/messages.h"
#include "comm/worker/request.h"
#include "comm/worker/transport.h"

/* A rank while it measures. */
typedef struct Worker {
    Transport *transport;
    const Request *request;
    Arena *arena;
    Pool sending, receiving;
    uint64_t payload_bytes;    /* sent and received so far */
    const Collective *barrier; /* of the transport; NULL: from messages */
} Worker;

/* When a rank began and ended a collective, on its own clock. */
typedef struct Stamp {
    int64_t start_ns, end_ns;
    uint32_t was_late;       /* it came when its window had begun already */
    uint32_t was_chunk_late; /* it came when the chunk's first window had begun already */
} Stamp;

/* Half round trips, [command->samples], at rank command->from; the rank command->to only answers (samples_s NULL). */
bool chunk_pingpong(Worker *worker, const Command *command, double *samples_s, Err *err);

/* A collective [command->samples] times, beginning at instants that were agreed on. */
bool chunk_windows(Worker *worker, const Command *command, Stamp *stamps, Err *err);

/* A collective [command->samples] times, a barrier before each. */
bool chunk_barriers(Worker *worker, const Command *command, Stamp *stamps, Err *err);
