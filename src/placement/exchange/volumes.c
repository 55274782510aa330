/* SPDX-License-Identifier: BSD-3-Clause */
/* See volumes.h. */
#include "placement/exchange/volumes.h"

#include <stdlib.h>

void volumes_add(Volumes *volumes, Volume volume)
{
    if (volume.from == volume.to)
        volumes->n_own++;
    else
        *vec_push(&volumes->list) = volume;
}

static int by_pair(const void *left, const void *right)
{
    const Volume *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static TtigNode *make_nodes(const Volumes *volumes, Arena *arena)
{
    TtigNode *nodes = arena_new_array(arena, TtigNode, volumes->n_tasks);
    for (uint32_t i = 0; i < volumes->n_tasks; i++)
        nodes[i] = (TtigNode){volumes->names ? volumes->names[i] : arena_printf(arena, "%u", i),
                              volumes->seconds ? volumes->seconds[i] : 0};
    return nodes;
}

static bool make_edges(const Volumes *volumes, TtigEdge *edges, Err *err)
{
    const Volume *list = volumes->list.items;
    for (size_t i = 0; i < volumes->list.count; i++) {
        if (i && list[i].from == list[i - 1].from && list[i].to == list[i - 1].to)
            return err_set(err, ERR_INPUT, "%s:%u: a second volume from task %u to task %u; the first is in line %u",
                           volumes->file, list[i].line, list[i].from, list[i].to, list[i - 1].line);
        edges[i] = (TtigEdge){list[i].from, list[i].to, list[i].bytes, 1, 1};
    }
    return true;
}

bool volumes_to_ttig(Volumes *volumes, Arena *arena, const Ttig **ttig, Err *err)
{
    Ttig *made = arena_new_array(arena, Ttig, 1);
    TtigEdge *edges = arena_new_array(arena, TtigEdge, volumes->list.count);
    if (volumes->list.count)
        qsort(volumes->list.items, volumes->list.count, sizeof *volumes->list.items, by_pair);
    bool ok = make_edges(volumes, edges, err);
    *made = (Ttig){.model = MODEL_TIG,
                   .source = volumes->file,
                   .n_nodes = volumes->n_tasks,
                   .n_edges = (uint32_t)volumes->list.count,
                   .nodes = make_nodes(volumes, arena),
                   .edges = edges};
    vec_free(&volumes->list);
    if (ok)
        *ttig = made;
    return ok;
}

const char *volume_text(double bytes, Arena *arena)
{
    const char *text = arena_printf(arena, "%.15g", bytes);
    return strtod(text, NULL) == bytes ? text : arena_printf(arena, "%.17g", bytes);
}
