/* SPDX-License-Identifier: BSD-3-Clause */
/* See pictures.h. */
#include "verbs/graph/pictures.h"

#include "report/format.h"
#include "report/lanes.h"
#include <math.h>

/* Narrower gaps, as shares of the picture, aren't seen. More messages would cover the picture. */
#define LEAST_SEEN (1.0 / 4000)
#define LEAST_WITH_LABEL 0.055
enum { NAME_ROOM = 10, ARROWS_AT_MOST = 120, BORDERS_AT_MOST = 120 };

typedef struct Drawing {
    const Overlap *overlap;
    double until_s;
    const char *names[2];
    Lanes lanes;
    Text *body;
    Arena *arena;
} Drawing;

static double end_of(const Overlap *overlap, int side)
{
    return overlap->n[side] ? overlap->intervals[side][overlap->n[side] - 1].to_s : 0;
}

/* Intervals with unseen gaps between them are joined, unless there are few, whose borders are seen. */
static void draw_intervals(const Drawing *drawing, int side)
{
    const OverlapInterval *list = drawing->overlap->intervals[side];
    size_t n = drawing->overlap->n[side];
    double gap_s = n > BORDERS_AT_MOST ? LEAST_SEEN * drawing->until_s : -1;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end].from_s - list[end - 1].to_s <= gap_s; end++)
            ;
        lanes_box(drawing->body, &drawing->lanes, (size_t)side, list[i].from_s, list[end - 1].to_s,
                  end == i + 1 ? "computation bordered" : "computation",
                  arena_printf(drawing->arena, "task %s computes, %s to %s", drawing->names[side],
                               format_seconds(drawing->arena, list[i].from_s),
                               format_seconds(drawing->arena, list[end - 1].to_s)),
                  drawing->arena);
    }
}

/* A task waits where it computes neither now nor for the last time. */
static void draw_waits(const Drawing *drawing, int side)
{
    const OverlapInterval *list = drawing->overlap->intervals[side];
    double at_s = 0;
    for (size_t i = 0; i < drawing->overlap->n[side]; i++) {
        if (list[i].from_s - at_s > LEAST_SEEN * drawing->until_s)
            lanes_box(drawing->body, &drawing->lanes, (size_t)side, at_s, list[i].from_s, "waiting",
                      arena_printf(drawing->arena, "task %s waits for a message, %s", drawing->names[side],
                                   format_seconds(drawing->arena, list[i].from_s - at_s)),
                      drawing->arena);
        at_s = list[i].to_s;
    }
}

/* Behind both rows. */
static void draw_stretch(const Drawing *drawing, double from_s, double to_s)
{
    const Lanes *lanes = &drawing->lanes;
    double from = lanes_at(lanes, from_s);
    svg_box(drawing->body, from, lanes->top - 4, lanes_at(lanes, to_s) - from, lanes_bottom(lanes) - lanes->top + 4,
            "computation h1", NULL, drawing->arena);
}

/* The stretches in which both compute, joined like intervals. */
static void draw_both(const Drawing *drawing)
{
    const Overlap *overlap = drawing->overlap;
    double from_s = 0, to_s = -1;
    for (size_t a = 0, b = 0; a < overlap->n[0] && b < overlap->n[1];) {
        const OverlapInterval *first = &overlap->intervals[0][a], *second = &overlap->intervals[1][b];
        double begin = fmax(first->from_s, second->from_s), end = fmin(first->to_s, second->to_s);
        if (end > begin) {
            if (to_s >= 0 && begin - to_s > LEAST_SEEN * drawing->until_s) {
                draw_stretch(drawing, from_s, to_s);
                from_s = begin;
            } else if (to_s < 0) {
                from_s = begin;
            }
            to_s = end;
        }
        if (first->to_s < second->to_s)
            a++;
        else
            b++;
    }
    if (to_s >= 0)
        draw_stretch(drawing, from_s, to_s);
}

static double middle_y(const Lanes *lanes, int side)
{
    return lanes_y(lanes, (size_t)side) + lanes->thickness / 2;
}

static void draw_labels(const Drawing *drawing)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < drawing->overlap->n[side]; i++) {
            const OverlapInterval *one = &drawing->overlap->intervals[side][i];
            if (one->to_s - one->from_s >= LEAST_WITH_LABEL * drawing->until_s)
                svg_label(drawing->body, lanes_at(&drawing->lanes, (one->from_s + one->to_s) / 2),
                          middle_y(&drawing->lanes, side) + 4, "m small on",
                          format_seconds(drawing->arena, one->to_s - one->from_s), drawing->arena);
        }
}

static void draw_messages(const Drawing *drawing)
{
    const Overlap *overlap = drawing->overlap;
    const Lanes *lanes = &drawing->lanes;
    double upper = lanes->top + lanes->thickness, lower = lanes_y(lanes, 1);
    for (size_t i = 0; i < overlap->n_messages && overlap->n_messages <= ARROWS_AT_MOST; i++) {
        const OverlapMessage *message = &overlap->messages[i];
        bool is_downwards = message->sender == 0;
        svg_arrow(drawing->body, lanes_at(lanes, message->sent_s), is_downwards ? upper : lower,
                  lanes_at(lanes, message->received_s), is_downwards ? lower : upper, "message");
    }
}

static const char *title_of(const Drawing *drawing)
{
    const Overlap *overlap = drawing->overlap;
    const char *const *names = drawing->names;
    double shares[2];
    for (int i = 0; i < 2; i++)
        shares[i] = overlap->compute_s[i] > 0 ? overlap->overlap_s / overlap->compute_s[i] : 0;
    return arena_printf(drawing->arena, "tasks %s and %s overlap for %s: p(%s,%s) = %.3f, p(%s,%s) = %.3f", names[0],
                        names[1], format_seconds(drawing->arena, overlap->overlap_s), names[0], names[1], shares[1],
                        names[1], names[0], shares[0]);
}

static const char *note_of(const Drawing *drawing)
{
    const Overlap *overlap = drawing->overlap;
    return arena_printf(drawing->arena, "only their messages to each other bind them, and take no time%s%s",
                        overlap->n_messages > ARROWS_AT_MOST
                            ? arena_printf(drawing->arena, "; %s messages are too many to draw",
                                           format_count(drawing->arena, overlap->n_messages))
                            : "",
                        overlap->is_folded ? "; loops are folded to one iteration" : "");
}

const char *graph_overlap_picture(const Ttig *ttig, const uint32_t tasks[2], const Overlap *overlap, Arena *arena)
{
    static const char *const classes[] = {"computation", "waiting", "computation h1"};
    Text body = {0};
    const char *rows[2];
    double until_s = fmax(end_of(overlap, 0), end_of(overlap, 1));
    Drawing drawing = {.overlap = overlap, .until_s = until_s > 0 ? until_s : 1, .body = &body, .arena = arena};
    for (int i = 0; i < 2; i++) {
        drawing.names[i] = format_name(arena, ttig->nodes[tasks[i]].name, NAME_ROOM);
        rows[i] = arena_printf(arena, "task %s", drawing.names[i]);
    }
    const char *title = title_of(&drawing);
    double top = svg_heading(&body, title, note_of(&drawing), arena);
    drawing.lanes = lanes_new("", rows, 2, drawing.until_s, top, true);
    drawing.lanes.axis.title = "time";
    drawing.lanes.row_height = 2 * drawing.lanes.thickness + 34;
    draw_both(&drawing);
    double below = lanes_begin(&body, &drawing.lanes, arena);
    for (int side = 0; side < 2; side++) {
        draw_intervals(&drawing, side);
        draw_waits(&drawing, side);
    }
    draw_labels(&drawing);
    draw_messages(&drawing);
    below = svg_legend(&body, drawing.lanes.left, below, classes,
                       (const char *const[]){"computes", "waits for a message", "both compute; arrows are messages"}, 3,
                       arena);
    return svg_file(&body, SVG_WIDTH, below, title, arena);
}
