/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads task graphs from files. A TTIG with tasks says the same thing twice, and both may have been
 * edited. Mappings are judged by the tasks, but proposed by nodes and edges. So both must agree, or
 * an edit would have no effect without any warning. */
#include "placement/graph/graph.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Accepted differences, because files hold twelve digits: of a quantity, and of an overlap. In an
 * overlap, the rounding errors of all stretches may add up; it is a share of both tasks' time. */
#define SAME_SHARE 1e-6
#define SAME_OVERLAP 1e-8

typedef struct Agreement {
    const char *file;
    const Ttig *given, *derived; /* derived: a TTIG, whatever model `given` is */
} Agreement;

static bool are_near(double a, double b)
{
    return fabs(a - b) <= SAME_SHARE * fmax(fabs(a), fabs(b));
}

static bool hint_edit(Err *err)
{
    return err_hint(
        err, "to change the steps of tasks, edit `graph`, and remove `nodes` and `edges`, which firma then derives; "
             "to change nodes and edges, remove `graph`");
}

static bool check_node(const Agreement *agreement, uint32_t number, Err *err)
{
    const TtigNode *given = &agreement->given->nodes[number], *derived = &agreement->derived->nodes[number];
    if (strcmp(given->name, derived->name) != 0)
        return err_set(err, ERR_INPUT, "%s: nodes[%u].name: `%.80s`, but the task in `graph` is called `%.80s`",
                       agreement->file, number, given->name, derived->name) ||
               hint_edit(err);
    return are_near(given->seconds, derived->seconds) ||
           err_set(err, ERR_INPUT, "%s: nodes[%u].computation_s: %.6g, but the task `%.80s` in `graph` computes %.6g",
                   agreement->file, number, given->seconds, derived->name, derived->seconds) ||
           hint_edit(err);
}

static bool refuse_edge(const Agreement *agreement, const TtigEdge *edge, const char *what, double given,
                        double derived, Err *err)
{
    const TtigNode *nodes = agreement->given->nodes;
    return err_set(err, ERR_INPUT, "%s: edges: from `%.80s` to `%.80s`: %s %.6g, but `graph` gives %.6g",
                   agreement->file, nodes[edge->from].name, nodes[edge->to].name, what, given, derived) ||
           hint_edit(err);
}

static bool check_edge(const Agreement *agreement, const TtigEdge *given, const TtigEdge *derived, Err *err)
{
    TtigModel model = agreement->given->model;
    const TtigNode *nodes = agreement->derived->nodes;
    double parallelism = model == MODEL_TTIG ? derived->parallelism : model == MODEL_TIG ? 1 : 0;
    double own_s = nodes[given->to].seconds, both_s = own_s + nodes[given->from].seconds;
    double rounding = model == MODEL_TTIG && own_s > 0 ? SAME_OVERLAP * both_s / own_s : 0;
    if (!are_near(given->bytes, derived->bytes))
        return refuse_edge(agreement, given, "bytes", given->bytes, derived->bytes, err);
    if (!are_near(given->messages, derived->messages))
        return refuse_edge(agreement, given, "messages", given->messages, derived->messages, err);
    return fabs(given->parallelism - parallelism) <= SAME_SHARE + rounding ||
           refuse_edge(agreement, given, "parallelism", given->parallelism, parallelism, err);
}

static const TtigEdge *find_edge(const Ttig *ttig, uint32_t from, uint32_t to)
{
    const TtigEdge wanted = {.from = from, .to = to};
    return ttig->n_edges ? bsearch(&wanted, ttig->edges, ttig->n_edges, sizeof wanted, ttig_compare_edges) : NULL;
}

static bool check_given_edges(const Agreement *agreement, Err *err)
{
    const Ttig *given = agreement->given;
    for (uint32_t i = 0; i < given->n_edges; i++) {
        const TtigEdge *edge = &given->edges[i], *derived = find_edge(agreement->derived, edge->from, edge->to);
        const char *from = given->nodes[edge->from].name, *to = given->nodes[edge->to].name;
        if (!derived)
            return err_set(err, ERR_INPUT,
                           "%s: edges: from `%.80s` to `%.80s`, but in `graph` the first sends nothing to the second",
                           agreement->file, from, to) ||
                   hint_edit(err);
        if (given->model == MODEL_TPG && find_edge(given, edge->to, edge->from))
            return err_set(err, ERR_INPUT,
                           "%s: edges: two between `%.80s` and `%.80s`, but a TPG has one for each pair",
                           agreement->file, from, to);
        if (!check_edge(agreement, edge, derived, err))
            return false;
    }
    return true;
}

/* Each pair of tasks has an edge. A TPG has one for both directions. */
static bool check_missing_edges(const Agreement *agreement, Err *err)
{
    const Ttig *given = agreement->given;
    for (uint32_t i = 0; i < agreement->derived->n_edges; i++) {
        const TtigEdge *edge = &agreement->derived->edges[i];
        bool is_there = find_edge(given, edge->from, edge->to) ||
                        (given->model == MODEL_TPG && find_edge(given, edge->to, edge->from));
        if (!is_there)
            return err_set(
                       err, ERR_INPUT,
                       "%s: edges: none from `%.80s` to `%.80s`, but in `graph` the first sends the second %g messages",
                       agreement->file, given->nodes[edge->from].name, given->nodes[edge->to].name, edge->messages) ||
                   hint_edit(err);
    }
    return true;
}

static bool check_agreement(const Agreement *agreement, Err *err)
{
    const Ttig *given = agreement->given, *derived = agreement->derived;
    if (given->n_nodes != derived->n_nodes)
        return err_set(err, ERR_INPUT, "%s: nodes: %u, but `graph` has %u tasks", agreement->file, given->n_nodes,
                       derived->n_nodes) ||
               hint_edit(err);
    for (uint32_t i = 0; i < given->n_nodes; i++)
        if (!check_node(agreement, i, err))
            return false;
    return check_given_edges(agreement, err) && check_missing_edges(agreement, err);
}

static bool make_model(const Ttig *ttig, TtigModel model, Arena *arena, const Ttig **made, Err *err)
{
    *made = ttig;
    if (model == MODEL_TIG)
        return graph_tig(ttig, arena, made, err);
    return model == MODEL_TTIG || graph_tpg(ttig, arena, made, err);
}

/* If the TTIG has tasks: derives nodes and edges if they are missing, or checks that they agree
 * with the tasks. */
static bool finish_ttig(Ttig *given, const char *file, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err)
{
    Ttig *derived;
    *ttig = given;
    if (!given->tasks)
        return true;
    if (!graph_check_waits(given->tasks, is_whole, err) || !graph_ttig(given->tasks, arena, &derived, err))
        return err_prefix(err, "%s: graph", file);
    if (given->source[0])
        derived->source = given->source;
    if (!given->n_nodes)
        return make_model(derived, given->model, arena, ttig, err);
    assert(derived->model == MODEL_TTIG && derived->tasks);
    const Agreement agreement = {file, given, derived};
    return check_agreement(&agreement, err);
}

static bool finish_tasks(TaskGraph *tasks, const char *file, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err)
{
    Ttig *made;
    if (!tasks->source[0])
        tasks->source = file;
    if (!graph_check_waits(tasks, is_whole, err) || !graph_ttig(tasks, arena, &made, err))
        return err_prefix(err, "%s", file);
    *ttig = made;
    return true;
}

static bool read_root(const json_t *root, const char *file, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err)
{
    TaskGraph *tasks;
    Ttig *given;
    if (json_has_format(root, TTIG_FORMAT))
        return json_check_format(root, file, TTIG_FORMAT, TTIG_VERSION, err) &&
               document_read(&ttig_document, root, file, arena, &given, err) &&
               finish_ttig(given, file, arena, is_whole, ttig, err);
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format && !json_has_format(root, TFG_FORMAT))
        return err_set(err, ERR_INPUT, "%s: holds a `%.80s` document; expected a trace, `%s` or `%s`", file, format,
                       TTIG_FORMAT, TFG_FORMAT) ||
               err_hint(err, "`firma graph TRACE -o FILE` writes the task graph of a trace");
    return json_check_format(root, file, TFG_FORMAT, TFG_VERSION, err) &&
           document_read(&tfg_document, root, file, arena, &tasks, err) &&
           finish_tasks(tasks, file, arena, is_whole, ttig, err);
}

bool graph_load(const char *path, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err)
{
    json_t *root;
    *is_whole = true;
    if (!json_load_root(path, TFG_FORMAT, &root, err))
        return false;
    bool ok = read_root(root, path, arena, is_whole, ttig, err);
    json_decref(root);
    return ok;
}
