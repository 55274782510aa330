/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases as repeated stretches of the sequence of blocks (thesis §3.4.2). */
#pragma once

#include "base/vec.h"
#include <stdint.h>

typedef struct BlockPhase {
    uint32_t first_block, n_blocks; /* place and length of its first occurrence, in blocks */
    uint32_t weight;
} BlockPhase;

typedef struct BlockPhases {
    VEC(BlockPhase) phases;
    /* Numbers of phases, in order of occurrence; put together, they give all blocks. */
    VEC(uint32_t) sequence;
} BlockPhases; /* zero-initialise */

void block_phases_free(BlockPhases *found);

/* Finds the phases. names[n_blocks] are below `n_names`; n_blocks < UINT32_MAX.
 *
 * Scans from the left. Takes the longest stretch that starts here, holds no name twice, and occurs
 * again later or is a phase already. If there is none, the block is a phase by itself. Since no
 * name occurs twice in a stretch, it can't overlap with its own repetition. */
void block_phases_find(const uint32_t *names, uint32_t n_blocks, uint32_t n_names, BlockPhases *found);
