/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a temporal task interaction graph (docs/FORMATS.md), which people write too. */
#include "model/ttig.h"

#include "model/members.h"
#include <stdlib.h>
#include <string.h>

static const char *const model_names[] = {"TTIG", "TIG", "TPG"};
enum { N_MODELS = sizeof model_names / sizeof *model_names };

const char *ttig_model_name(TtigModel model)
{
    return model_names[model];
}

int ttig_compare_edges(const void *left, const void *right)
{
    const TtigEdge *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* ---- writing ---- */

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
    json_object_set_new(root, "model", json_string(ttig_model_name(ttig->model)));
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

/* ---- reading ---- */

/* A node is an object, or its computation alone. */
static bool node_from_json(const json_t *value, const JsonPlace *place, uint32_t number, Arena *arena, TtigNode *node,
                           Err *err)
{
    static const char *const known[] = {"name", "computation_s", NULL};
    node->name = arena_printf(arena, "%u", number);
    if (json_is_number(value)) {
        node->seconds = json_number_value(value);
        return (node->seconds >= 0 && node->seconds <= SECONDS_LIMIT) ||
               err_set(err, ERR_INPUT, "%s: %s: expected seconds of computation, from 0 to %g", place->file,
                       place->path, SECONDS_LIMIT);
    }
    if (!json_is_object(value))
        return err_set(err, ERR_INPUT, "%s: %s: expected an object, or seconds of computation", place->file,
                       place->path);
    return json_check_members(value, known, place, err) &&
           (!json_object_get(value, "name") || json_get_name(value, "name", place, arena, &node->name, err)) &&
           json_get_quantity(value, "computation_s", place, SECONDS_LIMIT, &node->seconds, err);
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
    static const char *const known[] = {"from", "to", "bytes", "messages", "parallelism", NULL};
    *edge = (TtigEdge){.messages = 1};
    if (!json_is_object(object))
        return err_set(err, ERR_INPUT, "%s: %s: expected an edge: an object", place->file, place->path);
    if (!json_check_members(object, known, place, err) ||
        !json_get_task(object, "from", place, numbers, n_nodes, &edge->from, err) ||
        !json_get_task(object, "to", place, numbers, n_nodes, &edge->to, err) ||
        !json_get_quantity(object, "bytes", place, BYTES_LIMIT, &edge->bytes, err) ||
        !(!json_object_get(object, "messages") ||
          json_get_quantity(object, "messages", place, MESSAGES_LIMIT, &edge->messages, err)) ||
        !json_get_quantity(object, "parallelism", place, 1, &edge->parallelism, err))
        return false;
    if (edge->messages <= 0)
        return err_set(err, ERR_INPUT, "%s: %s.messages: an edge has some", place->file, place->path);
    return edge->from != edge->to ||
           err_set(err, ERR_INPUT, "%s: %s: an edge from a task to itself", place->file, place->path);
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
    qsort(edges, n, sizeof *edges, ttig_compare_edges);
    for (size_t i = 1; i < n; i++)
        if (ttig_compare_edges(&edges[i - 1], &edges[i]) == 0)
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
    ttig->tasks = tasks;
    return true;
}

static bool model_from_json(const json_t *root, const JsonPlace *place, TtigModel *model, Err *err)
{
    const char *name;
    int number = MODEL_TTIG;
    if (!json_object_get(root, "model"))
        return true;
    if (!json_get_string(root, "model", place, &name, err))
        return false;
    while (number < N_MODELS && strcmp(model_names[number], name) != 0)
        number++;
    *model = (TtigModel)number;
    return number < N_MODELS || err_set(err, ERR_INPUT, "%s: model: expected TTIG, TIG or TPG", place->file);
}

bool ttig_from_document(const json_t *root, const char *file, Arena *arena, void *result, Err *err)
{
    static const char *const known[] = {"format", "version", "model", "source", "inexact_pairs",
                                        "nodes",  "edges",   "graph", NULL};
    const JsonPlace place = json_place(file, "%s", "");
    Ttig *ttig = arena_new_array(arena, Ttig, 1);
    json_t *numbers = NULL;
    bool is_to_be_made =
        json_object_get(root, "graph") && !json_object_get(root, "nodes") && !json_object_get(root, "edges");
    ttig->source = "";
    bool ok = json_check_members(root, known, &place, err) && model_from_json(root, &place, &ttig->model, err) &&
              (!json_object_get(root, "source") || json_get_text(root, "source", &place, arena, &ttig->source, err)) &&
              (!json_object_get(root, "inexact_pairs") ||
               json_get_uint32(root, "inexact_pairs", &place, UINT32_MAX, &ttig->n_inexact, err)) &&
              (is_to_be_made || (nodes_from_json(root, &place, arena, ttig, &numbers, err) &&
                                 edges_from_json(root, &place, numbers, arena, ttig, err))) &&
              graph_from_json(root, &place, arena, ttig, err);
    json_decref(numbers);
    if (ok)
        *(Ttig **)result = ttig;
    return ok;
}

bool ttig_save(const Ttig *ttig, const char *path, Err *err)
{
    json_t *root = ttig_to_json(ttig);
    bool saved = save_readable_document(root, path, ttig_from_document, err);
    json_decref(root);
    return saved;
}

bool ttig_load(const char *path, Arena *arena, Ttig **ttig, Err *err)
{
    return load_document(path, TTIG_FORMAT, TTIG_VERSION, ttig_from_document, arena, ttig, err);
}
