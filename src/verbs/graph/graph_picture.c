/* SPDX-License-Identifier: BSD-3-Clause */
/* See pictures.h. The two edges of a pair are bent to different sides. An edge's colour is that of computation as far
 * as its tasks can overlap, over that of waiting. */
#include "verbs/graph/pictures.h"

#include "report/format.h"
#include "report/html.h"
#include "report/svg.h"
#include <math.h>

enum {
    NAME_ROOM = 16,
    SOURCE_ROOM = 40,
    LABELLED_EDGES = 16,
    BOX_HEIGHT = 38,
    BOX_MARGIN = 20,
    BETWEEN = 110,
    LABELS = 70,
    HEAD = 9
};

typedef struct Place {
    double x, y;
} Place;

typedef struct Drawing {
    const Ttig *ttig;
    Text body;
    Arena *arena;
    double box_width, radius, most_bytes;
    Place middle;
    bool are_labelled;
} Drawing;

/* ---- places ---- */

static const char *name_of(const Drawing *drawing, uint32_t task)
{
    return format_name(drawing->arena, drawing->ttig->nodes[task].name, NAME_ROOM);
}

static const char *time_of(const Drawing *drawing, uint32_t task)
{
    return format_seconds(drawing->arena, drawing->ttig->nodes[task].seconds);
}

/* The first of two tasks is at the left, otherwise at the top. */
static Place place_of(const Drawing *drawing, uint32_t task)
{
    uint32_t n = drawing->ttig->n_nodes;
    double angle = (n == 2 ? M_PI : -M_PI / 2) + 2 * M_PI * task / n;
    return (Place){drawing->middle.x + drawing->radius * cos(angle), drawing->middle.y + drawing->radius * sin(angle)};
}

/* Where the line from a task's middle towards a place leaves its box. */
static Place border_of(const Drawing *drawing, Place task, Place towards)
{
    double dx = towards.x - task.x, dy = towards.y - task.y;
    double share = fmin(drawing->box_width / 2 / fmax(fabs(dx), 1e-6), BOX_HEIGHT / 2.0 / fmax(fabs(dy), 1e-6));
    return (Place){task.x + share * dx, task.y + share * dy};
}

/* Neighbours on the circle have room for their boxes, and a few tasks for their edges' labels. */
static void find_size(Drawing *drawing)
{
    uint32_t n = drawing->ttig->n_nodes;
    drawing->box_width = BOX_MARGIN;
    for (uint32_t i = 0; i < n; i++)
        drawing->box_width = fmax(drawing->box_width, BOX_MARGIN + fmax(svg_label_width(name_of(drawing, i)),
                                                                        svg_label_width(time_of(drawing, i))));
    if (n > 1)
        drawing->radius = fmax((drawing->box_width + BETWEEN + (drawing->are_labelled && n > 2 ? LABELS : 0)) /
                                   (2 * sin(M_PI / fmin(n, 6))),
                               n * (drawing->box_width + 12) / (2 * M_PI));
}

/* ---- edges ---- */

/* The same path in the colour of waiting, and above it, as far as the tasks can overlap, in that of computation. */
static void draw_path(Drawing *drawing, const char *kind, const char *path, const char *width, double parallelism,
                      const char *tip)
{
    text_add(&drawing->body, "<path class=\"%s never\" d=\"%s\"%s />\n<path class=\"%s\" d=\"%s\"%s opacity=\"%.2f\">",
             kind, path, width, kind, path, width, parallelism);
    text_add(&drawing->body, "<title>%s</title></path>\n", html_escape(tip, drawing->arena));
}

/* Beside the edge, nearer to its beginning, where fewer edges cross. */
static void draw_label(Drawing *drawing, Place begin, Place control, Place end, const char *label)
{
    const double t = 0.32, beside = 6, letters_rise = 4;
    double length = fmax(hypot(end.x - begin.x, end.y - begin.y), 1e-6);
    Place normal = {-(end.y - begin.y) / length, (end.x - begin.x) / length};
    double x = (1 - t) * (1 - t) * begin.x + 2 * t * (1 - t) * control.x + t * t * end.x + beside * normal.x;
    double y = (1 - t) * (1 - t) * begin.y + 2 * t * (1 - t) * control.y + t * t * end.y + 2 * beside * normal.y;
    svg_label(&drawing->body, x, y + letters_rise,
              normal.x > 0.3    ? "small halo"
              : normal.x < -0.3 ? "e small halo"
                                : "m small halo",
              label, drawing->arena);
}

static void draw_edge(Drawing *drawing, uint32_t from, uint32_t to, double bytes, double parallelism, const char *tip,
                      const char *label)
{
    const double bend = drawing->ttig->model == MODEL_TIG ? 0 : 0.16;
    Place a = place_of(drawing, from), b = place_of(drawing, to);
    Place control = {(a.x + b.x) / 2 - bend * (b.y - a.y), (a.y + b.y) / 2 + bend * (b.x - a.x)};
    Place begin = border_of(drawing, a, control), end = border_of(drawing, b, control);
    double length = fmax(hypot(end.x - control.x, end.y - control.y), 1e-6);
    double dx = HEAD * (end.x - control.x) / length, dy = HEAD * (end.y - control.y) / length;
    Arena *arena = drawing->arena;
    const char *width = arena_printf(arena, " stroke-width=\"%.2f\"", 0.8 + 3.2 * sqrt(bytes / drawing->most_bytes));
    bool has_head = drawing->ttig->model != MODEL_TIG;
    Place neck = has_head ? (Place){end.x - dx, end.y - dy} : end;
    draw_path(
        drawing, "edge",
        arena_printf(arena, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", begin.x, begin.y, control.x, control.y, neck.x, neck.y),
        width, parallelism, tip);
    if (has_head)
        draw_path(drawing, "head",
                  arena_printf(arena, "M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", end.x, end.y, neck.x + dy / 2, neck.y - dx / 2,
                               neck.x - dy / 2, neck.y + dx / 2),
                  "", parallelism, tip);
    if (label)
        draw_label(drawing, begin, control, end, label);
}

static void draw_directed(Drawing *drawing)
{
    Arena *arena = drawing->arena;
    for (uint32_t i = 0; i < drawing->ttig->n_edges; i++) {
        const TtigEdge *edge = &drawing->ttig->edges[i];
        const char *label = format_bytes(arena, edge->bytes);
        const char *tip = arena_printf(arena, "%s to %s: %s in %s messages, p %.2f", name_of(drawing, edge->from),
                                       name_of(drawing, edge->to), label, format_count(arena, (uint64_t)edge->messages),
                                       edge->parallelism);
        if (drawing->ttig->model == MODEL_TTIG)
            label = arena_printf(arena, "%s, p %.2f", label, edge->parallelism);
        draw_edge(drawing, edge->from, edge->to, edge->bytes, edge->parallelism, tip,
                  drawing->are_labelled ? label : NULL);
    }
}

static void draw_undirected(Drawing *drawing, const GraphSummary *summary)
{
    Arena *arena = drawing->arena;
    for (uint32_t i = 0; i < summary->n_pairs; i++) {
        const TaskPair *pair = &summary->pairs[i];
        double bytes = pair->bytes[0] + pair->bytes[1];
        const char *label = format_bytes(arena, bytes);
        draw_edge(drawing, pair->tasks[0], pair->tasks[1], bytes, 1,
                  arena_printf(arena, "%s and %s: %s", name_of(drawing, pair->tasks[0]),
                               name_of(drawing, pair->tasks[1]), label),
                  drawing->are_labelled ? label : NULL);
    }
}

/* ---- the picture ---- */

static void draw_nodes(Drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->ttig->n_nodes; i++) {
        Place place = place_of(drawing, i);
        svg_box(&drawing->body, place.x - drawing->box_width / 2, place.y - BOX_HEIGHT / 2.0, drawing->box_width,
                BOX_HEIGHT, "node", NULL, drawing->arena);
        svg_label(&drawing->body, place.x, place.y - 3, "m", name_of(drawing, i), drawing->arena);
        svg_label(&drawing->body, place.x, place.y + 13, "m small title", time_of(drawing, i), drawing->arena);
    }
}

static double draw_legend(Drawing *drawing, double y)
{
    static const char *const edges[] = {
        [MODEL_TTIG] = "an edge from A to B: what A sends to B; wider edges carry more",
        [MODEL_TIG] = "an edge: what two tasks send each other; wider edges carry more",
        [MODEL_TPG] = "an edge from A to B: A goes before B, and what A sends to B; wider edges carry more",
    };
    Text *body = &drawing->body;
    svg_label(body, 0, y + 10, "", "a node: a task, and how long it computes", drawing->arena);
    svg_label(body, 0, y + 28, "", edges[drawing->ttig->model], drawing->arena);
    if (drawing->ttig->model != MODEL_TTIG)
        return y + 36;
    svg_label(body, 0, y + 46, "", "p: the share of B's computation that can overlap with A's", drawing->arena);
    return svg_legend(body, 0, y + 56, (const char *const[]){"waiting", "computation"},
                      (const char *const[]){"p = 0: can't overlap", "p = 1: can always overlap"}, 2, drawing->arena);
}

const char *graph_picture(const Ttig *ttig, const GraphSummary *summary, Arena *arena)
{
    enum { LEGEND_WIDTH = 480 };
    Drawing drawing = {.ttig = ttig, .arena = arena, .most_bytes = 1};
    bool has_direction = ttig->model != MODEL_TIG;
    for (uint32_t i = 0; i < summary->n_pairs; i++)
        drawing.most_bytes = fmax(drawing.most_bytes, summary->pairs[i].bytes[0] + summary->pairs[i].bytes[1]);
    drawing.are_labelled = (has_direction ? ttig->n_edges : summary->n_pairs) <= LABELLED_EDGES;
    find_size(&drawing);
    const char *heading = ttig->source[0] ? format_name(arena, ttig->source, SOURCE_ROOM) : "task graph";
    double top = svg_heading(&drawing.body, heading,
                             drawing.are_labelled ? NULL : "an edge's numbers show where one points at it", arena);
    double width = fmax(LEGEND_WIDTH, 2 * drawing.radius + drawing.box_width), highest = 0, lowest = 0;
    for (uint32_t i = 0; i < ttig->n_nodes; i++) { /* around a middle at 0 */
        highest = fmin(highest, place_of(&drawing, i).y);
        lowest = fmax(lowest, place_of(&drawing, i).y);
    }
    double height = lowest - highest + BOX_HEIGHT;
    drawing.middle = (Place){width / 2, top + 12 + BOX_HEIGHT / 2.0 - highest};
    if (has_direction)
        draw_directed(&drawing);
    else
        draw_undirected(&drawing, summary);
    draw_nodes(&drawing);
    double below = draw_legend(&drawing, top + height + 48);
    return svg_file(&drawing.body, width, below, heading, arena);
}
