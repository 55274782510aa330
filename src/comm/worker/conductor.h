/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 has the ranks execute chunks, and takes in what they found. */
#pragma once

#include "comm/worker/clocks.h"
#include "comm/worker/items.h"

typedef struct Conductor Conductor;

/* `is_crowded` [n_ranks]: more ranks than processors are on that rank's machine. */
Conductor *conductor_new(Worker *worker, Clocks *clocks, const bool *is_crowded);
void conductor_free(Conductor *conductor);

/* Executes an operation for the first time: to see what it costs, and which batch or windows fit it. Ping-pongs that
 * needn't be batched count as samples. */
bool conductor_probe(Conductor *conductor, Item *item, uint32_t samples, uint32_t warmup, Err *err);

/* Takes samples. Those of collectives may stay pending until the clocks have been compared again. */
bool conductor_sample(Conductor *conductor, Item *item, uint32_t samples, Err *err);

/* What a chunk of so many samples will take. */
double conductor_chunk_s(const Conductor *conductor, const Item *item, double samples);

/* What settling the pending samples at the end will take. */
double conductor_settling_s(const Conductor *conductor);

/* Compares the clocks if that is due, or if `now`, and gives pending samples their times. */
bool conductor_settle(Conductor *conductor, bool now, Err *err);

/* Lets the other ranks out of their loop. */
bool conductor_end(Conductor *conductor, Err *err);
