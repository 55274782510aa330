/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 commands all ranks to execute chunks, and collects their samples. */
#pragma once

#include "comm/worker/harness/clocks.h"
#include "comm/worker/harness/items.h"

typedef struct Conductor Conductor;

/* `is_crowded` [n_ranks]: the rank's machine has fewer processors than ranks. */
Conductor *conductor_new(Worker *worker, Clocks *clocks, const bool *is_crowded);
void conductor_free(Conductor *conductor);

/* Executes an operation for the first time, to learn its cost and the right batch or windows. Keeps
 * exchanges as samples if they need no batch. */
bool conductor_probe(Conductor *conductor, Item *item, uint32_t samples, uint32_t warmup, Err *err);

/* Takes samples. A collective's samples may stay pending until the clocks are compared again. */
bool conductor_sample(Conductor *conductor, Item *item, uint32_t samples, Err *err);

/* The expected duration of a chunk of this many samples, in seconds. */
double conductor_chunk_s(const Conductor *conductor, const Item *item, double samples);

/* The expected duration of settling pending samples at the end, in seconds. */
double conductor_settling_s(const Conductor *conductor);

/* Compares the clocks if that is due or `now` is true, and computes the pending samples' times. */
bool conductor_settle(Conductor *conductor, bool now, Err *err);

/* Ends the other ranks' command loop. */
bool conductor_end(Conductor *conductor, Err *err);
