/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the messages of a folded graph by pairs of tasks. Private to the folder. */
#pragma once

#include "placement/graph/pair.h"

/* What one task of a pair sends to the other. */
typedef struct PairVolume {
    double bytes;
    uint64_t n_messages;
} PairVolume;

typedef struct AdjacentPair {
    uint32_t tasks[2]; /* the lower number first */
    PairSide sides[2];
    PairVolume sent[2];
} AdjacentPair;

typedef struct AdjacentPairs {
    size_t n_pairs;
    const AdjacentPair *pairs; /* ascending by tasks */
} AdjacentPairs;

/* All pairs of tasks that exchange messages. Messages of a task to itself are left out. */
AdjacentPairs adjacent_pairs(const TaskGraph *folded, Arena *arena);
