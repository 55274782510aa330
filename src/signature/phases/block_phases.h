/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases as repeated stretches of the sequence of blocks (thesis §3.4.2; spec/1 §1.5). */
#pragma once

#include "base/vec.h"
#include <stdint.h>

typedef struct BlockPhase {
    uint32_t first_block, n_blocks; /* of its first occurrence */
    uint32_t weight;
} BlockPhase;

typedef struct BlockPhases {
    VEC(BlockPhase) phases;
    VEC(uint32_t) sequence; /* numbers of phases: the occurrences; one after the other they are the blocks */
} BlockPhases;              /* zero-initialise */

void block_phases_free(BlockPhases *found);

/* names[n_blocks] are below `n_names`; n_blocks < UINT32_MAX. Scans from the left: the longest stretch that starts
 * here, holds no name twice, and comes again later or is a phase already; a name that starts no such stretch is a phase
 * by itself. As no name comes twice in it, a stretch can't overlap with where it comes again. */
void block_phases_find(const uint32_t *names, uint32_t n_blocks, uint32_t n_names, BlockPhases *found);
