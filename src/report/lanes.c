/* SPDX-License-Identifier: BSD-3-Clause */
/* See lanes.h. */
#include "report/lanes.h"

#include "report/format.h"
#include <math.h>

enum { RIGHT = SVG_WIDTH - 20, LEAST_LEFT = 60, NAME_ROOM = 30, LABEL_HEIGHT = 13, AXIS = 26, AXIS_TITLE = 20 };

static double height_of_row(size_t n)
{
    return n <= 4 ? 34 : n <= 12 ? 22 : n <= 24 ? 14 : 10;
}

Lanes lanes_new(const char *title, const char *const *names, size_t n, double until_s, double top, bool has_gaps)
{
    enum { TITLE = 22, GAPPED_ROW = 34, GAP = 16, GAPPED_AT_MOST = 24, MARGIN = 16 };
    bool has_room = has_gaps && n <= GAPPED_AT_MOST;
    Lanes lanes = {.title = title,
                   .names = names,
                   .n = n,
                   .top = top + TITLE,
                   .left = LEAST_LEFT,
                   .row_height = has_room ? GAPPED_ROW : height_of_row(n)};
    lanes.thickness = lanes.row_height - (has_room ? GAP : 1);
    for (size_t i = 0; i < n; i++)
        lanes.left = fmax(lanes.left, MARGIN + fmin(svg_label_width(names[i]), svg_label_width("x") * NAME_ROOM));
    lanes.axis = (Axis){
        .most = until_s > 0 ? until_s : 1, .from = lanes.left, .to = RIGHT, .format = format_seconds, .title = ""};
    return lanes;
}

double lanes_at(const Lanes *lanes, double time_s)
{
    return axis_at(&lanes->axis, fmin(fmax(time_s, 0), lanes->axis.most));
}

double lanes_y(const Lanes *lanes, size_t row)
{
    return lanes->top + (double)row * lanes->row_height;
}

double lanes_bottom(const Lanes *lanes)
{
    return lanes_y(lanes, lanes->n);
}

void lanes_names(Text *body, const Lanes *lanes, Arena *arena)
{
    size_t every = (size_t)fmax(1, ceil(LABEL_HEIGHT / lanes->row_height));
    svg_label(body, 0, lanes->top - 8, "title", lanes->title, arena);
    for (size_t i = 0; i < lanes->n; i += every)
        svg_label(body, lanes->left - 6, lanes_y(lanes, i) + lanes->thickness / 2 + 4, "e",
                  format_name(arena, lanes->names[i], NAME_ROOM), arena);
}

double lanes_begin(Text *body, const Lanes *lanes, Arena *arena)
{
    svg_axis_below(body, &lanes->axis, lanes_bottom(lanes) + 2, lanes->top, arena);
    lanes_names(body, lanes, arena);
    return lanes_bottom(lanes) + AXIS + (*lanes->axis.title ? AXIS_TITLE : 0);
}

void lanes_box(Text *body, const Lanes *lanes, size_t row, double from_s, double to_s, const char *class,
               const char *tip, Arena *arena)
{
    double from = lanes_at(lanes, from_s);
    svg_box(body, from, lanes_y(lanes, row), lanes_at(lanes, to_s) - from, lanes->thickness, class, tip, arena);
}

void lanes_shares(Text *body, const Lanes *lanes, size_t row, const SvgBand *shares, Arena *arena)
{
    SvgBand band = *shares;
    band.x = lanes->left;
    band.y = lanes_y(lanes, row);
    band.width = RIGHT - lanes->left;
    band.height = lanes->thickness;
    svg_band(body, &band, arena);
}
