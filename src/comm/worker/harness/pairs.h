/* SPDX-License-Identifier: BSD-3-Clause */
/* The operation `pairs`: rank r of n streams to rank r + n / 2, all pairs at once. If n is odd, the last rank only waits. */
#pragma once

/* The other rank of a rank's pair; -1: none. */
static inline int pairs_peer(int rank, int n_ranks)
{
    const int half = n_ranks / 2;
    return rank < half ? rank + half : rank < 2 * half ? rank - half : -1;
}
