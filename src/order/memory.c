/* SPDX-License-Identifier: BSD-3-Clause */
/* The limit of memory. Counted is what can grow with the trace; it is looked at after every batch of events that is
 * read, so a batch's worth may come on top. */
#include "order/engine.h"

typedef struct Use {
    size_t queues, streams, collectives, ticks;
} Use;

/* Without what can be spilled, but with room for the window that is put together from it. */
static Use use_at_least(const Order *order)
{
    const Ticks *ticks = &order->ticks;
    Use use = {.queues = order->queue_bytes, .streams = streams_bytes(&order->streams), .ticks = ticks_bytes(ticks)};
    use.collectives = order->instance_bytes + map_bytes(&order->memberships) +
                      order->next_instance.capacity * sizeof *order->next_instance.items;
    if (ticks->held)
        use.ticks += held_bytes(ticks->held) - held_spillable_bytes(ticks->held) +
                     held_window_bytes(ticks->n_processes, ticks->length);
    return use;
}

static double mib(size_t size_bytes)
{
    return (double)size_bytes / (1 << 20);
}

static bool fail(const Order *order, const Use *use, size_t sum, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT,
                   "ordering the events takes %.1f MiB so far, and may take %.1f MiB: %.1f MiB for events read ahead, "
                   "%.1f for messages under way, %.1f for collectives, %.1f for ticks being put together",
                   mib(sum), mib(order->memory_limit_bytes), mib(use->queues), mib(use->streams), mib(use->collectives),
                   mib(use->ticks)) ||
           err_hint(err, "raise --memory");
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
    if (held && sum - held_window_bytes(order->n_processes, order->ticks.length) + held_spillable_bytes(held) > limit)
        return held_spill(held, err);
    return true;
}
