/* SPDX-License-Identifier: BSD-3-Clause */
/* Task graphs as text, JSON, Graphviz's DOT and GraphML. */
#pragma once

#include "base/fields.h"
#include "placement/graph/graph.h"
#include "placement/graph/summary.h"

/* all: every pair, not only the first ones of each kind. */
const char *graph_text(const Ttig *ttig, const GraphSummary *summary, bool all, bool color, Arena *arena);
extern const FieldList graph_fields; /* of what graph_json makes */
json_t *graph_json(const Ttig *ttig, const GraphSummary *summary);

/* For Graphviz. A TIG's edges have no direction, so a pair's two edges are drawn as one. */
const char *graph_dot(const Ttig *ttig, const GraphSummary *summary, Arena *arena);
const char *graph_graphml(const Ttig *ttig, Arena *arena);
