/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of ticks that wait for receives. Only the PAS2P order needs them, and only if receives
 * are wanted. A message sent at logical time 7 is received at 8. But its receiver may reach that
 * receive long after all sends at 8 are placed. So a window waits until every send in the
 * window, and in all windows before, was received or never will be:
 *
 *     windows     | 2 receives missing | complete | complete | complete | being filled |
 *                   handed on first      … then these, in order
 *
 * One message that is received late holds back all later windows. These can be spilled into a
 * file. */
#pragma once

#include "model/logical.h"

typedef struct Held Held;

/* Where finished ticks go. */
typedef struct TickOutput {
    TickSink *sink;
    LogicalEvent *row; /* [n_processes] the tick that is being handed on */
    uint64_t n_ticks;  /* ticks handed on so far */
    uint64_t *numbers; /* [n_processes] send-like events handed on so far; NULL: each event knows its number */
} TickOutput;

static inline bool tick_output(TickOutput *output, uint64_t lt, TickKind kind, size_t count, Err *err)
{
    if (output->sink->done)
        return true;
    output->n_ticks++;
    for (size_t i = 0; output->numbers && i < count; i++)
        if (comm_type_kind(output->row[i].type) != TYPE_RECV)
            output->row[i].number = output->numbers[output->row[i].process]++;
    return output->sink->tick(output->sink, lt, kind, output->row, count, err);
}

/* The first window is open for events. */
Held *held_new(uint32_t n_processes, uint32_t window_ticks);
void held_free(Held *held); /* NULL is fine */

/* Expect: the send at `lt_of_send` will be received. Forget: it never will. */
void held_expect_receive(Held *held, uint64_t lt_of_send);
void held_forget_receive(Held *held, uint64_t lt_of_send);

/* Both take a process's events in program order. */
void held_place_receive(Held *held, uint64_t lt, uint32_t tag, const LogicalEvent *receive);
void held_place_send(Held *held, uint64_t lt, const LogicalEvent *send);

/* All sends of the last window are placed. Hands on the windows that wait for nothing, and opens
 * the next window. If is_last: hands on all windows. */
bool held_complete_window(Held *held, bool is_last, TickOutput *output, Err *err);

/* Memory in use, and how much of it spilling would free. */
size_t held_bytes(const Held *held);
size_t held_spillable_bytes(const Held *held);
/* Memory that one window takes at most while its ticks are put together. */
size_t held_window_bytes(uint32_t n_columns, uint32_t window_ticks);

bool held_spill(Held *held, Err *err);
