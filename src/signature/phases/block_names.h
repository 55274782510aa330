/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parallel basic blocks are similar (thesis §3.4.2). A block lies between two ticks, its
 * entry and its exit. For each process, the block holds three things: type and volume of the
 * process's event in the entry tick, type and volume of its event in the exit tick, and the
 * computation before the latter. A process without an event in the exit tick computes nothing in
 * this block. Its computation belongs to the block that ends with its next event. So no computation
 * is counted twice or lost.
 *
 * A block gets the name of the oldest block that is similar to it. A block that is similar to none
 * is *distinct*: it gets a new name, and later blocks may be named after it. */
#pragma once

#include "model/signature.h"
#include "signature/phases/rows.h"

/* A block that isn't similar to any earlier block. */
typedef struct DistinctBlock {
    uint32_t entry, exit;  /* rows */
    uint32_t next_in_leaf; /* see block_names.c */
    size_t first_time;     /* index of its computation times: one for each event of the exit row */
} DistinctBlock;

typedef struct BlockNames {
    double volume_tolerance, compute_tolerance;
    double floor_ns; /* computation times that differ by no more than this are similar, too */
    VEC(DistinctBlock) distinct;
    VEC(float) times; /* in ns; a float keeps 7 digits */
    Map class_of;     /* shapes of entry and exit -> number in classes */
    VEC(struct BlockClass) classes;
    VEC(struct BlockNode) nodes;
    uint64_t n_cut_short; /* blocks for which the search for an older similar block was cut short */
} BlockNames;

void block_names_init(BlockNames *names, const PhaseParameters *parameters, double floor_ns);
void block_names_free(BlockNames *names);

/* Returns the name, a number from 0, of the block between two ticks. times: in ns, the computation
 * before each event of the exit tick. */
uint32_t block_names_find(BlockNames *names, const Rows *rows, uint32_t entry, uint32_t exit, const float *times);
