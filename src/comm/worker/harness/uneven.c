/* SPDX-License-Identifier: BSD-3-Clause */
/* See uneven.h. */
#include "comm/worker/harness/uneven.h"

#include "comm/protocol.h"
#include <assert.h>
#include <stdint.h>

size_t uneven_offset(size_t bytes, int i, int n_blocks)
{
    uint64_t p = (uint64_t)n_blocks, k = (uint64_t)i;
    assert(n_blocks > 1 && n_blocks <= COMM_RANKS_LIMIT && bytes <= 2 * (uint64_t)COMM_BYTES_LIMIT);
    return i == 0 ? 0 : bytes * (k * (k - 1)) / (p * (p - 1));
}

size_t uneven_block(size_t bytes, int i, int n_blocks)
{
    return uneven_offset(bytes, i + 1, n_blocks) - uneven_offset(bytes, i, n_blocks);
}

/* Sets the blocks of an alltoallv, in the order of the other processes. direction: 1 for what process `rank` sends, -1 for
 * what it receives. */
static void turn(size_t bytes, int rank, int direction, int n_blocks, int *counts, int *offsets)
{
    int offset = 0;
    for (int other = 0; other < n_blocks; other++) {
        int distance = (direction * (other - rank) + n_blocks) % n_blocks;
        counts[other] = (int)uneven_block(bytes, distance, n_blocks);
        offsets[other] = offset;
        offset += counts[other];
    }
}

const UnevenBlocks *uneven_blocks(size_t bytes, int rank, int n_blocks)
{
    static int numbers[6][COMM_RANKS_LIMIT];
    static const UnevenBlocks blocks = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    static struct {
        size_t bytes;
        int rank, n_blocks;
    } known;
    if (known.bytes == bytes && known.rank == rank && known.n_blocks == n_blocks)
        return &blocks;
    for (int i = 0; i < n_blocks; i++) {
        blocks.counts[i] = (int)uneven_block(bytes, i, n_blocks);
        blocks.offsets[i] = (int)uneven_offset(bytes, i, n_blocks);
    }
    turn(bytes, rank, 1, n_blocks, blocks.sent_counts, blocks.sent_offsets);
    turn(bytes, rank, -1, n_blocks, blocks.received_counts, blocks.received_offsets);
    known.bytes = bytes;
    known.rank = rank;
    known.n_blocks = n_blocks;
    return &blocks;
}
