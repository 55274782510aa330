/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a measurement tell each other, through the transport that is measured, outside of what is timed. */
#pragma once

#include "comm/worker/transport.h"
#include <stdint.h>

typedef enum Action {
    ACTION_PINGPONG = 1, /* chunk.h */
    ACTION_WINDOWS,
    ACTION_BARRIERS,
    ACTION_CLOCK, /* clocks.h: `samples` readings */
    ACTION_END
} Action;

/* What rank 0 has a rank do next. */
typedef struct Command {
    uint32_t action;
    uint32_t collective; /* number in the transport's table */
    int32_t from, to;    /* pingpong */
    uint64_t bytes;      /* as requested; geometry.h makes the rest of it */
    uint32_t samples, batch, warmup;
    uint32_t is_crowded; /* windows: its machine has fewer processors than ranks, so who waits lets others run */
    int64_t begins_ns;   /* windows: when the first begins, on the rank's own clock, and how far they are apart */
    double spacing_ns;
} Command;

bool message_send_command(Transport *transport, int to, const Command *command, Err *err);
bool message_receive_command(Transport *transport, Command *command, Err *err);

/* What follows a message that may take its time; waits gently where the transport can. */
bool message_receive_late(Transport *transport, int from, void *buffer, size_t bytes, Err *err);

/* JSON objects. The receiver owns the reference. */
bool message_send_json(Transport *transport, int to, const json_t *document, Err *err);
bool message_receive_json(Transport *transport, int from, json_t **document, Err *err);
