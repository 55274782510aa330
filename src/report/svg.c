/* SPDX-License-Identifier: BSD-3-Clause */
/* See svg.h. */
#include "report/svg.h"

#include "report/format.h"
#include "report/html.h"
#include "report/svg_style.h"
#include "report/table.h"
#include <math.h>

enum { LETTER = 7, LEGEND_LINE = 20, SHARE_STEPS = 100, TICKS_WANTED = 6 };

void svg_begin(Text *page, double height, const char *title, Arena *arena)
{
    text_add(page, "<div class=scroll><svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\">\n", SVG_WIDTH,
             height, html_escape(title, arena));
}

const char *svg_page_style(void)
{
    return SVG_PAGE_STYLE;
}

void svg_insert(Text *page, Text *body, double height, const char *title, Arena *arena)
{
    svg_begin(page, height, title, arena);
    text_add(page, "%s", text_take(body, arena));
    svg_end(page);
}

const char *svg_file(Text *body, double width, double height, const char *title, Arena *arena)
{
    enum { MARGIN = 12 };
    Text file = {0};
    width += 2 * MARGIN;
    height += 2 * MARGIN;
    text_add(
        &file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%d %d %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" "
        "aria-label=\"%s\">\n<style>\n%s</style>\n"
        "<rect class=\"paper\" x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%.0f\" />\n",
        -MARGIN, -MARGIN, width, height, width, height, html_escape(title, arena), SVG_FILE_STYLE, -MARGIN, -MARGIN,
        width, height);
    text_add(&file, "%s</svg>\n", text_take(body, arena));
    return text_take(&file, arena);
}

void svg_end(Text *page)
{
    text_add(page, "</svg></div>\n");
}

void svg_box(Text *page, double x, double y, double width, double height, const char *class, const char *tip,
             Arena *arena)
{
    text_add(page, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"", x, y, fmax(0, width),
             fmax(0, height), class);
    if (tip)
        text_add(page, "><title>%s</title></rect>\n", html_escape(tip, arena));
    else
        text_add(page, " />\n");
}

void svg_line(Text *page, double x1, double y1, double x2, double y2, const char *class)
{
    text_add(page, "<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"%s\" />\n", x1, y1, x2, y2, class);
}

/* A line with a head at its second end. */
void svg_arrow(Text *page, double x1, double y1, double x2, double y2, const char *class)
{
    const double head = 6, half = 2.5, length = fmax(hypot(x2 - x1, y2 - y1), 1e-6);
    double dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    text_add(page, "<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" class=\"%s\" />\n", x1, y1, x2, y2,
             x2, y2, x2 - head * dx + half * dy, y2 - head * dy - half * dx, x2 - head * dx - half * dy,
             y2 - head * dy + half * dx, class);
}

double svg_label_width(const char *text)
{
    return LETTER * (double)text_width(text);
}

double svg_heading(Text *body, const char *heading, const char *note, Arena *arena)
{
    enum { HEADING = 30, NOTE = 18 };
    svg_label(body, 0, HEADING - 10, "big", heading, arena);
    if (note)
        svg_label(body, 0, HEADING + NOTE - 10, "title", note, arena);
    return HEADING + (note ? NOTE : 0);
}

void svg_label(Text *page, double x, double y, const char *class, const char *text, Arena *arena)
{
    text_add(page, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, class, html_escape(text, arena));
}

const char *svg_colour(size_t number)
{
    static const char *const classes[SVG_COLOURS] = {"s0", "s1", "s2", "s3", "s4"};
    return classes[number % SVG_COLOURS];
}

double svg_legend(Text *page, double x, double y, const char *const *classes, const char *const *names, size_t n,
                  Arena *arena)
{
    double at = x;
    for (size_t i = 0; i < n; i++) {
        double width = 34 + svg_label_width(names[i]);
        if (at > x && at + width > SVG_WIDTH) {
            at = x;
            y += LEGEND_LINE;
        }
        svg_box(page, at, y, 12, 12, classes[i], NULL, arena);
        svg_label(page, at + 17, y + 10, "", names[i], arena);
        at += width;
    }
    return y + LEGEND_LINE;
}

/* Layers are painted from the highest sum to the lowest, each from the bottom on. */
void svg_band(Text *page, const SvgBand *band, Arena *arena)
{
    double scale = band->edges ? 1 : band->width / (double)band->n_pieces;
    text_add(page, "<g transform=\"translate(%.1f %.1f) scale(%.4f %.4f)\">", band->edges ? 0 : band->x, band->y, scale,
             band->height / SHARE_STEPS);
    for (size_t layer = band->n_layers; layer-- > 0;) {
        int before = SHARE_STEPS;
        double from = band->edges ? band->edges[0] : 0;
        text_add(page, "<path class=\"%s\" d=\"M%.4g %d", band->classes[layer], from, SHARE_STEPS);
        for (size_t i = 0; i < band->n_pieces; i++) {
            double sum = 0;
            for (size_t k = 0; k <= layer; k++)
                sum += band->shares[i * band->stride + k];
            int top = SHARE_STEPS - (int)lround(SHARE_STEPS * fmin(1, sum));
            if (top != before)
                text_add(page, "H%.4gV%d", band->edges ? band->edges[i] : (double)i, top);
            before = top;
        }
        text_add(page, "H%.4gV%dZ\"", band->edges ? band->edges[band->n_pieces] : (double)band->n_pieces, SHARE_STEPS);
        if (band->names)
            text_add(page, "><title>%s</title></path>", html_escape(band->names[layer], arena));
        else
            text_add(page, " />");
    }
    text_add(page, "</g>\n");
}

/* ---- axes ---- */

const char *format_plain(Arena *arena, double value)
{
    return isfinite(value) ? arena_printf(arena, "%g", value) : "–";
}

/* A round number that is about this large: 1, 2 or 5 times a power of ten. */
static double round_step(double step)
{
    double power = pow(10, floor(log10(step))), digit = step / power;
    if (!(power > 0)) /* the step is too small for a power of its own */
        return step;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/* The same for times that are written in minutes and hours. */
static double round_time_step(double step_s)
{
    static const double steps_s[] = {60, 120, 300, 600, 1200, 1800, 3600};
    for (size_t i = 0; i < sizeof steps_s / sizeof *steps_s; i++)
        if (step_s < 1.2 * steps_s[i])
            return steps_s[i];
    return 3600 * fmax(1, round_step(step_s / 3600));
}

static double step_of(const Axis *axis)
{
    const double in_minutes_s = 30;
    double wanted = (axis->most - axis->least) / TICKS_WANTED;
    double step =
        axis->format == format_seconds && wanted > in_minutes_s ? round_time_step(wanted) : round_step(wanted);
    return axis->is_whole ? fmax(1, step) : step;
}

void axis_round(Axis *axis)
{
    if (axis->is_logarithmic) {
        axis->most = fmax(axis->most, axis->least * 1.0001);
        return;
    }
    if (!(axis->most > axis->least))
        axis->most = axis->least + (axis->least > 0 ? axis->least : 1);
    double step = step_of(axis);
    axis->least = step * floor(axis->least / step);
    axis->most = step * ceil(axis->most / step);
}

double axis_at(const Axis *axis, double value)
{
    double share = axis->is_logarithmic ? log(value / axis->least) / log(axis->most / axis->least)
                                        : (value - axis->least) / (axis->most - axis->least);
    return axis->from + share * (axis->to - axis->from);
}

void axis_show(Axis *axis, const double *values, size_t n, Arena *arena)
{
    double *shown = arena_new_array(arena, double, axis->n_shown + n);
    for (size_t i = 0; i < axis->n_shown + n; i++)
        shown[i] = i < axis->n_shown ? axis->shown[i] : values[i - axis->n_shown];
    axis->shown = shown;
    axis->n_shown += n;
}

/* The least value that is to be shown and is larger; INFINITY: there is none. */
static double next_shown(const Axis *axis, double value)
{
    double next = INFINITY;
    for (size_t i = 0; i < axis->n_shown; i++)
        if (axis->shown[i] > value && axis->shown[i] >= axis->least * 0.999)
            next = fmin(next, axis->shown[i]);
    return next;
}

/* Values on a logarithmic axis: powers of two, or powers of ten, with 2 and 5 between them on a short axis, and every other one on a
 * long one. */
static double next_value(const Axis *axis, double value)
{
    static const double within[] = {1, 2, 5, 10};
    double decades = log10(axis->most / axis->least);
    if (axis->n_shown)
        return next_shown(axis, value);
    if (!axis->is_logarithmic) /* multiples of the step, so that 0 is 0 */
        return step_of(axis) * (round(value / step_of(axis)) + 1);
    if (axis->is_binary)
        return 2 * value;
    double power = pow(10, floor(log10(value) + 1e-9)), digit = value / power;
    if (decades > 3)
        return power * (decades > 8 ? 100 : 10);
    for (int i = 0; i < 4; i++)
        if (within[i] > digit * 1.001)
            return power * within[i];
    return power * 10;
}

static double first_value(const Axis *axis)
{
    if (!axis->is_logarithmic)
        return axis->least;
    if (axis->n_shown)
        return next_shown(axis, 0);
    if (axis->is_binary)
        return exp2(ceil(log2(axis->least * 0.999)));
    double value = pow(10, floor(log10(axis->least)));
    while (value < axis->least * 0.999)
        value = next_value(axis, value);
    return value;
}

/* Visits the values that the axis shows. */
#define FOR_VALUES(axis, value)                                                                                        \
    for (double value = first_value(axis); value <= (axis)->most * (1 + 1e-9); value = next_value(axis, value))

void svg_axis_below(Text *page, const Axis *axis, double at, double end, Arena *arena)
{
    double free_from = -SVG_WIDTH;
    FOR_VALUES(axis, value)
    {
        const char *text = axis->format(arena, value);
        double x = axis_at(axis, value), half = svg_label_width(text) / 2;
        svg_line(page, x, at, x, end, "grid");
        if (x - half < free_from)
            continue;
        svg_label(page, fmin(x, SVG_WIDTH - half), at + 16, "m", text, arena);
        free_from = x + half + LETTER;
    }
    svg_label(page, (axis->from + axis->to) / 2, at + 34, "m title", axis->title, arena);
}

void svg_axis_left(Text *page, const Axis *axis, double at, double end, Arena *arena)
{
    FOR_VALUES(axis, value)
    {
        double y = axis_at(axis, value);
        svg_line(page, at, y, end, y, "grid");
        svg_label(page, at - 6, y + 4, "e", axis->format(arena, value), arena);
    }
    svg_label(page, 0, fmin(axis->from, axis->to) - 14, "title", axis->title, arena);
}
