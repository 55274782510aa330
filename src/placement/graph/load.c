/* SPDX-License-Identifier: BSD-3-Clause */
/* Task graphs from files. A TTIG that holds its tasks says the same twice, and both may have been edited: mappings are
 * judged by the tasks, and proposed by nodes and edges. So these have to agree, or an edit would silently be lost. */
#include "placement/graph/graph.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What writing numbers in twelve digits may change: of a quantity; and of an overlap, where as many roundings as there
 * are phases may add up, of the time that the two take. */
#define SAME_SHARE 1e-6
#define SAME_OVERLAP 1e-8

typedef struct Agreement {
    const char *file;
    const Ttig *said, *derived; /* derived: a TTIG, whatever is said */
} Agreement;

static bool are_near(double a, double b)
{
    return fabs(a - b) <= SAME_SHARE * fmax(fabs(a), fabs(b));
}

static bool hint_edit(Err *err)
{
    return err_hint(err,
                    "to change the tasks' steps, edit `graph` and remove `nodes` and `edges`: they are made again; "
                    "to change nodes and edges, remove `graph`: they alone count then");
}

static bool check_node(const Agreement *agreement, uint32_t number, Err *err)
{
    const TtigNode *said = &agreement->said->nodes[number], *derived = &agreement->derived->nodes[number];
    if (strcmp(said->name, derived->name) != 0)
        return err_set(err, ERR_INPUT, "%s: nodes[%u].name: `%.80s`, where the task in `graph` is called `%.80s`",
                       agreement->file, number, said->name, derived->name) ||
               hint_edit(err);
    return are_near(said->seconds, derived->seconds) ||
           err_set(err, ERR_INPUT, "%s: nodes[%u].computation_s: %.6g, but the task `%.80s` in `graph` computes %.6g",
                   agreement->file, number, said->seconds, derived->name, derived->seconds) ||
           hint_edit(err);
}

static bool refuse_edge(const Agreement *agreement, const TtigEdge *edge, const char *what, double said, double derived,
                        Err *err)
{
    const TtigNode *nodes = agreement->said->nodes;
    return err_set(err, ERR_INPUT, "%s: edges: from `%.80s` to `%.80s`: %s %.6g, but of `graph` follows %.6g",
                   agreement->file, nodes[edge->from].name, nodes[edge->to].name, what, said, derived) ||
           hint_edit(err);
}

static bool check_edge(const Agreement *agreement, const TtigEdge *said, const TtigEdge *derived, Err *err)
{
    TtigModel model = agreement->said->model;
    const TtigNode *nodes = agreement->derived->nodes;
    double parallelism = model == MODEL_TTIG ? derived->parallelism : model == MODEL_TIG ? 1 : 0;
    double own_s = nodes[said->to].seconds, both_s = own_s + nodes[said->from].seconds;
    double rounding = model == MODEL_TTIG && own_s > 0 ? SAME_OVERLAP * both_s / own_s : 0;
    if (!are_near(said->bytes, derived->bytes))
        return refuse_edge(agreement, said, "bytes", said->bytes, derived->bytes, err);
    if (!are_near(said->messages, derived->messages))
        return refuse_edge(agreement, said, "messages", said->messages, derived->messages, err);
    return fabs(said->parallelism - parallelism) <= SAME_SHARE + rounding ||
           refuse_edge(agreement, said, "parallelism", said->parallelism, parallelism, err);
}

static const TtigEdge *find_edge(const Ttig *ttig, uint32_t from, uint32_t to)
{
    const TtigEdge wanted = {.from = from, .to = to};
    return ttig->n_edges ? bsearch(&wanted, ttig->edges, ttig->n_edges, sizeof wanted, ttig_compare_edges) : NULL;
}

static bool check_said_edges(const Agreement *agreement, Err *err)
{
    const Ttig *said = agreement->said;
    for (uint32_t i = 0; i < said->n_edges; i++) {
        const TtigEdge *edge = &said->edges[i], *derived = find_edge(agreement->derived, edge->from, edge->to);
        const char *from = said->nodes[edge->from].name, *to = said->nodes[edge->to].name;
        if (!derived)
            return err_set(err, ERR_INPUT, "%s: edges: from `%.80s` to `%.80s`, but in `graph` it sends it nothing",
                           agreement->file, from, to) ||
                   hint_edit(err);
        if (said->model == MODEL_TPG && find_edge(said, edge->to, edge->from))
            return err_set(err, ERR_INPUT, "%s: edges: between `%.80s` and `%.80s` there are two, and a TPG has one",
                           agreement->file, from, to);
        if (!check_edge(agreement, edge, derived, err))
            return false;
    }
    return true;
}

/* A TPG has one edge of a pair. */
static bool check_missing_edges(const Agreement *agreement, Err *err)
{
    const Ttig *said = agreement->said;
    for (uint32_t i = 0; i < agreement->derived->n_edges; i++) {
        const TtigEdge *edge = &agreement->derived->edges[i];
        bool is_there = find_edge(said, edge->from, edge->to) ||
                        (said->model == MODEL_TPG && find_edge(said, edge->to, edge->from));
        if (!is_there)
            return err_set(err, ERR_INPUT,
                           "%s: edges: none from `%.80s` to `%.80s`, which in `graph` it sends %g messages",
                           agreement->file, said->nodes[edge->from].name, said->nodes[edge->to].name, edge->messages) ||
                   hint_edit(err);
    }
    return true;
}

static bool check_agreement(const Agreement *agreement, Err *err)
{
    const Ttig *said = agreement->said, *derived = agreement->derived;
    if (said->n_nodes != derived->n_nodes)
        return err_set(err, ERR_INPUT, "%s: nodes: %u of them, but `graph` has %u tasks", agreement->file,
                       said->n_nodes, derived->n_nodes) ||
               hint_edit(err);
    for (uint32_t i = 0; i < said->n_nodes; i++)
        if (!check_node(agreement, i, err))
            return false;
    return check_said_edges(agreement, err) && check_missing_edges(agreement, err);
}

static bool make_model(const Ttig *ttig, TtigModel model, Arena *arena, const Ttig **made, Err *err)
{
    *made = ttig;
    if (model == MODEL_TIG)
        return graph_tig(ttig, arena, made, err);
    return model == MODEL_TTIG || graph_tpg(ttig, arena, made, err);
}

/* What follows of the tasks of a TTIG that has some: all, or that what it says is so. */
static bool finish_ttig(Ttig *said, const char *file, Arena *arena, bool *is_whole, const Ttig **ttig, Err *err)
{
    Ttig *derived;
    *ttig = said;
    if (!said->tasks)
        return true;
    if (!graph_check_waits(said->tasks, is_whole, err) || !graph_ttig(said->tasks, arena, &derived, err))
        return err_prefix(err, "%s: graph", file);
    if (said->source[0])
        derived->source = said->source;
    if (!said->n_nodes)
        return make_model(derived, said->model, arena, ttig, err);
    assert(derived->model == MODEL_TTIG && derived->tasks);
    const Agreement agreement = {file, said, derived};
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
    Ttig *said;
    if (json_has_format(root, TTIG_FORMAT))
        return json_check_format(root, file, TTIG_FORMAT, TTIG_VERSION, err) &&
               document_read(&ttig_document, root, file, arena, &said, err) && finish_ttig(said, file, arena, is_whole, ttig, err);
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format && !json_has_format(root, TFG_FORMAT))
        return err_set(err, ERR_INPUT, "%s: holds a document `%.80s`, where `%s` or `%s` is expected", file, format,
                       TTIG_FORMAT, TFG_FORMAT);
    return json_check_format(root, file, TFG_FORMAT, TFG_VERSION, err) &&
           document_read(&tfg_document, root, file, arena, &tasks, err) && finish_tasks(tasks, file, arena, is_whole, ttig, err);
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
