/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps to the memory limit. Counts what can grow with the trace, after every batch of events that
 * is read. So memory can exceed the limit by one batch. */
#include "signature/order/engine.h"

#include <stdio.h>

typedef struct Use {
    size_t queues, streams, collectives, ticks;
} Use;

/* Without what can be spilled, but with room to put one window together from it. */
static Use use_at_least(const Order *order)
{
    const Ticks *ticks = &order->ticks;
    Use use = {.queues = order->queue_bytes, .streams = streams_bytes(&order->streams), .ticks = ticks_bytes(ticks)};
    use.collectives = order->instance_bytes + map_bytes(&order->memberships) +
                      order->next_instance.capacity * sizeof *order->next_instance.items;
    if (ticks->held)
        use.ticks += held_bytes(ticks->held) - held_spillable_bytes(ticks->held) +
                     held_window_bytes(ticks->n_columns, ticks->length);
    return use;
}

typedef struct SizeText {
    char text[32];
} SizeText;

/* The largest unit that gives a value >= 1. */
static SizeText size_text(size_t size_bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    SizeText size;
    double value = (double)size_bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(size.text, sizeof size.text, "%.*f %s", unit ? 1 : 0, value, units[unit]);
    return size;
}

static bool fail(const Order *order, const Use *use, size_t sum, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT,
                   "ordering the events needs %s, and the limit is %s: %s for events read ahead, %s for messages "
                   "in flight, %s for collectives, %s for ticks being put together",
                   size_text(sum).text, size_text(order->memory_limit_bytes).text, size_text(use->queues).text,
                   size_text(use->streams).text, size_text(use->collectives).text, size_text(use->ticks).text) ||
           err_hint(err, "raise the limit with --memory");
}

bool order_keep_memory(Order *order, Err *err)
{
    size_t limit = order->memory_limit_bytes;
    if (!limit)
        return true;
    Use use = use_at_least(order);
    size_t sum = use.queues + use.streams + use.collectives + use.ticks;
    if (sum > limit)
        return fail(order, &use, sum, err);
    Held *held = order->ticks.held;
    if (held && sum - held_window_bytes(order->n_sequences, order->ticks.length) + held_spillable_bytes(held) > limit)
        return held_spill(held, err);
    return true;
}
