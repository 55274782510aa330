/* SPDX-License-Identifier: BSD-3-Clause */
/* The uneven blocks of gatherv, scatterv, allgatherv and alltoallv: block i of p has 2 i / (p (p - 1)) of the bytes. So
 * blocks grow linearly, from nothing to twice their mean. */
#pragma once

#include <stddef.h>

/* Where block i of `n_blocks` begins in a vector of so many bytes; with i = n_blocks, where the last one ends. */
size_t uneven_offset(size_t bytes, int i, int n_blocks);

size_t uneven_block(size_t bytes, int i, int n_blocks);

/* Counts and offsets of all blocks, as MPI takes them: [n_blocks] each. Process r sends block d to process
 * r + d (modulo n_blocks) in an alltoallv, so all processes send and receive as much. */
typedef struct UnevenBlocks {
    int *counts, *offsets;                   /* in the order of processes */
    int *sent_counts, *sent_offsets;         /* alltoallv */
    int *received_counts, *received_offsets; /* alltoallv */
} UnevenBlocks;

/* The blocks of a vector at process `rank`. They are computed anew only if `bytes` isn't that of the call before, so no
 * repetition but the first one takes time for them. The result lives until the next call. */
const UnevenBlocks *uneven_blocks(size_t bytes, int rank, int n_blocks);
