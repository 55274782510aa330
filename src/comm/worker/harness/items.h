/* SPDX-License-Identifier: BSD-3-Clause */
/* The items that rank 0 measures, and their samples so far. An item is an operation with a size
 * and, for exchanges, a pair of ranks. */
#pragma once

#include "base/vec.h"
#include "comm/worker/harness/chunk.h"

typedef struct Item {
    const char *operation;
    uint32_t collective; /* index in the transport's table */
    bool is_exchange;
    uint32_t exchange; /* number of exchanges.h */
    int from, to;
    size_t bytes, moved_bytes;
    const struct Item *smaller; /* the next smaller size of the same operation and pair, or NULL */
    /* The same collective without computing, if this item computes between start and wait; else NULL. */
    const struct Item *alone;
    bool computes; /* has `alone` */

    /* Approximate, of one repetition (for exchanges, of a whole one); 0: unknown. */
    double cost_s;
    double typical_s; /* collectives: the median of the first visit */
    /* The shortest repetition of the first visit, taken as undisturbed. */
    double least_s;
    double spacing_s, least_spacing_s; /* between windows: current and least */
    uint32_t batch;
    uint32_t
        messages; /* of `pairs`: those of a window of each pair; else 1. A sample is the time over batch · messages */
    VEC(double) samples, skews;
    VEC(double) computed_s; /* by which the samples were shortened; of items that compute */
    uint64_t late;
    size_t pending; /* samples that still need a comparison of clocks */
    size_t printed, judged;
    uint64_t late_printed;
    bool has_reached, is_finished;
} Item;

typedef struct Items {
    Item *items; /* by ascending size, so that the first sweep begins with cheap items */
    size_t count;
} Items;

/* Plans all items. Prints an `unsupported` record for each operation or size that the transport
 * doesn't have. */
Items items_plan(Worker *worker);

/* The expected cost of a repetition, in seconds: known, or extrapolated from smaller sizes. 0 if
 * nothing is known. */
double item_estimate(const Item *item);

/* How long the next repetitions compute: as long as the collective takes without. 0: the item doesn't compute. */
double item_compute_s(const Item *item);

/* Decides whether the item needs more samples. Call it after samples were added. */
void item_judge(Item *item, const Request *request);

/* Prints a `samples` record of all new samples, if there are any. */
void item_print(Item *item, const Worker *worker);

void items_free(Items *items);
