/* SPDX-License-Identifier: BSD-3-Clause */
/* See scaling.h: pictures. Each problem size is a colour: its measured points, with intervals, and its best law as a
 * line, dashed beyond what was run, in the band that the plausible laws leave. */
#include "verbs/scale/runs_views.h"

#include "base/text.h"
#include "report/plot.h"
#include <math.h>

enum { WIDTH = 900, HEIGHT = 600, STEPS = 40, SIZES_DRAWN = 12 };

/* The lines go on so far beyond the largest p. */
static const double BEYOND = 2;

typedef struct Drawing {
    const Scaling *scaling;
    ScalingPicture picture;
    Text blocks, curves;
    unsigned n_curves;
    Arena *arena;
} Drawing;

static double ordinate(const Drawing *drawing, const SizeScaling *size, double p, double time_s)
{
    double base_s = size->points[0].run->median_s * size->points[0].run->p;
    switch (drawing->picture) {
    case SCALING_PICTURE_SPEEDUP:
        return base_s / time_s;
    case SCALING_PICTURE_EFFICIENCY:
        return base_s / time_s / p;
    default:
        return time_s;
    }
}

static double last_p(const SizeScaling *size)
{
    double last = size->points[size->n_points - 1].run->p * BEYOND;
    for (uint32_t i = 0; i < size->n_predictions; i++)
        last = fmax(last, size->predictions[i].p);
    return last;
}

static void add_points(Drawing *drawing, const SizeScaling *size, unsigned k)
{
    text_add(&drawing->blocks, "$points%u << END\n", k);
    for (uint32_t i = 0; i < size->n_points; i++) {
        const RunPoint *run = size->points[i].run;
        text_add(&drawing->blocks, "%u %.9g %.9g %.9g\n", run->p, ordinate(drawing, size, run->p, run->median_s),
                 ordinate(drawing, size, run->p, run->low_s), ordinate(drawing, size, run->p, run->high_s));
    }
    text_add(&drawing->blocks, "END\n");
}

static void add_line(Drawing *drawing, const SizeScaling *size, unsigned k)
{
    double first = size->points[0].run->p, ratio = last_p(size) / first;
    text_add(&drawing->blocks, "$line%u << END\n", k);
    for (int i = 0; i <= STEPS; i++) {
        double p = first * pow(ratio, (double)i / STEPS);
        Estimated time_s = laws_time_s(size->laws, size->n_laws, p);
        double low_s = isnan(time_s.low) ? time_s.value : time_s.low;
        double high_s = isnan(time_s.high) ? time_s.value : time_s.high;
        text_add(&drawing->blocks, "%.9g %.9g %.9g %.9g\n", p, ordinate(drawing, size, p, time_s.value),
                 ordinate(drawing, size, p, fmax(low_s, 1e-3 * time_s.value)), ordinate(drawing, size, p, high_s));
    }
    text_add(&drawing->blocks, "END\n");
}

static void begin_curve(Drawing *drawing)
{
    text_add(&drawing->curves, "%s", drawing->n_curves++ ? ", " : "plot ");
}

static void add_size(Drawing *drawing, const SizeScaling *size, unsigned k)
{
    Arena *arena = drawing->arena;
    double last = size->points[size->n_points - 1].run->p;
    const char *title = drawing->scaling->n_sizes > 1 ? arena_printf(arena, "n = %g", size->n) : "measured";
    add_points(drawing, size, k);
    if (size->n_laws) {
        const char *law = arena_printf(arena, "%s, %s", title, size->laws[0].name);
        add_line(drawing, size, k);
        begin_curve(drawing);
        text_add(&drawing->curves, "$line%u using 1:3:4 with filledcurves fc lt %u fs transparent solid 0.15 notitle",
                 k, k + 1);
        begin_curve(drawing);
        text_add(&drawing->curves, "$line%u using ($1 <= %.9g ? $1 : NaN):2 with lines lc %u lw 1.5 title %s", k, last,
                 k + 1, plot_quote(law, arena));
        begin_curve(drawing);
        text_add(&drawing->curves, "$line%u using ($1 >= %.9g ? $1 : NaN):2 with lines lc %u dt 2 notitle", k, last,
                 k + 1);
    }
    begin_curve(drawing);
    text_add(&drawing->curves, "$points%u using 1:2:3:4 with yerrorbars lc %u pt 7 ps 0.6 title %s", k, k + 1,
             size->n_laws ? "''" : plot_quote(title, arena));
}

static void add_ideal(Drawing *drawing)
{
    begin_curve(drawing);
    text_add(&drawing->curves, "%s with lines lc rgb '#888888' dt 4 title 'ideal'",
             drawing->picture == SCALING_PICTURE_SPEEDUP ? "x" : "1");
}

/* Amdahl's, of the largest size. */
static void add_bound(Drawing *drawing)
{
    const SizeScaling *size = &drawing->scaling->sizes[drawing->scaling->n_sizes - 1];
    double bound = size->speedup_bound.value;
    if (!isfinite(bound))
        return;
    begin_curve(drawing);
    text_add(&drawing->curves, "%.9g with lines lc rgb '#bb4444' dt 3 title 'Amdahl: 1/s = %.3g'", bound, bound);
}

static void add_limit(Drawing *drawing)
{
    begin_curve(drawing);
    text_add(&drawing->curves, "%.9g with lines lc rgb '#bb4444' dt 3 title 'efficiency %.3g'",
             drawing->scaling->efficiency_limit, drawing->scaling->efficiency_limit);
}

static bool draw_isoefficiency(Drawing *drawing)
{
    const Isoefficiency *found = &drawing->scaling->isoefficiency;
    unsigned n = 0;
    text_add(&drawing->blocks, "$sizes << END\n");
    for (uint32_t i = 0; i < found->n_points; i++) {
        const IsoefficiencyPoint *point = &found->points[i];
        double value = point->n.value;
        if (isnan(value))
            continue;
        text_add(&drawing->blocks, "%g %.9g %.9g %.9g\n", point->p, value, isnan(point->n.low) ? value : point->n.low,
                 isnan(point->n.high) ? value : point->n.high);
        n++;
    }
    text_add(&drawing->blocks, "END\n");
    begin_curve(drawing);
    text_add(&drawing->curves,
             "$sizes using 1:2:3:4 with yerrorbars lc 1 pt 7 ps 0.6 notitle, $sizes using 1:2 with "
             "lines lc 1 title 'efficiency %.3g'",
             drawing->scaling->efficiency_limit);
    return n > 0;
}

static bool draw_sizes(Drawing *drawing)
{
    unsigned k = 0;
    for (uint32_t i = 0; i < drawing->scaling->n_sizes && k < SIZES_DRAWN; i++)
        if (drawing->scaling->sizes[i].n_points > 1)
            add_size(drawing, &drawing->scaling->sizes[i], k++);
    if (k && drawing->picture != SCALING_PICTURE_TIME)
        add_ideal(drawing);
    if (k && drawing->picture == SCALING_PICTURE_SPEEDUP)
        add_bound(drawing);
    if (k && drawing->picture == SCALING_PICTURE_EFFICIENCY)
        add_limit(drawing);
    return k > 0;
}

const char *scaling_picture(const Scaling *scaling, ScalingPicture picture, Arena *arena)
{
#define OF_LAWS ": as measured (95 % interval of the median), and by the best law (band: all plausible laws)"
    static const struct {
        const char *label, *title, *axes;
    } looks[] = {
        [SCALING_PICTURE_TIME] = {"time", "Time" OF_LAWS, "set logscale y\nset format y '%.0s %cs'\n"},
        [SCALING_PICTURE_SPEEDUP] = {"speedup", "Speedup" OF_LAWS, "set logscale y 2\n"},
        [SCALING_PICTURE_EFFICIENCY] = {"efficiency", "Efficiency" OF_LAWS, "set yrange [0:*]\n"},
        [SCALING_PICTURE_ISOEFFICIENCY] = {"n", "Isoefficiency: the size that keeps the efficiency",
                                           "set logscale y\n"},
    };
#undef OF_LAWS
    Drawing drawing = {.scaling = scaling, .picture = picture, .arena = arena};
    bool ok = picture == SCALING_PICTURE_ISOEFFICIENCY ? draw_isoefficiency(&drawing) : draw_sizes(&drawing);
    const char *blocks = text_take(&drawing.blocks, arena), *curves = text_take(&drawing.curves, arena);
    Text script = {0};
    if (!ok)
        return NULL;
    plot_begin(&script, WIDTH, HEIGHT);
    text_add(
        &script,
        "set logscale x 2\n%sset autoscale xfix\nset autoscale noextend\nset offsets graph 0.02, graph 0.02, graph "
        "0.02, graph 0.02\nset xlabel 'processes'\nset ylabel '%s'\nset title '%s'\nset grid lc rgb '#dddddd'\n"
        "set key outside right top\n%s%s\n",
        looks[picture].axes, looks[picture].label, looks[picture].title, blocks, curves);
    return text_take(&script, arena);
}
