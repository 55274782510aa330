/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of task graphs, as files of SVG. */
#pragma once

#include "model/ttig.h"
#include "placement/graph/overlap.h"
#include "placement/graph/summary.h"

/* Tasks on a circle, and edges between them. A TIG's edges have no direction, so a pair's two edges are drawn as one. */
const char *graph_picture(const Ttig *ttig, const GraphSummary *summary, Arena *arena);

/* What each task sends to each. */
const char *graph_matrix_picture(const Ttig *ttig, Arena *arena);

/* When two tasks compute, and which messages bind them (thesis, figure 2.6). */
const char *graph_overlap_picture(const Ttig *ttig, const uint32_t tasks[2], const Overlap *overlap, Arena *arena);

/* The steps of each task in a column, with loops and messages (thesis, figure 2.3). */
const char *graph_steps_picture(const TaskGraph *graph, Arena *arena);
