/* SPDX-License-Identifier: BSD-3-Clause */
/* The other ranks' clocks, as rank 0 knows them: how far each is ahead of its own. Each synchronisation takes the
 * offset from the exchange with the least round trip of many (the answer was read half of it earlier, by at most half
 * of it wrong); between two of them the offset is taken to be a line. A rank that reads the very clock of rank 0 is
 * ahead by 0, exactly. */
#pragma once

#include "comm/worker/chunk.h"
#include <jansson.h>

typedef struct Clocks Clocks;

/* `is_same` [n_ranks]: whose clock is rank 0's own. */
Clocks *clocks_new(Worker *worker, const bool *is_same);

/* At rank 0, while the others await commands. */
bool clocks_synchronise(Clocks *clocks, Err *err);

/* The other side of it. */
bool clocks_answer(Worker *worker, Err *err);

/* Whether all ranks read one clock, and there is nothing to synchronise. */
bool clocks_are_one(const Clocks *clocks);

/* An instant of rank 0's clock on a rank's clock, as far as is known by now; and how fast that one goes. */
int64_t clocks_of_rank(const Clocks *clocks, int rank, int64_t instant_ns, double *rate);

/* An instant of a rank's clock on rank 0's, if it lies between the last two synchronisations. Relative to `base_ns` of
 * rank 0's clock, in seconds. */
double clocks_of_root(const Clocks *clocks, int rank, int64_t instant_ns, int64_t base_ns);

/* The `clock` record's members of a rank. */
json_t *clocks_describe(const Clocks *clocks, int rank);
