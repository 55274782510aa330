/* SPDX-License-Identifier: BSD-3-Clause */
/* See pictures.h. */
#include "verbs/graph/pictures.h"

#include "base/text.h"
#include "report/format.h"
#include "verbs/show/heat_map.h"

enum { SOURCE_ROOM = 40 };

const char *graph_matrix_picture(const Ttig *ttig, Arena *arena)
{
    uint32_t n = ttig->n_nodes, block = (n + HEAT_MAP_ROWS - 1) / HEAT_MAP_ROWS, rows = (n + block - 1) / block;
    double *values = arena_new_array(arena, double, (size_t)rows *rows);
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i];
        values[(size_t)(edge->from / block) * rows + edge->to / block] += edge->bytes;
    }
    const char *name = ttig->source[0] ? format_name(arena, ttig->source, SOURCE_ROOM) : "graph";
    return heat_map(&(HeatMap){name, "task", "tasks", false, n, block, values}, arena);
}
