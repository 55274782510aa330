/* SPDX-License-Identifier: BSD-3-Clause */
/* Task graphs for other tools: Graphviz and those that read GraphML. */
#include "base/text.h"
#include "report/format.h"
#include "verbs/graph/views.h"
#include <math.h>
#include <string.h>

/* Graphs with more edges are drawn without numbers, and with forces instead of levels: finding
 * levels would take very long. */
enum { EDGES_WITH_LABELS = 64, NAME_ROOM = 32 };

/* ---- DOT ---- */

static const char *dot_quote(const char *words, Arena *arena)
{
    Text quoted = {0};
    text_add(&quoted, "\"");
    for (const char *c = text_as_line(words, arena); *c; c++) {
        if (*c == '&')
            text_add(&quoted, "&amp;"); /* Graphviz reads entities in labels */
        else
            text_add(&quoted, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    text_add(&quoted, "\"");
    return text_take(&quoted, arena);
}

static double most_bytes(const GraphSummary *summary)
{
    double most = 1;
    for (uint32_t i = 0; i < summary->n_pairs; i++)
        most = fmax(most, summary->pairs[i].bytes[0] + summary->pairs[i].bytes[1]);
    return most;
}

/* With spaces around the label, since viewers may use wider fonts than Graphviz assumes. */
static const char *edge_label(const char *bytes, const TtigEdge *edge, bool with_parallelism, Arena *arena)
{
    return with_parallelism ? arena_printf(arena, " %s \\n p %.2f ", bytes, edge->parallelism)
                            : arena_printf(arena, " %s ", bytes);
}

/* Between the palette's colours of waiting, for 0, and of computation, for 1. */
static const char *overlap_colour(double parallelism, Arena *arena)
{
    static const double never[3] = {0xd5, 0x5e, 0x00}, always[3] = {0x00, 0x72, 0xb2};
    unsigned mixed[3];
    for (int i = 0; i < 3; i++)
        mixed[i] = (unsigned)lround(never[i] + parallelism * (always[i] - never[i]));
    return arena_printf(arena, "#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

/* An edge is wider if it carries more bytes. Its colour says how far its tasks can overlap. */
static void add_edge(Text *text, const char *line, double bytes, double most, double parallelism, const char *label,
                     Arena *arena)
{
    text_add(text, "  %s [penwidth=%.2f, color=\"%s\"", line, 0.5 + 3.5 * sqrt(bytes / most),
             overlap_colour(parallelism, arena));
    if (label)
        text_add(text, ", label=\"%s\"", label);
    text_add(text, "];\n");
}

static void add_directed(Text *text, const Ttig *ttig, double most, bool labels, bool with_parallelism, Arena *arena)
{
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i];
        const char *label = edge_label(format_bytes(arena, edge->bytes), edge, with_parallelism, arena);
        add_edge(text, arena_printf(arena, "%u -> %u", edge->from, edge->to), edge->bytes, most, edge->parallelism,
                 labels ? label : NULL, arena);
    }
}

static void add_undirected(Text *text, const GraphSummary *summary, double most, bool labels, Arena *arena)
{
    for (uint32_t i = 0; i < summary->n_pairs; i++) {
        const TaskPair *pair = &summary->pairs[i];
        double bytes = pair->bytes[0] + pair->bytes[1];
        add_edge(text, arena_printf(arena, "%u -- %u", pair->tasks[0], pair->tasks[1]), bytes, most, 1,
                 labels ? arena_printf(arena, " %s ", format_bytes(arena, bytes)) : NULL, arena);
    }
}

/* The legend below the picture: what nodes, edges and colours mean. */
static void add_legend(Text *text, TtigModel model, bool labels)
{
    static const char *const edges[] = {
        [MODEL_TTIG] = "an edge from A to B: what A sends to B%s",
        [MODEL_TIG] = "an edge: what two tasks send each other%s",
        [MODEL_TPG] = "an edge from A to B: A goes before B, and what A sends to B%s",
    };
    static const struct {
        const char *color, *words;
    } colors[] = {
        {"#d55e00", "p = 0: can't overlap"}, {"#6b6859", "p = 0.5"}, {"#0072b2", "p = 1: can always overlap"}};
    text_add(text, "  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"1\">\n"
                   "    <tr><td colspan=\"6\">a node: a task, and how long it computes</td></tr>\n"
                   "    <tr><td colspan=\"6\">");
    text_add(text, edges[model], labels ? "" : " (too many for numbers)");
    text_add(text, "; wider edges carry more</td></tr>\n");
    if (model == MODEL_TTIG) {
        text_add(text, "    <tr><td colspan=\"6\">p: the share of B's computation that can overlap with A's</td></tr>\n"
                       "    <tr>");
        for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
            text_add(text, "<td bgcolor=\"%s\" width=\"24\"></td><td>%s</td>", colors[i].color, colors[i].words);
        text_add(text, "</tr>\n");
    }
    text_add(text, "  </table>>;\n");
}

const char *graph_dot(const Ttig *ttig, const GraphSummary *summary, Arena *arena)
{
    Text text = {0};
    bool labels = ttig->n_edges <= EDGES_WITH_LABELS;
    double most = most_bytes(summary);
    text_add(&text, "%s tasks {\n", ttig->model == MODEL_TIG ? "graph" : "digraph");
    text_add(&text, labels ? "  nodesep=0.4;\n  ranksep=0.6;\n"
                           : "  layout=sfdp;\n  overlap=prism;\n  sep=\"+12\";\n  outputorder=edgesfirst;\n");
    text_add(&text, "  labelloc=b;\n  fontname=\"sans-serif\";\n  fontsize=10;\n"
                    "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n"
                    "  edge [fontname=\"sans-serif\", fontsize=10];\n");
    add_legend(&text, ttig->model, labels);
    for (uint32_t i = 0; i < ttig->n_nodes; i++) {
        const char *name = dot_quote(format_name(arena, ttig->nodes[i].name, NAME_ROOM), arena);
        text_add(&text, "  %u [label=%.*s\\n%s\"];\n", i, (int)strlen(name) - 1, name,
                 format_seconds(arena, ttig->nodes[i].seconds));
    }
    if (ttig->model == MODEL_TIG)
        add_undirected(&text, summary, most, labels, arena);
    else
        add_directed(&text, ttig, most, labels, ttig->model == MODEL_TTIG, arena);
    text_add(&text, "}\n");
    return text_take(&text, arena);
}

/* ---- GraphML ---- */

static const char *xml_quote(const char *words, Arena *arena)
{
    Text quoted = {0};
    for (const char *c = text_as_line(words, arena); *c; c++) {
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
            text_add(&quoted, "&#%d;", *c);
        else
            text_add(&quoted, "%c", *c);
    }
    return text_take(&quoted, arena);
}

static void add_key(Text *text, const char *name, const char *of, const char *type)
{
    text_add(text, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", name, of, name, type);
}

const char *graph_graphml(const Ttig *ttig, Arena *arena)
{
    Text text = {0};
    text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    add_key(&text, "name", "node", "string");
    add_key(&text, "computation_s", "node", "double");
    add_key(&text, "bytes", "edge", "double");
    add_key(&text, "messages", "edge", "double");
    add_key(&text, "parallelism", "edge", "double");
    text_add(&text, "  <graph id=\"%s\" edgedefault=\"directed\">\n", ttig_model_names[ttig->model]);
    for (uint32_t i = 0; i < ttig->n_nodes; i++)
        text_add(&text,
                 "    <node id=\"%u\"><data key=\"name\">%s</data><data key=\"computation_s\">%.12g</data></node>\n", i,
                 xml_quote(ttig->nodes[i].name, arena), ttig->nodes[i].seconds);
    for (uint32_t i = 0; i < ttig->n_edges; i++) {
        const TtigEdge *edge = &ttig->edges[i];
        text_add(&text,
                 "    <edge source=\"%u\" target=\"%u\"><data key=\"bytes\">%.12g</data>"
                 "<data key=\"messages\">%.12g</data><data key=\"parallelism\">%.12g</data></edge>\n",
                 edge->from, edge->to, edge->bytes, edge->messages, edge->parallelism);
    }
    text_add(&text, "  </graph>\n</graphml>\n");
    return text_take(&text, arena);
}
