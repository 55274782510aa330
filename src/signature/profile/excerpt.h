/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of ticks of the logical trace, as the thesis draws it. Ordering stops at the end of the
 * range. */
#pragma once

#include "signature/order/order.h"

typedef struct ExcerptTick {
    uint64_t number; /* number of the row in the logical trace, from 0 */
    uint64_t lt;
    TickKind kind;
    size_t first_event, n_events; /* in Excerpt.events, ascending by process */
} ExcerptTick;

typedef struct ExcerptRange {
    uint64_t first_tick, end_tick;       /* [first, end) */
    uint32_t first_process, end_process; /* [first, end), within the trace's processes */
    bool receives;                       /* false: only send-like events are shown, and only
                                            their ticks are counted */
} ExcerptRange;

typedef struct Excerpt {
    ExcerptRange range; /* end_tick is lower if the trace ends earlier */
    const char *order;  /* the method's name */
    size_t n_ticks;
    const ExcerptTick *ticks;
    const LogicalEvent *events;
    bool more; /* true: more ticks follow; false: not known */
} Excerpt;

/* Most ticks × processes of an excerpt. A larger range is an ERR_USAGE. */
#define EXCERPT_CELL_LIMIT (1u << 22)

/* Reads the ticks of the range. `order`: see order_trace(). ERR_USAGE: the range is too large, or
 * holds no tick; then the message says how many ticks the trace has. Results in the arena. */
bool excerpt_read(EventSource *source, const char *order, const ExcerptRange *range, const OrderOptions *options,
                  const Progress *progress, Arena *arena, Excerpt *excerpt, Err *err);
