/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parallel basic blocks are similar (thesis §3.4.2; spec/1 §1.5). A block lies between two ticks. In each process
 * it has the type and volume of the event in the entry tick, those of the event in the exit tick, and the computation
 * before the latter; a process without an event there computes nothing in this block: its computation belongs to the
 * block that ends with its next event, so that none is counted twice or lost.
 *
 * A block is named after the first block that it is similar to, of those that are named after themselves. */
#pragma once

#include "model/signature.h"
#include "signature/phases/rows.h"

/* A block that isn't similar to any before. */
typedef struct DistinctBlock {
    uint32_t entry, exit;  /* rows */
    uint32_t next_in_leaf; /* see block_names.c */
    size_t first_time;     /* of its computation times: one for each event of the exit row */
} DistinctBlock;

typedef struct BlockNames {
    double volume_tolerance, compute_tolerance;
    VEC(DistinctBlock) distinct;
    VEC(float) times; /* ns; float keeps 7 digits */
    Map class_of;     /* shapes of entry and exit -> number in classes */
    VEC(struct BlockClass) classes;
    VEC(struct BlockNode) nodes;
    uint64_t n_cut_short; /* blocks that were not compared with all that might have been similar and older */
} BlockNames;

void block_names_init(BlockNames *names, const PhaseParameters *parameters);
void block_names_free(BlockNames *names);

/* The name, a number from 0, of the block between two ticks; `events` are those of the exit tick. */
uint32_t block_names_find(BlockNames *names, const Rows *rows, uint32_t entry, uint32_t exit,
                          const LogicalEvent *events);
