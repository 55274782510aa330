/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that coordinate the ranks, over the measured transport, outside of timed intervals. */
#pragma once

#include "comm/worker/harness/transport.h"
#include <stdint.h>

typedef enum Action {
    ACTION_EXCHANGE = 1, /* chunk.h */
    ACTION_WINDOWS,
    ACTION_BARRIERS,
    ACTION_CLOCK, /* clocks.h: answer the clock exchanges */
    ACTION_END
} Action;

/* Rank 0's command to a rank. */
typedef struct Command {
    uint32_t action;
    uint32_t collective; /* index in the transport's table */
    uint32_t exchange;   /* number of exchanges.h */
    int32_t from, to;    /* of an exchange */
    uint64_t bytes;      /* as requested; geometry.h computes the rest */
    uint32_t samples, batch, warmup;
    /* Windows: the machine has fewer processors than ranks, so waiting ranks yield. */
    uint32_t is_crowded;
    /* Windows: the start of the first one, and their distance, on the receiver's own clock. */
    int64_t begins_ns;
    double spacing_ns;
    int64_t compute_ns; /* of a nonblocking collective: between start and wait */
} Command;

bool message_send_command(Transport *transport, int to, const Command *command, Err *err);
bool message_receive_command(Transport *transport, Command *command, Err *err);

/* Receives a message that may come late; doesn't poll while waiting, if the transport allows. */
bool message_receive_late(Transport *transport, int from, void *buffer, size_t bytes, Err *err);

/* JSON objects. The receiver owns the reference. */
bool message_send_json(Transport *transport, int to, const json_t *document, Err *err);
bool message_receive_json(Transport *transport, int from, json_t **document, Err *err);
