/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a folded graph by the pair of tasks that they are between. Private to the folder. */
#pragma once

#include "placement/graph/pair.h"

/* What one of a pair sends to the other. */
typedef struct PairVolume {
    double bytes;
    uint64_t n_messages;
} PairVolume;

typedef struct AdjacentPair {
    uint32_t tasks[2]; /* the lower first */
    PairSide sides[2];
    PairVolume sent[2];
} AdjacentPair;

typedef struct AdjacentPairs {
    size_t n_pairs;
    const AdjacentPair *pairs; /* ascending */
} AdjacentPairs;

/* Messages of a task to itself are of no pair. */
AdjacentPairs adjacent_pairs(const TaskGraph *folded, Arena *arena);
