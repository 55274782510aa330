/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a temporal task interaction graph (docs/FORMATS.md). People write this form,
 * too. */
#include "model/ttig.h"

#include <stdlib.h>
#include <string.h>

const char *const ttig_model_names[] = {"TTIG", "TIG", "TPG", NULL};

int ttig_compare_edges(const void *left, const void *right)
{
    const TtigEdge *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static const FieldList node_fields =
    FIELDS_STRICT(TtigNode,
                  FIELD(TtigNode, name, "name of the task, by default its number; without control characters",
                        .flags = FIELD_ABSENT | FIELD_LINE),
                  FIELD_AS(TtigNode, seconds, "computation_s", "computation of the task, up to 10¹² s",
                           .flags = FIELD_NOT_NEGATIVE, .limit = SECONDS_LIMIT));

static const FieldList edge_fields = FIELDS_STRICT(
    TtigEdge, FIELD(TtigEdge, from, "number or name of the task that sends", .flags = FIELD_UNREAD),
    FIELD(TtigEdge, to, "number or name of the task that receives", .flags = FIELD_UNREAD),
    FIELD(TtigEdge, bytes, "all bytes that `from` sends to `to`, up to 10¹⁸", .flags = FIELD_NOT_NEGATIVE,
          .limit = BYTES_LIMIT),
    FIELD(TtigEdge, messages, "number of these messages, up to 10¹⁵; by default 1",
          .flags = FIELD_NOT_NEGATIVE | FIELD_OPTIONAL, .limit = MESSAGES_LIMIT),
    FIELD(TtigEdge, parallelism, "p: share of the computation of `to` that overlaps with the computation of `from`",
          .flags = FIELD_NOT_NEGATIVE, .limit = 1));

/* A node is an object, or a number: its computation in seconds. */
static bool node_from_json(const FieldContext *context, const json_t *value, const JsonPlace *place, TtigNode *node,
                           Err *err)
{
    if (!json_is_number(value))
        return json_is_object(value) ? fields_from_json(&node_fields, context, value, place, node, err)
                                     : json_refuse(place, "", err, "expected an object, or seconds of computation");
    node->seconds = json_number_value(value);
    return (node->seconds >= 0 && node->seconds <= SECONDS_LIMIT) ||
           json_refuse(place, "", err, "expected seconds of computation, from 0 to %g", SECONDS_LIMIT);
}

static bool nodes_from_json(const FieldContext *context, json_t *array, const JsonPlace *place, void *record, Err *err)
{
    Ttig *ttig = record;
    size_t n = json_array_size(array);
    if (n == 0 || n > TASKS_LIMIT)
        return json_refuse(place, "", err, "%zu nodes; expected 1 to %d", n, TASKS_LIMIT);
    TtigNode *nodes = arena_new_array(context->arena, TtigNode, n);
    for (uint32_t i = 0; i < n; i++) {
        const JsonPlace at = json_place_at(place, "", i);
        nodes[i].name = arena_printf(context->arena, "%u", i);
        if (!node_from_json(context, json_array_get(array, i), &at, &nodes[i], err))
            return false;
    }
    ttig->nodes = nodes;
    ttig->n_nodes = (uint32_t)n;
    return true;
}

static bool edge_from_json(const FieldContext *context, const json_t *object, const JsonPlace *place,
                           const json_t *numbers, TtigEdge *edge, Err *err)
{
    uint32_t n_nodes = ((const Ttig *)context->root)->n_nodes;
    *edge = (TtigEdge){.messages = 1};
    if (!json_is_object(object))
        return json_refuse(place, "", err, "expected an edge: an object");
    if (!fields_from_json(&edge_fields, context, object, place, edge, err) ||
        !json_get_task(object, "from", place, numbers, n_nodes, &edge->from, err) ||
        !json_get_task(object, "to", place, numbers, n_nodes, &edge->to, err))
        return false;
    if (edge->messages <= 0)
        return json_refuse(place, "messages", err, "must be above 0");
    return edge->from != edge->to || json_refuse(place, "", err, "an edge from a task to itself");
}

static bool read_edges(const FieldContext *context, const json_t *array, const JsonPlace *place, const json_t *numbers,
                       Ttig *ttig, Err *err)
{
    size_t n = json_array_size(array);
    if (n > UINT32_MAX)
        return json_refuse(place, "", err, "more edges than the limit of 2^32 - 1");
    TtigEdge *edges = arena_new_array(context->arena, TtigEdge, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place_at(place, "", i);
        if (!edge_from_json(context, json_array_get(array, i), &at, numbers, &edges[i], err))
            return false;
    }
    qsort(edges, n, sizeof *edges, ttig_compare_edges);
    for (size_t i = 1; i < n; i++)
        if (ttig_compare_edges(&edges[i - 1], &edges[i]) == 0)
            return json_refuse(place, "", err, "two edges from `%.80s` to `%.80s`", ttig->nodes[edges[i].from].name,
                               ttig->nodes[edges[i].to].name);
    ttig->edges = edges;
    ttig->n_edges = (uint32_t)n;
    return true;
}

static bool edges_from_json(const FieldContext *context, json_t *array, const JsonPlace *place, void *record, Err *err)
{
    Ttig *ttig = record;
    json_t *numbers = NULL;
    const JsonPlace nodes = json_place(place->file, "nodes");
    const char **names = arena_new_array(context->arena, const char *, ttig->n_nodes);
    for (uint32_t i = 0; i < ttig->n_nodes; i++)
        names[i] = ttig->nodes[i].name;
    bool ok = task_names_collect(names, ttig->n_nodes, &nodes, &numbers, err) &&
              read_edges(context, array, place, numbers, ttig, err);
    json_decref(numbers);
    return ok;
}

static json_t *graph_to_json(const FieldContext *context, const void *record)
{
    const Ttig *ttig = record;
    (void)context;
    return ttig->tasks ? tfg_to_json(ttig->tasks) : NULL;
}

static bool graph_from_json(const FieldContext *context, json_t *object, const JsonPlace *place, void *record, Err *err)
{
    TaskGraph *tasks;
    if (!tfg_from_json(object, place, context->arena, &tasks, err))
        return false;
    ((Ttig *)record)->tasks = tasks;
    return true;
}

/* A TTIG has both nodes and edges, or tasks from which both can be made. */
static bool check_ttig(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Ttig *ttig = record;
    (void)context;
    return (ttig->nodes && ttig->edges) || (!ttig->nodes && !ttig->edges && ttig->tasks) ||
           json_refuse(place, ttig->nodes ? "edges" : "nodes", err, "expected an array");
}

static const FieldList ttig_fields = {
    .size = sizeof(Ttig),
    .refuses_others = true,
    .is_document = true,
    .check = check_ttig,
    .fields = FIELD_ARRAY(
        FIELD(Ttig, model,
              "`TTIG`, the default; `TIG`: all p are 1; `TPG`: all p are 0, and each pair has one edge, from the task "
              "that sends first",
              .flags = FIELD_OPTIONAL, .choices = ttig_model_names),
        FIELD(Ttig, source, "the trace that the graph was made from; by default \"\"", .flags = FIELD_OPTIONAL),
        FIELD_AS(Ttig, n_inexact, "inexact_pairs",
                 "number of pairs of tasks that were simulated with folded loops, because these loops are too long to "
                 "simulate open ([METHOD](METHOD.md)); by default 0",
                 .flags = FIELD_OPTIONAL),
        FIELD_LIST(Ttig, nodes, n_nodes, "nodes",
                   "the tasks; each is an object, or a number: its computation in seconds", .flags = FIELD_OPTIONAL,
                   .of = &node_fields, .read = nodes_from_json),
        FIELD_LIST(Ttig, edges, n_edges, "edges",
                   "from a task to each task that it sends to; at most one for each pair and direction",
                   .flags = FIELD_OPTIONAL, .of = &edge_fields, .read = edges_from_json),
        FIELD_OWN("graph", SHAPE_ONE, graph_to_json, graph_from_json,
                  "the temporal flow graph that the TTIG was made from. If it is absent, firma makes tasks that take "
                  "the times of nodes and edges, and simulates those",
                  .flags = FIELD_ABSENT, .noun = "object"))};

const Document ttig_document = {TTIG_FORMAT, TTIG_VERSION, &ttig_fields, .is_checked = true};
