/* SPDX-License-Identifier: BSD-3-Clause */
/* From events with logical times to ticks. Events of the window [from, from + length) stand in one column a
 * process, in order of their time; when the window is complete, its rows are handed on:
 *
 *      process 0   | 7 8 9 11 |        row 7: processes 0 and 2
 *      process 1   | 8 9      |        row 8: processes 0 and 1 …
 *      process 2   | 7 11     |
 *
 * In the PAS2P order receives don't ascend with the other events; if they are wanted, complete windows are held back
 * for them (held.h). */
#pragma once

#include "model/logical.h"
#include "signature/order/held.h"
#include "signature/order/method.h"
#include <assert.h>

typedef struct Ticks {
    TickKind kind;                /* of the window's rows */
    uint32_t n_processes, length; /* of the window, in ticks */
    uint64_t from;
    LogicalEvent *columns;            /* [n_processes][length] */
    uint32_t *rows;                   /* [n_processes][length] logical time - from */
    uint32_t *counts;                 /* [n_processes] in the column */
    uint32_t *row_starts, *row_cells; /* counting sort of the cells by row */
    TickOutput output;
    Held *held; /* NULL if receives aren't wanted, or stand in the columns */
} Ticks;

/* length 0: one that suits the caches. */
void ticks_init(Ticks *ticks, TickSink *sink, uint32_t n_processes, uint32_t length, const OrderMethod *method);
void ticks_free(Ticks *ticks);

/* In memory, but for what is held. */
size_t ticks_bytes(const Ticks *ticks);

static inline uint64_t ticks_end(const Ticks *ticks)
{
    return ticks->from + ticks->length;
}

/* The place of the process's event at `lt` of the window; the caller fills it in. Times of a process ascend.
 */
static inline LogicalEvent *ticks_place(Ticks *ticks, uint32_t process, uint64_t lt)
{
    assert(lt >= ticks->from && lt < ticks_end(ticks));
    assert(ticks->counts[process] < ticks->length);
    size_t cell = (size_t)process * ticks->length + ticks->counts[process]++;
    ticks->rows[cell] = (uint32_t)(lt - ticks->from);
    return &ticks->columns[cell];
}

/* The window is complete: hands on what can be, and goes to the next. */
bool ticks_next_window(Ticks *ticks, Err *err);

/* Everything is placed: hands on the rest. */
bool ticks_finish(Ticks *ticks, Err *err);
