/* SPDX-License-Identifier: BSD-3-Clause */
/* Scotch's graphs (.grf, version 0; Scotch's user's guide, "Graph files"). Edges have no direction:
 * each stands at both of its ends. A weight of an edge is bytes, in both directions together. A
 * weight of a vertex is microseconds of computation. */
#include "base/map.h"
#include "base/text.h"
#include "placement/exchange/volumes.h"
#include "placement/exchange/words.h"

#include <math.h>
#include <stdlib.h>

/* Sums of weights stay below the limit of Scotch's numbers. */
#define WEIGHTS_LIMIT 2147483647.0
#define VERTEX_UNIT_S 1e-6

typedef struct Graph {
    Words words;
    int64_t n, n_arcs, base;
    bool has_labels, has_edge_weights, has_vertex_weights;
    double *seconds;
    int64_t *labels;
    Map numbers; /* label -> vertex */
    Volumes *volumes;
    Arena *arena;
} Graph;

static bool read_head(Graph *graph, Err *err)
{
    Words *words = &graph->words;
    int64_t version, flags;
    if (!words_whole(words, "the version", 0, 0, &version, err) ||
        !words_whole(words, "the number of vertices", 1, TASKS_LIMIT, &graph->n, err) ||
        !words_whole(words, "the number of arcs", 0, UINT32_MAX, &graph->n_arcs, err) ||
        !words_whole(words, "the base of numbers", 0, 1, &graph->base, err) ||
        !words_whole(words, "the flags", 0, 111, &flags, err))
        return false;
    if (flags % 10 > 1 || flags / 10 % 10 > 1)
        return words_refuse(words, err, "flags %03d: each digit should be 0 or 1", (int)flags);
    graph->has_labels = flags >= 100;
    graph->has_edge_weights = flags / 10 % 10;
    graph->has_vertex_weights = flags % 10;
    return true;
}

/* Ends of arcs are kept as labels, since a label may be that of a later vertex. */
static bool read_arcs(Graph *graph, uint32_t vertex, Err *err)
{
    Words *words = &graph->words;
    int64_t degree, weight = 1, end;
    int64_t least = graph->has_labels ? 0 : graph->base;
    int64_t most = graph->has_labels ? UINT32_MAX - 1 : graph->base + graph->n - 1;
    if (!words_whole(words, "the number of arcs of a vertex", 0, graph->n_arcs, &degree, err))
        return false;
    for (int64_t i = 0; i < degree; i++) {
        if ((graph->has_edge_weights &&
             !words_whole(words, "the weight of an edge", 1, (int64_t)BYTES_LIMIT, &weight, err)) ||
            !words_whole(words, "the end of an arc", least, most, &end, err))
            return false;
        if ((int64_t)graph->volumes->list.count == graph->n_arcs)
            return words_refuse(words, err, "more arcs than the %d of the head", (int)graph->n_arcs);
        *vec_push(&graph->volumes->list) = (Volume){vertex, (uint32_t)end, words->line, (double)weight};
    }
    return true;
}

static bool read_vertex(Graph *graph, uint32_t vertex, Err *err)
{
    Words *words = &graph->words;
    int64_t label = graph->base + vertex, weight = 0;
    bool is_new;
    if (graph->has_labels && !words_whole(words, "the label of a vertex", 0, UINT32_MAX - 1, &label, err))
        return false;
    *map_put(&graph->numbers, (MapKey){0, (uint64_t)label}, &is_new) = vertex;
    if (!is_new)
        return words_refuse(words, err, "a second vertex with the label %d", (int)label);
    if (graph->has_vertex_weights &&
        !words_whole(words, "the weight of a vertex", 0, (int64_t)(SECONDS_LIMIT / VERTEX_UNIT_S), &weight, err))
        return false;
    graph->labels[vertex] = label;
    graph->seconds[vertex] = (double)weight * VERTEX_UNIT_S;
    return read_arcs(graph, vertex, err);
}

static bool resolve_ends(Graph *graph, Err *err)
{
    for (size_t i = 0; i < graph->volumes->list.count; i++) {
        Volume *arc = &graph->volumes->list.items[i];
        const uint64_t *number = map_get(&graph->numbers, (MapKey){0, arc->to});
        graph->words.line = arc->line;
        if (!number)
            return words_refuse(&graph->words, err, "an arc to %u, but no vertex has this label", arc->to);
        arc->to = (uint32_t)*number;
        if (arc->to == arc->from)
            return words_refuse(&graph->words, err, "an arc from a vertex to itself");
    }
    return true;
}

static int by_pair(const void *left, const void *right)
{
    const Volume *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Each arc has its counterpart. Each direction gets one half of the weight. */
static bool check_arcs(Graph *graph, Err *err)
{
    size_t n = graph->volumes->list.count;
    Volume *arcs = graph->volumes->list.items;
    if (n)
        qsort(arcs, n, sizeof *arcs, by_pair);
    for (size_t i = 0; i < n; i++) {
        const Volume wanted = {.from = arcs[i].to, .to = arcs[i].from};
        const Volume *other = bsearch(&wanted, arcs, n, sizeof *arcs, by_pair);
        graph->words.line = arcs[i].line;
        if (!other || other->bytes != arcs[i].bytes)
            return words_refuse(&graph->words, err, "the arc from %d to %d has no counterpart of the same weight",
                                (int)graph->labels[arcs[i].from], (int)graph->labels[arcs[i].to]);
    }
    for (size_t i = 0; i < n; i++)
        arcs[i].bytes /= 2;
    return true;
}

static bool read_graph(Graph *graph, Err *err)
{
    if (!read_head(graph, err))
        return false;
    graph->labels = arena_new_array(graph->arena, int64_t, graph->n);
    graph->seconds = arena_new_array(graph->arena, double, graph->n);
    for (uint32_t i = 0; i < graph->n; i++)
        if (!read_vertex(graph, i, err))
            return false;
    if ((int64_t)graph->volumes->list.count != graph->n_arcs)
        return words_refuse(&graph->words, err, "%zu arcs, but the head says %d", graph->volumes->list.count,
                            (int)graph->n_arcs);
    return words_end(&graph->words, err) && resolve_ends(graph, err) && check_arcs(graph, err);
}

static const char *const *label_names(const Graph *graph)
{
    const char **names = arena_new_array(graph->arena, const char *, graph->n);
    for (int64_t i = 0; i < graph->n; i++)
        names[i] = arena_printf(graph->arena, "%d", (int)graph->labels[i]);
    return names;
}

bool volumes_read_scotch(const char *path, Arena *arena, Volumes *volumes, bool has_weights[2], Err *err)
{
    Graph graph = {.volumes = volumes, .arena = arena};
    if (!words_open(path, arena, &graph.words, err))
        return false;
    bool ok = read_graph(&graph, err);
    map_free(&graph.numbers);
    if (!ok)
        return false;
    volumes->n_tasks = (uint32_t)graph.n;
    volumes->names = graph.has_labels ? label_names(&graph) : NULL;
    volumes->seconds = graph.has_vertex_weights ? graph.seconds : NULL;
    has_weights[0] = graph.has_vertex_weights;
    has_weights[1] = graph.has_edge_weights;
    return true;
}

/* ---- writing ---- */

/* The smallest of unit, 10 · unit … in which the sum is within the limit; `n` numbers are rounded up. */
static double unit_for(double sum, double unit, uint32_t n)
{
    while (sum / unit + n > WEIGHTS_LIMIT)
        unit *= 10;
    return unit;
}

static const TtigEdge *find_edge(const Ttig *ttig, uint32_t from, uint32_t to)
{
    const TtigEdge wanted = {.from = from, .to = to};
    return bsearch(&wanted, ttig->edges, ttig->n_edges, sizeof wanted, ttig_compare_edges);
}

/* The volumes of all pairs, at both ends. */
static void collect_arcs(const Ttig *ttig, Volumes *volumes)
{
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i], *back = find_edge(ttig, edge->to, edge->from);
        double bytes = edge->bytes + (back ? back->bytes : 0);
        *vec_push(&volumes->list) = (Volume){edge->from, edge->to, 0, bytes};
        if (!back)
            *vec_push(&volumes->list) = (Volume){edge->to, edge->from, 0, bytes};
    }
    if (volumes->list.count)
        qsort(volumes->list.items, volumes->list.count, sizeof *volumes->list.items, by_pair);
}

static ScotchUnits units_of(const Ttig *ttig, const Volumes *volumes)
{
    double bytes = 0, seconds = 0;
    for (size_t i = 0; i < volumes->list.count; i++)
        bytes += volumes->list.items[i].bytes;
    for (uint32_t i = 0; i < ttig->n_nodes; i++)
        seconds += ttig->nodes[i].seconds;
    return (ScotchUnits){unit_for(bytes, 1, (uint32_t)volumes->list.count),
                         unit_for(seconds, VERTEX_UNIT_S, ttig->n_nodes)};
}

bool volumes_scotch_text(const Ttig *ttig, Arena *arena, const char **written, ScotchUnits *units, Err *err)
{
    Volumes volumes = {0};
    Text text = {0};
    collect_arcs(ttig, &volumes);
    const Volume *arcs = volumes.list.items;
    size_t n = volumes.list.count;
    if ((double)n + ttig->n_nodes > WEIGHTS_LIMIT / 2) {
        vec_free(&volumes.list);
        return err_set(err, ERR_INPUT, "%zu arcs are too many for Scotch's numbers of 32 bits", n);
    }
    *units = units_of(ttig, &volumes);
    text_add(&text, "0\n%u %zu\n0 011\n", ttig->n_nodes, n);
    for (uint32_t i = 0, at = 0; i < ttig->n_nodes; i++) {
        size_t end = at;
        while (end < n && arcs[end].from == i)
            end++;
        text_add(&text, "%.0f %zu", round(ttig->nodes[i].seconds / units->seconds), end - at);
        for (; at < end; at++) /* Scotch refuses the weight 0 */
            text_add(&text, " %.0f %u", fmax(1, round(arcs[at].bytes / units->bytes)), arcs[at].to);
        text_add(&text, "\n");
    }
    vec_free(&volumes.list);
    *written = text_take(&text, arena);
    return true;
}
