/* SPDX-License-Identifier: BSD-3-Clause */
/* See chart.h. */
#include "report/chart.h"

#include "report/table.h"
#include <math.h>

enum { LEFT = 64, RIGHT = SVG_WIDTH - 24, TOP = 30, BELOW = 46, LINE = 20, HEADING = 30 };

/* No measured value is beyond it, nor below its inverse. */
static const double LARGEST = 1e30;

static bool fits(const Axis *axis, double value)
{
    return fabs(value) <= LARGEST && (!axis->is_logarithmic || value >= 1 / LARGEST);
}

static bool has_point(const Chart *chart, const Curve *curve, size_t i)
{
    return fits(&chart->x, curve->x[i]) && fits(&chart->y, curve->y[i]);
}

static void extend(Axis *axis, double value)
{
    if (!fits(axis, value))
        return;
    axis->least = fmin(axis->least, value);
    axis->most = fmax(axis->most, value);
}

/* Linear axes begin at 0. */
static bool find_ends(Chart *chart)
{
    chart->x.least = chart->x.is_logarithmic ? INFINITY : 0;
    chart->y.least = chart->y.is_logarithmic ? INFINITY : 0;
    chart->x.most = chart->y.most = -INFINITY;
    for (size_t k = 0; k < chart->n_curves; k++) {
        const Curve *curve = &chart->curves[k];
        for (size_t i = 0; i < curve->n; i++) {
            if (!has_point(chart, curve, i))
                continue;
            extend(&chart->x, curve->x[i]);
            extend(&chart->y, curve->y[i]);
            if (curve->low)
                extend(&chart->y, curve->low[i]);
            if (curve->high)
                extend(&chart->y, curve->high[i]);
        }
        for (size_t i = 0; i < curve->n_line; i++)
            extend(&chart->y, curve->line_y[i]);
    }
    return isfinite(chart->x.most) && isfinite(chart->y.most);
}

static void draw_line(Text *page, const Chart *chart, const Curve *curve)
{
    const double *x = curve->n_line ? curve->line_x : curve->x, *y = curve->n_line ? curve->line_y : curve->y;
    size_t n = curve->n_line ? curve->n_line : curve->n;
    bool is_begun = false;
    text_add(page, "<path class=\"curve %s d%zu\" d=\"", svg_colour(curve->colour), curve->dash);
    for (size_t i = 0; i < n; i++) {
        bool is_drawn = fits(&chart->x, x[i]) && fits(&chart->y, y[i]);
        if (is_drawn)
            text_add(page, "%s%.1f %.1f", is_begun ? "L" : "M", axis_at(&chart->x, x[i]), axis_at(&chart->y, y[i]));
        is_begun = is_drawn;
    }
    text_add(page, "\" />\n");
}

/* From point to point along the lower ends, and back along the upper ones. */
static void draw_band(Text *page, const Chart *chart, const Curve *curve)
{
    bool is_begun = false;
    text_add(page, "<path class=\"band %s\" d=\"", svg_colour(curve->colour));
    for (size_t k = 0; k < 2 * curve->n; k++) {
        size_t i = k < curve->n ? k : 2 * curve->n - 1 - k;
        double y = k < curve->n ? curve->low[i] : curve->high[i];
        if (!has_point(chart, curve, i) || !fits(&chart->y, curve->low[i]) || !fits(&chart->y, curve->high[i]))
            continue;
        text_add(page, "%s%.1f %.1f", is_begun ? "L" : "M", axis_at(&chart->x, curve->x[i]), axis_at(&chart->y, y));
        is_begun = true;
    }
    text_add(page, "Z\" />\n");
}

static void draw_points(Text *page, const Chart *chart, const Curve *curve, Arena *arena)
{
    for (size_t i = 0; i < curve->n; i++) {
        if (!has_point(chart, curve, i))
            continue;
        double x = axis_at(&chart->x, curve->x[i]), y = axis_at(&chart->y, curve->y[i]);
        const char *tip = arena_printf(arena, "%s: %s, %s", curve->name, chart->x.format(arena, curve->x[i]),
                                       chart->y.format(arena, curve->y[i]));
        if (!curve->is_band && curve->low && curve->high && fits(&chart->y, curve->low[i]) &&
            fits(&chart->y, curve->high[i]))
            text_add(page, "<path class=\"whisker %s\" d=\"M%.1f %.1fV%.1f\" />\n", svg_colour(curve->colour), x,
                     axis_at(&chart->y, curve->low[i]), axis_at(&chart->y, curve->high[i]));
        svg_box(page, x - 3, y - 3, 6, 6, svg_colour(curve->colour), tip, arena);
    }
}

/* A piece of each curve with its name. Returns the height of the legend; draws only below a y that isn't NAN. */
static double legend(Text *page, const Chart *chart, double y, Arena *arena)
{
    double x = LEFT, top = isnan(y) ? 0 : y, at = top;
    for (size_t i = 0; i < chart->n_curves; i++) {
        const Curve *curve = &chart->curves[i];
        if (!curve->name)
            continue;
        double width = 46 + 7 * (double)text_width(curve->name);
        if (x > LEFT && x + width > SVG_WIDTH) {
            x = LEFT;
            at += LINE;
        }
        if (!isnan(y) && curve->is_line)
            text_add(page, "<path class=\"curve %s d%zu\" d=\"M%.0f %.0fh24\" />\n", svg_colour(curve->colour),
                     curve->dash, x, at + 6);
        if (!isnan(y) && curve->is_points)
            svg_box(page, x + 9, at + 3, 6, 6, svg_colour(curve->colour), NULL, arena);
        if (!isnan(y))
            svg_label(page, x + 30, at + 10, "", curve->name, arena);
        x += width;
    }
    return at - top + LINE;
}

static void mark_extrapolated(Text *body, const Chart *chart, double top, double below, Arena *arena)
{
    double from = axis_at(&chart->x, chart->known_to);
    if (!(chart->known_to > 0) || !(from < RIGHT - 1))
        return;
    svg_line(body, from, below, from, top, "axis");
    svg_label(body, fmin(from + 6, RIGHT - svg_label_width("extrapolated")), top + 12, "", "extrapolated", arena);
}

/* The axes, the pieces of the legend and all curves; `top` is the room of the heading. */
static void draw(Text *body, Chart *chart, double top, Arena *arena)
{
    double below = top + chart->height;
    chart->x.from = LEFT;
    chart->x.to = RIGHT;
    chart->y.from = below;
    chart->y.to = top + TOP;
    if (chart->heading)
        svg_heading(body, chart->heading, NULL, arena);
    svg_axis_below(body, &chart->x, below, top + TOP, arena);
    svg_axis_left(body, &chart->y, LEFT, RIGHT, arena);
    mark_extrapolated(body, chart, top + TOP, below, arena);
    for (size_t i = 0; i < chart->n_curves; i++) {
        if (chart->curves[i].is_band)
            draw_band(body, chart, &chart->curves[i]);
        if (chart->curves[i].is_line)
            draw_line(body, chart, &chart->curves[i]);
        if (chart->curves[i].is_points)
            draw_points(body, chart, &chart->curves[i], arena);
    }
    legend(body, chart, below + BELOW, arena);
}

static double heading_height(const Chart *chart)
{
    return chart->heading ? HEADING : 0;
}

double chart_body(Text *body, Chart chart, Arena *arena)
{
    if (!find_ends(&chart))
        return 0;
    axis_round(&chart.x);
    axis_round(&chart.y);
    draw(body, &chart, heading_height(&chart), arena);
    return heading_height(&chart) + chart.height + BELOW + legend(NULL, &chart, NAN, arena);
}

void svg_chart(Text *page, Chart chart, Arena *arena)
{
    Text body = {0};
    double height = chart_body(&body, chart, arena);
    if (height > 0)
        svg_insert(page, &body, height, chart.title, arena);
}
