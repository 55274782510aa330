/* SPDX-License-Identifier: BSD-3-Clause */
/* At which occurrences milestones lie: at every n-th, or, as soon as the sequence is known to repeat, at whole periods
 * of it, or at the same few places of each:
 *
 *      period      |--- 2 3 3 4 ---|--- 2 3 3 4 ---|--- 2 3 3 4 ---|
 *      milestones  |       |       |       |       |       |            two a period
 *
 * so that between two of them there can be whole periods. The grid gets coarser as the trace gets longer, and begins
 * anew where the program goes over to another loop. */
#pragma once

#include "model/loops.h"

typedef struct Grid {
    uint64_t origin;  /* a milestone */
    uint64_t length;  /* of a period, or of several, in occurrences; 1 at first */
    uint64_t n_parts; /* a milestone at the start of each part of a period; a power of two */
} Grid;

static const Grid grid_start = {0, 1, 1};

/* The first milestone at or behind the occurrence. */
uint64_t grid_next(const Grid *grid, uint64_t occurrence);

/* A grid at most half as dense, in periods of what the sequence repeats at its end, if it does. *kept_from: from there
 * on the milestones of the new grid are among those of the old; before, and if it is UINT64_MAX, they aren't. */
Grid grid_coarser(const Grid *grid, const Loops *loops, uint64_t *kept_from);

/* Where the sequence repeats something else by now than what the grid is in periods of: a grid as dense in periods of
 * that. It begins at the next period, so no milestone before is on it. */
void grid_follow(Grid *grid, const Loops *loops);
