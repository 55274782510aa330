/* SPDX-License-Identifier: BSD-3-Clause */
/* See pictures.h. */
#include "verbs/graph/pictures.h"

#include "report/format.h"
#include "verbs/report/pictures.h"

enum { SOURCE_ROOM = 40 };

const char *graph_matrix_picture(const Ttig *ttig, Arena *arena)
{
    json_t *pairs = json_array();
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i];
        json_array_append_new(
            pairs, json_pack("{s:i, s:i, s:f}", "from", (int)edge->from, "to", (int)edge->to, "bytes", edge->bytes));
    }
    json_t *document = json_pack("{s:i, s:o}", "processes", (int)ttig->n_nodes, "pairs", pairs);
    const char *name = ttig->source[0] ? format_name(arena, ttig->source, SOURCE_ROOM) : "graph";
    const char *file =
        matrix_file(document, true, arena_printf(arena, "%s: bytes from each task to each", name), arena);
    json_decref(document);
    return file;
}
