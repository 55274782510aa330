/* SPDX-License-Identifier: BSD-3-Clause */
/* By how much the computation of a block differs from that of its own repetition, on the machine
 * and by the clock of the trace. This is the floor of the tolerance for computation times: without
 * it, blocks of some microseconds hardly ever repeat. docs/METHOD.md, section 3.
 *
 * Blocks between the same two rows are compared with their predecessors, 1 to FLOOR_LAGS places
 * back. A program that alternates agrees with itself some places back, and only its noise is left
 * there. So each pair of rows chooses the lag by which it differs least. */
#pragma once

#include "base/map.h"
#include "base/spool.h"
#include "base/vec.h"
#include "model/logical.h"

enum { FLOOR_LAGS = 8 };

typedef struct BlockFloor {
    double tolerance; /* the relative one: what it covers counts as no difference */
    Map class_of;     /* rows of entry and exit -> number in classes */
    VEC(struct FloorClass) classes;
    VEC(float) recent; /* [classes][FLOOR_LAGS][events of the exit row] computation times in ns */
    Spool *differences;
} BlockFloor;

void block_floor_init(BlockFloor *floor, double tolerance);
void block_floor_free(BlockFloor *floor);

/* Adds a block. times: [n_times] computation before each event of the exit row, in ns. */
bool block_floor_add(BlockFloor *floor, uint32_t entry, uint32_t exit, const float *times, uint32_t n_times, Err *err);

/* All blocks are added. Finds the time in ns within which, or within the tolerance, FLOOR_SHARE of
 * the blocks agree with their repetition in all processes. 0 if too few blocks repeat. */
#define FLOOR_SHARE 0.95
bool block_floor_find(BlockFloor *floor, double *floor_ns, Err *err);
