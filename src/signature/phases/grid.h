/* SPDX-License-Identifier: BSD-3-Clause */
/* At which occurrences cuts lie: at every n-th one or, as soon as the sequence is known to repeat,
 * at whole periods, or at the same few places of each period:
 *
 *     period      |--- 2 3 3 4 ---|--- 2 3 3 4 ---|--- 2 3 3 4 ---|
 *     cuts        |       |       |       |       |       |            two in each period
 *
 * So two cuts can lie whole periods apart. The grid gets coarser as the trace gets longer. It
 * starts again where the program goes over to another loop. */
#pragma once

#include "model/loops.h"

typedef struct Grid {
    uint64_t origin;  /* occurrence of a cut */
    uint64_t length;  /* occurrences in a period or in several; 1 at first */
    uint64_t n_parts; /* a cut at the start of each part of a period; a power of two */
} Grid;

static const Grid grid_start = {0, 1, 1};

/* The first place of the grid at or after the occurrence. */
uint64_t grid_next(const Grid *grid, uint64_t occurrence);

/* A grid at most half as dense. If the sequence repeats at its end, the grid has its periods. From
 * *kept_from on, the places of the new grid are among those of the old one; before *kept_from they
 * aren't. UINT64_MAX: nowhere. */
Grid grid_coarser(const Grid *grid, const Loops *loops, uint64_t *kept_from);

/* If the sequence now repeats something else than the grid's period, makes a grid of the new
 * period, as dense as before. It begins at the next period, so no earlier cut is on it. */
void grid_follow(Grid *grid, const Loops *loops);
