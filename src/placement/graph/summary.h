/* SPDX-License-Identifier: BSD-3-Clause */
/* What a TTIG says of its pairs of tasks. */
#pragma once

#include "model/ttig.h"

/* By how much of the shorter of the two is overlapped: at most one per cent, at least 99, or between. */
typedef enum PairKind { PAIR_SEQUENTIAL, PAIR_PARTIAL, PAIR_CONCURRENT } PairKind;

/* "sequential", "partial", "concurrent", by PairKind; NULL ends them. */
extern const char *const pair_kind_names[];

/* Two tasks that communicate. [0] is the lower's: sent by it, p of it to the other. */
typedef struct TaskPair {
    uint32_t tasks[2];
    double bytes[2], messages[2], parallelism[2]; /* parallelism: of an edge as it is; where there is one edge alone,
                                                     the other direction's follows from the overlap */
    bool has_edge[2];
    double overlap_s; /* TP */
    PairKind kind;
} TaskPair;

typedef struct GraphSummary {
    uint32_t n_pairs, n_of[PAIR_CONCURRENT + 1];
    const TaskPair *pairs; /* by volume, largest first */
    double bytes, messages, compute_s;
} GraphSummary;

GraphSummary graph_summarise(const Ttig *ttig, Arena *arena);
