/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's own algorithm for the degree of parallelism (§2.2.3, figure 2.7), as a second opinion and for comparing
 * cost: two tasks are simulated alone, and every phase of one is compared with every phase of the other, O(r²). Shares
 * nothing with src/placement/graph but the graph. */
#pragma once

#include "model/tfg.h"

/* TP, on a graph that is folded or has no loops and no deadlock of the two. */
double oracle_overlap(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena);
