/* SPDX-License-Identifier: BSD-3-Clause */
/* The other ranks' clocks as rank 0 knows them: how far each is ahead of rank 0's.
 *
 * A synchronisation makes many exchanges, and takes the offset from the one with the least round
 * trip. The other rank's reading is assumed at the middle of the round trip, so the error is at
 * most half of it. Between two synchronisations, the offset is interpolated linearly. A rank that
 * shares rank 0's clock has the offset 0. */
#pragma once

#include "comm/worker/harness/chunk.h"
#include <jansson.h>

typedef struct Clocks Clocks;

/* `is_same` [n_ranks]: whether the rank shares rank 0's clock. */
Clocks *clocks_new(Worker *worker, const bool *is_same);

/* Measures all offsets. Rank 0 calls it while the others wait for commands. */
bool clocks_synchronise(Clocks *clocks, Err *err);

/* The other ranks' part of clocks_synchronise(). */
bool clocks_answer(Worker *worker, Err *err);

/* Whether all ranks share one clock; then synchronising is unnecessary. */
bool clocks_are_one(const Clocks *clocks);

/* Converts an instant of rank 0's clock to a rank's clock, by what is known now. `rate` gets the
 * other clock's ns per ns of rank 0's. */
int64_t clocks_of_rank(const Clocks *clocks, int rank, int64_t instant_ns, double *rate);

/* Converts an instant of a rank's clock, between the last two synchronisations, to rank 0's. The
 * result is in seconds, relative to `base_ns` on rank 0's clock. */
double clocks_of_root(const Clocks *clocks, int rank, int64_t instant_ns, int64_t base_ns);

/* The members of a rank's `clock` record. */
json_t *clocks_describe(const Clocks *clocks, int rank);
