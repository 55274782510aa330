/* SPDX-License-Identifier: BSD-3-Clause */
/* What a TTIG says about its pairs of tasks. */
#pragma once

#include "model/ttig.h"

/* How much of the shorter task overlaps with the other: at most 1 %, between, or at least 99 %. */
typedef enum PairKind { PAIR_SEQUENTIAL, PAIR_PARTIAL, PAIR_CONCURRENT } PairKind;

/* "sequential", "partial", "concurrent", in the order of PairKind; ended by NULL. */
extern const char *const pair_kind_names[];

/* Two tasks that communicate. [0] belongs to the lower task: bytes and messages that it sends, and
 * the parallelism of the edge from it. */
typedef struct TaskPair {
    uint32_t tasks[2];
    double bytes[2], messages[2], parallelism[2]; /* of the edge; if only one edge exists, the
                                                     other direction's is computed from the
                                                     overlap */
    bool has_edge[2];
    double overlap_s; /* TP: the time in which both compute */
    PairKind kind;
} TaskPair;

typedef struct GraphSummary {
    uint32_t n_pairs, n_of[PAIR_CONCURRENT + 1];
    const TaskPair *pairs; /* by volume, largest first */
    double bytes, messages, compute_s;
} GraphSummary;

GraphSummary graph_summarise(const Ttig *ttig, Arena *arena);
