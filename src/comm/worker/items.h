/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to measure, at rank 0: each operation with each of its sizes, ping-pong for each pair of ranks; and
 * what has been measured of it so far. */
#pragma once

#include "base/vec.h"
#include "comm/worker/chunk.h"

typedef struct Item {
    const char *operation;
    uint32_t collective; /* number in the transport's table */
    bool is_pingpong;
    int from, to;
    size_t bytes, moved_bytes;
    const struct Item *smaller; /* the next smaller size of the same operation and pair, or NULL */

    double cost_s;                     /* of one repetition (a whole round trip), nearly; 0: not known */
    double least_s;                    /* the shortest repetition of the first visit: what it costs undisturbed */
    double spacing_s, least_spacing_s; /* of windows: now, and at the least */
    uint32_t batch;
    VEC(double) samples, skews;
    uint64_t late;
    size_t pending; /* samples taken whose times aren't known yet */
    size_t printed, judged;
    uint64_t late_printed;
    bool has_reached, is_finished;
} Item;

typedef struct Items {
    Item *items; /* ascending in size, so that the first sweep begins with what is cheap */
    size_t count;
} Items;

/* Prints an `unsupported` record of each operation, and of each size, that the transport doesn't have. */
Items items_plan(Worker *worker);

/* What one repetition will cost: known, or extrapolated from smaller sizes. 0: nothing is known. */
double item_estimate(const Item *item);

/* Whether it has been measured often enough; to be asked after samples have come. */
void item_judge(Item *item, const Request *request);

/* A `samples` record of what has come since the last; nothing if nothing has. */
void item_print(Item *item, const Worker *worker);

void items_free(Items *items);
