/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows that are held back, for the PAS2P order with receives: a message sent at 7 is received at 8, but when its
 * receiver comes to it may be long after all sends at 8 stand. So a window waits until every send in it and before it
 * was received, or never will be:
 *
 *      windows     | 2 receives missing | complete | complete | complete | being filled |
 *                    handed on first      … and then these, in order
 *
 * One message that is received late holds all windows behind it: they can be spilled into a file. */
#pragma once

#include "model/logical.h"

typedef struct Held Held;

/* Takes the ticks. */
typedef struct TickOutput {
    TickSink *sink;
    LogicalEvent *row; /* [n_processes], the tick being handed on */
    uint64_t n_ticks;  /* handed on */
} TickOutput;

static inline bool tick_output(TickOutput *output, uint64_t lt, TickKind kind, size_t count, Err *err)
{
    if (output->sink->done)
        return true;
    output->n_ticks++;
    return output->sink->tick(output->sink, lt, kind, output->row, count, err);
}

/* With the first window open. */
Held *held_new(uint32_t n_processes, uint32_t window_ticks);
void held_free(Held *held); /* NULL is fine */

/* A send at `lt` that will be received; that never will be. */
void held_expect_receive(Held *held, uint64_t lt_of_send);
void held_forget_receive(Held *held, uint64_t lt_of_send);

/* A process's events in program order. */
void held_place_receive(Held *held, uint64_t lt, uint32_t tag, const LogicalEvent *receive);
void held_place_send(Held *held, uint64_t lt, const LogicalEvent *send);

/* The last window has its sends: opens the next one, and hands on what can be; everything, if it was the last. */
bool held_complete_window(Held *held, bool is_last, TickOutput *output, Err *err);

/* In memory, and how much of it spilling would free. */
size_t held_bytes(const Held *held);
size_t held_spillable_bytes(const Held *held);
/* What one window takes at most while it is put together. */
size_t held_window_bytes(uint32_t n_processes, uint32_t window_ticks);

bool held_spill(Held *held, Err *err);
