/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of ticks of the logical trace, as the thesis draws it. Ordering ends behind it. */
#pragma once

#include "signature/order/order.h"

typedef struct ExcerptTick {
    uint64_t number; /* of the row in the logical trace, from 0 */
    uint64_t lt;
    TickKind kind;
    size_t first_event, n_events; /* in Excerpt.events, ascending by process */
} ExcerptTick;

typedef struct ExcerptRange {
    uint64_t first_tick, end_tick;       /* [first, end) */
    uint32_t first_process, end_process; /* [first, end), within the trace's processes */
    bool receives;                       /* false: ticks count, and hold, send-like events alone */
} ExcerptRange;

typedef struct Excerpt {
    ExcerptRange range; /* with end_tick where the trace ends, if it ends earlier */
    const char *order;  /* the method's name */
    size_t n_ticks;
    const ExcerptTick *ticks;
    const LogicalEvent *events;
    bool more; /* ticks follow; false: perhaps */
} Excerpt;

/* Ticks × processes of an excerpt; larger ones are an ERR_USAGE. */
#define EXCERPT_CELL_LIMIT (1u << 22)

/* No tick at all in the range: ERR_USAGE that tells how many there are. `order`: see order_trace. */
bool excerpt_read(EventSource *source, const char *order, const ExcerptRange *range, const OrderOptions *options,
                  const Progress *progress, Arena *arena, Excerpt *excerpt, Err *err);
