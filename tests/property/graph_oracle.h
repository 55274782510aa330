/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's own algorithm for the degree of parallelism (§2.2.3, figure 2.7), for checking
 * results and comparing cost. It simulates two tasks alone, and compares every phase of one with
 * every phase of the other, O(r²). It shares only the graph with src/placement/graph. */
#pragma once

#include "model/tfg.h"

/* Computes TP. The graph must be folded, or have no loops, and the two tasks must not deadlock. */
double oracle_overlap(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena);
