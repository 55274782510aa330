/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts events with logical times together to ticks. The window is the range of logical times [from,
 * from + length). Each process has a column with its events of the window, in order of time. When
 * the window is complete, its rows are handed on:
 *
 *     process 0   | 7 8 9 11 |        row 7: processes 0 and 2
 *     process 1   | 8 9      |        row 8: processes 0 and 1 …
 *     process 2   | 7 11     |
 *
 * A process has a column for each of its sequences (Trace.n_sequences). If several of its events are in a
 * row, the row is handed on in several ticks of the same logical time.
 *
 * In the PAS2P order, receives don't ascend with the other events. If they are wanted, complete
 * windows wait for them in held.h. */
#pragma once

#include "model/logical.h"
#include "signature/order/held.h"
#include "signature/order/method.h"
#include <assert.h>

typedef struct Ticks {
    TickKind kind;                           /* kind of the window's ticks */
    uint32_t n_processes, n_columns, length; /* length: of the window, in ticks */
    uint64_t from;
    LogicalEvent *columns;            /* [n_columns][length] */
    uint32_t *rows;                   /* [n_columns][length] logical time - from */
    uint32_t *counts;                 /* [n_columns] events in the column */
    uint32_t *row_starts, *row_cells; /* counting sort of the cells by row */
    LogicalEvent *cells;              /* [n_columns] of a row; NULL: each process has one column */
    TickOutput output;
    Held *held; /* NULL if receives aren't wanted, or are in the columns */
} Ticks;

/* length 0: a length that fits the caches. */
void ticks_init(Ticks *ticks, TickSink *sink, uint32_t n_processes, uint32_t n_columns, uint32_t length,
                const OrderMethod *method);
void ticks_free(Ticks *ticks);

/* Memory in use, without that of `held`. */
size_t ticks_bytes(const Ticks *ticks);

static inline uint64_t ticks_end(const Ticks *ticks)
{
    return ticks->from + ticks->length;
}

/* A place for an event at time `lt` in the window; the caller fills it in. Times of a column must
 * ascend. */
static inline LogicalEvent *ticks_place(Ticks *ticks, uint32_t column, uint64_t lt)
{
    assert(lt >= ticks->from && lt < ticks_end(ticks));
    assert(ticks->counts[column] < ticks->length);
    size_t cell = (size_t)column * ticks->length + ticks->counts[column]++;
    ticks->rows[cell] = (uint32_t)(lt - ticks->from);
    return &ticks->columns[cell];
}

/* The window is complete. Hands on the ticks that wait for nothing, and begins the next window. */
bool ticks_next_window(Ticks *ticks, Err *err);

/* All events are placed. Hands on the remaining ticks. */
bool ticks_finish(Ticks *ticks, Err *err);
