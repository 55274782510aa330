/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a temporal task interaction graph (docs/FORMATS.md), which people write too. */
#include "model/ttig.h"

#include "model/members.h"
#include <stdlib.h>

#define TTIG_FORMAT "firma ttig"

static json_t *edge_to_json(const TtigEdge *edge)
{
    json_t *object = json_object();
    json_object_set_new(object, "from", json_integer(edge->from));
    json_object_set_new(object, "to", json_integer(edge->to));
    json_set_real(object, "bytes", edge->bytes);
    json_set_real(object, "messages", edge->messages);
    json_set_real(object, "parallelism", edge->parallelism);
    return object;
}

json_t *ttig_to_json(const Ttig *ttig)
{
    json_t *root = json_object(), *nodes = json_array(), *edges = json_array();
    json_object_set_new(root, "format", json_string(TTIG_FORMAT));
    json_object_set_new(root, "version", json_integer(TTIG_VERSION));
    json_object_set_new(root, "source", json_from_text(ttig->source));
    json_object_set_new(root, "inexact_pairs", json_integer(ttig->n_inexact));
    for (uint32_t i = 0; i < ttig->n_nodes; i++) {
        json_t *node = json_object();
        json_object_set_new(node, "name", json_from_text(ttig->nodes[i].name));
        json_set_real(node, "computation_s", ttig->nodes[i].seconds);
        json_array_append_new(nodes, node);
    }
    for (uint32_t i = 0; i < ttig->n_edges; i++)
        json_array_append_new(edges, edge_to_json(&ttig->edges[i]));
    json_object_set_new(root, "nodes", nodes);
    json_object_set_new(root, "edges", edges);
    if (ttig->tasks)
        json_object_set_new(root, "graph", tfg_to_json(ttig->tasks));
    return root;
}

/* A node is an object, or its computation alone. */
static bool node_from_json(const json_t *value, const JsonPlace *place, uint32_t number, Arena *arena, TtigNode *node,
                           Err *err)
{
    node->name = arena_printf(arena, "%u", number);
    if (json_is_number(value)) {
        node->seconds = json_number_value(value);
        return node->seconds >= 0 || err_set(err, ERR_INPUT, "%s: %s: expected seconds of computation, not negative",
                                             place->file, place->path);
    }
    if (!json_is_object(value))
        return err_set(err, ERR_INPUT, "%s: %s: expected an object, or seconds of computation", place->file,
                       place->path);
    return (!json_object_get(value, "name") || json_get_text(value, "name", place, arena, &node->name, err)) &&
           json_get_share(value, "computation_s", place, &node->seconds, err);
}

static bool nodes_from_json(const json_t *root, const JsonPlace *place, Arena *arena, Ttig *ttig, json_t **numbers,
                            Err *err)
{
    json_t *array;
    if (!json_get_array(root, "nodes", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (n == 0 || n > TASKS_LIMIT)
        return err_set(err, ERR_INPUT, "%s: nodes: %zu of them; there are 1 to %d", place->file, n, TASKS_LIMIT);
    TtigNode *nodes = arena_new_array(arena, TtigNode, n);
    const char **names = arena_new_array(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "nodes[%u]", i);
        if (!node_from_json(json_array_get(array, i), &at, i, arena, &nodes[i], err))
            return false;
        names[i] = nodes[i].name;
    }
    ttig->nodes = nodes;
    ttig->n_nodes = (uint32_t)n;
    return task_names_collect(names, ttig->n_nodes, place, "nodes", numbers, err);
}

static bool edge_from_json(const json_t *object, const JsonPlace *place, const json_t *numbers, uint32_t n_nodes,
                           TtigEdge *edge, Err *err)
{
    *edge = (TtigEdge){.messages = 1};
    if (!json_get_task(object, "from", place, numbers, n_nodes, &edge->from, err) ||
        !json_get_task(object, "to", place, numbers, n_nodes, &edge->to, err) ||
        !json_get_share(object, "bytes", place, &edge->bytes, err) ||
        !(!json_object_get(object, "messages") || json_get_share(object, "messages", place, &edge->messages, err)) ||
        !json_get_share(object, "parallelism", place, &edge->parallelism, err))
        return false;
    if (edge->parallelism > 1)
        return err_set(err, ERR_INPUT, "%s: %s.parallelism: more than 1", place->file, place->path);
    return edge->from != edge->to ||
           err_set(err, ERR_INPUT, "%s: %s: an edge from a task to itself", place->file, place->path);
}

static int compare_edges(const void *left, const void *right)
{
    const TtigEdge *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static bool edges_from_json(const json_t *root, const JsonPlace *place, const json_t *numbers, Arena *arena, Ttig *ttig,
                            Err *err)
{
    json_t *array;
    if (!json_get_array(root, "edges", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (n > UINT32_MAX)
        return err_set(err, ERR_INPUT, "%s: edges: too many", place->file);
    TtigEdge *edges = arena_new_array(arena, TtigEdge, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "edges[%zu]", i);
        if (!edge_from_json(json_array_get(array, i), &at, numbers, ttig->n_nodes, &edges[i], err))
            return false;
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 1; i < n; i++)
        if (compare_edges(&edges[i - 1], &edges[i]) == 0)
            return err_set(err, ERR_INPUT, "%s: edges: two from `%.80s` to `%.80s`", place->file,
                           ttig->nodes[edges[i].from].name, ttig->nodes[edges[i].to].name);
    ttig->edges = edges;
    ttig->n_edges = (uint32_t)n;
    return true;
}

static bool graph_from_json(const json_t *root, const JsonPlace *place, Arena *arena, Ttig *ttig, Err *err)
{
    json_t *object;
    TaskGraph *tasks;
    if (!json_object_get(root, "graph"))
        return true;
    const JsonPlace at = json_place(place->file, "graph");
    if (!json_get_object(root, "graph", place, &object, err) || !tfg_from_json(object, &at, arena, &tasks, err))
        return false;
    if (tasks->n_tasks != ttig->n_nodes)
        return err_set(err, ERR_INPUT, "%s: graph.tasks: %u of them for %u nodes", place->file, tasks->n_tasks,
                       ttig->n_nodes);
    ttig->tasks = tasks;
    return true;
}

static bool ttig_from_json(const json_t *root, const char *file, Arena *arena, void *result, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    Ttig *ttig = arena_new_array(arena, Ttig, 1);
    json_t *numbers = NULL;
    ttig->source = "";
    bool ok = (!json_object_get(root, "source") || json_get_text(root, "source", &place, arena, &ttig->source, err)) &&
              (!json_object_get(root, "inexact_pairs") ||
               json_get_uint32(root, "inexact_pairs", &place, UINT32_MAX, &ttig->n_inexact, err)) &&
              nodes_from_json(root, &place, arena, ttig, &numbers, err) &&
              edges_from_json(root, &place, numbers, arena, ttig, err) &&
              graph_from_json(root, &place, arena, ttig, err);
    json_decref(numbers);
    if (ok)
        *(Ttig **)result = ttig;
    return ok;
}

bool ttig_save(const Ttig *ttig, const char *path, Err *err)
{
    json_t *root = ttig_to_json(ttig);
    bool saved = save_readable_document(root, path, ttig_from_json, err);
    json_decref(root);
    return saved;
}

bool ttig_load(const char *path, Arena *arena, Ttig **ttig, Err *err)
{
    return load_document(path, TTIG_FORMAT, TTIG_VERSION, ttig_from_json, arena, ttig, err);
}
