/* SPDX-License-Identifier: BSD-3-Clause */
/* See pictures.h: the data of overlap.gp. */
#include "verbs/graph/pictures.h"

#include "report/format.h"
#include "report/plot.h"
#include "verbs/plots.h"
#include <math.h>

/* Narrower gaps, as shares of the picture, aren't seen. More messages would cover the picture. */
#define LEAST_SEEN (1.0 / 4000)
#define LEAST_WITH_LABEL 0.055
enum { NAME_ROOM = 10, ARROWS_AT_MOST = 120, BORDERS_AT_MOST = 120 };

typedef struct Drawing {
    const Overlap *overlap;
    double until_s;
    Text *data;
    Arena *arena;
} Drawing;

static double end_of(const Overlap *overlap, int side)
{
    return overlap->n[side] ? overlap->intervals[side][overlap->n[side] - 1].to_s : 0;
}

/* "from to row" */
static void add_piece(const Drawing *drawing, double from_s, double to_s, int row)
{
    text_add(drawing->data, "%.9g %.9g %d\n", from_s, to_s, row);
}

/* Intervals with unseen gaps between them are joined, unless there are few, whose borders are seen. */
static void add_intervals(const Drawing *drawing, int side)
{
    const OverlapInterval *list = drawing->overlap->intervals[side];
    size_t n = drawing->overlap->n[side];
    double gap_s = n > BORDERS_AT_MOST ? LEAST_SEEN * drawing->until_s : -1;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end].from_s - list[end - 1].to_s <= gap_s; end++)
            ;
        add_piece(drawing, list[i].from_s, list[end - 1].to_s, side);
    }
}

/* A task waits where it computes neither now nor for the last time. */
static void add_waits(const Drawing *drawing, int side)
{
    const OverlapInterval *list = drawing->overlap->intervals[side];
    double at_s = 0;
    for (size_t i = 0; i < drawing->overlap->n[side]; i++) {
        if (list[i].from_s - at_s > LEAST_SEEN * drawing->until_s)
            add_piece(drawing, at_s, list[i].from_s, side);
        at_s = list[i].to_s;
    }
}

/* The stretches in which both compute, joined like intervals. */
static void add_both(const Drawing *drawing)
{
    const Overlap *overlap = drawing->overlap;
    double from_s = 0, to_s = -1;
    for (size_t a = 0, b = 0; a < overlap->n[0] && b < overlap->n[1];) {
        const OverlapInterval *first = &overlap->intervals[0][a], *second = &overlap->intervals[1][b];
        double begin = fmax(first->from_s, second->from_s), end = fmin(first->to_s, second->to_s);
        if (end > begin) {
            if (to_s >= 0 && begin - to_s > LEAST_SEEN * drawing->until_s) {
                add_piece(drawing, from_s, to_s, 0);
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
        add_piece(drawing, from_s, to_s, 0);
}

static void add_labels(const Drawing *drawing)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < drawing->overlap->n[side]; i++) {
            const OverlapInterval *one = &drawing->overlap->intervals[side][i];
            if (one->to_s - one->from_s >= LEAST_WITH_LABEL * drawing->until_s)
                text_add(drawing->data, "%.9g %d %s\n", (one->from_s + one->to_s) / 2, side,
                         format_seconds(drawing->arena, one->to_s - one->from_s));
        }
}

static void add_messages(const Drawing *drawing)
{
    const Overlap *overlap = drawing->overlap;
    for (size_t i = 0; i < overlap->n_messages && overlap->n_messages <= ARROWS_AT_MOST; i++) {
        const OverlapMessage *message = &overlap->messages[i];
        text_add(drawing->data, "%.9g %.9g %d\n", message->sent_s, message->received_s, message->sender);
    }
}

static void add_block(const Drawing *drawing, const char *name, void (*add)(const Drawing *drawing))
{
    text_add(drawing->data, "$%s << END\n", name);
    add(drawing);
    text_add(drawing->data, "END\n");
}

static void add_rows(const Drawing *drawing)
{
    for (int side = 0; side < 2; side++)
        add_intervals(drawing, side);
    text_add(drawing->data, PLOT_PART_END);
    for (int side = 0; side < 2; side++)
        add_waits(drawing, side);
    text_add(drawing->data, PLOT_PART_END);
    add_both(drawing);
    text_add(drawing->data, PLOT_PART_END);
}

static const char *title_of(const Drawing *drawing, const char *const names[2])
{
    const Overlap *overlap = drawing->overlap;
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
    Text data = {0};
    const char *names[2];
    double until_s = fmax(end_of(overlap, 0), end_of(overlap, 1));
    for (int i = 0; i < 2; i++)
        names[i] = format_name(arena, ttig->nodes[tasks[i]].name, NAME_ROOM);
    const Drawing drawing = {overlap, until_s > 0 ? until_s : 1, &data, arena};
    text_add(&data, "until = %.9g\nhas_borders = %d\nheading = %s\n", drawing.until_s,
             overlap->n[0] + overlap->n[1] <= BORDERS_AT_MOST, plot_quote(title_of(&drawing, names), arena));
    text_add(&data, "note = %s\n", plot_quote(note_of(&drawing), arena));
    text_add(&data, "first = %s\n", plot_quote(names[0], arena));
    text_add(&data, "second = %s\n", plot_quote(names[1], arena));
    add_block(&drawing, "pieces", add_rows);
    add_block(&drawing, "labels", add_labels);
    add_block(&drawing, "messages", add_messages);
    return plot_script(&data, PLOT_GRAPH_OVERLAP, arena);
}
