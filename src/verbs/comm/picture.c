/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h: pictures. Each series is a block of measured points, with the interval of the median, and, for paths that
 * have a model, a block of the fitted line. */
#include "verbs/comm/views.h"

#include "base/text.h"
#include "comm/protocol.h"
#include "comm/summary.h"
#include "report/plot.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 640, PANEL_HEIGHT = 360, PANELS_A_ROW = 2, STEPS_AN_OCTAVE = 4 };

typedef struct Drawing {
    const CommMeasurement *measurement;
    const MachineModel *machine;
    CommPicture picture;
    const char *operation; /* of the panel */
    Text blocks, curves;   /* data of all panels, and the plot command of this one */
    unsigned n, n_curves;  /* series so far, in all panels and in this one */
    Arena *arena;
} Drawing;

/* A barrier has no sizes to be drawn over. */
static bool belongs(const Drawing *drawing, const CommSeries *series)
{
    return strcmp(series->operation, drawing->operation) == 0 && series->points[series->n_points - 1].bytes > 0;
}

static double ordinate(const Drawing *drawing, double bytes, double time_s)
{
    return drawing->picture == COMM_PICTURE_BANDWIDTH ? bytes / time_s : time_s;
}

static const char *title_of(const Drawing *drawing, const CommSeries *series)
{
    Arena *arena = drawing->arena;
    const CommMeasurement *measurement = drawing->measurement;
    const char *name = comm_configuration_name(&measurement->configurations[series->configuration], arena);
    if (drawing->picture == COMM_PICTURE_COLLECTIVES)
        return arena_printf(arena, "%s, %u processes", name, series->n_ranks);
    return summary_is_local(series)
               ? name
               : arena_printf(arena, "%s, %s – %s", name, measurement->hosts[series->from_host].name,
                              measurement->hosts[series->to_host].name);
}

static const MachinePath *path_of(const Drawing *drawing, const CommSeries *series)
{
    const CommConfiguration *names = &drawing->measurement->configurations[series->configuration];
    return drawing->picture == COMM_PICTURE_COLLECTIVES
               ? NULL
               : machine_find_path(drawing->machine, names, series->from_host, series->to_host);
}

static void add_points(Drawing *drawing, const CommSeries *series)
{
    text_add(&drawing->blocks, "$points%u << END\n", drawing->n);
    for (uint32_t i = 0; i < series->n_points; i++) {
        const CommPoint *point = &series->points[i];
        double bytes = (double)point->bytes;
        if (point->bytes)
            text_add(&drawing->blocks, "%.9g %.9g %.9g %.9g\n", bytes, ordinate(drawing, bytes, point->median_s),
                     ordinate(drawing, bytes, point->low_s), ordinate(drawing, bytes, point->high_s));
    }
    text_add(&drawing->blocks, "END\n");
}

static void add_line(Drawing *drawing, const CommSeries *series, const MachinePath *path)
{
    double largest = (double)series->points[series->n_points - 1].bytes, bytes = (double)series->points[0].bytes;
    text_add(&drawing->blocks, "$line%u << END\n", drawing->n);
    for (bytes = fmax(1, bytes); bytes <= largest; bytes *= exp2(1.0 / STEPS_AN_OCTAVE))
        text_add(&drawing->blocks, "%.9g %.9g\n", bytes, ordinate(drawing, bytes, machine_message_s(path, bytes)));
    text_add(&drawing->blocks, "END\n");
}

static void add_series(Drawing *drawing, const CommSeries *series)
{
    const MachinePath *path = path_of(drawing, series);
    unsigned style = drawing->n_curves + 1;
    add_points(drawing, series);
    text_add(&drawing->curves, "%s$points%u using 1:2:3:4 with yerrorbars lc %u pt 7 ps 0.5 title %s",
             drawing->n_curves ? ", " : "plot ", drawing->n, style,
             plot_quote(title_of(drawing, series), drawing->arena));
    if (path && path->n_segments) {
        add_line(drawing, series, path);
        text_add(&drawing->curves, ", $line%u with lines lc %u notitle", drawing->n, style);
    } else {
        text_add(&drawing->curves, ", $points%u using 1:2 with lines lc %u dt 3 notitle", drawing->n, style);
    }
    drawing->n++;
    drawing->n_curves++;
}

/* The plot command of an operation's series, their data being added; NULL: it has none. */
static const char *draw_operation(Drawing *drawing, const char *operation)
{
    drawing->operation = operation;
    drawing->n_curves = 0;
    for (uint32_t i = 0; i < drawing->measurement->n_series; i++)
        if (belongs(drawing, &drawing->measurement->series[i]))
            add_series(drawing, &drawing->measurement->series[i]);
    return drawing->n_curves ? text_take(&drawing->curves, drawing->arena) : NULL;
}

static void add_axes(Text *script, bool is_bandwidth, const char *key)
{
    text_add(script,
             "set logscale xy\nset format x '%%.0s %%cB'\nset format y '%s'\nset xlabel 'message'\nset ylabel '%s'\n"
             "set grid lc rgb '#dddddd'\nset key %s\n",
             is_bandwidth ? "%.0s %cB/s" : "%.0s %cs", is_bandwidth ? "bandwidth" : "time", key);
}

static const char *draw_messages(Drawing *drawing)
{
    Arena *arena = drawing->arena;
    bool is_bandwidth = drawing->picture == COMM_PICTURE_BANDWIDTH;
    const char *curves = draw_operation(drawing, "pingpong"), *blocks = text_take(&drawing->blocks, arena);
    Text script = {0};
    if (!curves)
        return NULL;
    plot_begin(&script, WIDTH, HEIGHT);
    add_axes(&script, is_bandwidth, "outside right top");
    text_add(&script, "set title 'Messages, one way: %s as measured (95 %% interval of the median) and fitted'\n%s%s\n",
             is_bandwidth ? "bandwidth" : "time", blocks, curves);
    return text_take(&script, arena);
}

/* A panel for each operation. */
static const char *draw_collectives(Drawing *drawing)
{
    static const char *const operations[] = {COMM_OPERATIONS};
    Text panels = {0}, script = {0};
    unsigned n = 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const char *curves = strcmp(operations[i], "pingpong") == 0 ? NULL : draw_operation(drawing, operations[i]);
        if (!curves)
            continue;
        text_add(&panels, "set title '%s'\n%s\n", operations[i], curves);
        n++;
    }
    const char *blocks = text_take(&drawing->blocks, drawing->arena), *commands = text_take(&panels, drawing->arena);
    if (!n)
        return NULL;
    unsigned columns = n < PANELS_A_ROW ? n : PANELS_A_ROW, rows = (n + columns - 1) / columns;
    plot_begin(&script, WIDTH * columns * 3 / 4, PANEL_HEIGHT * rows);
    add_axes(&script, false, "outside right top");
    text_add(&script, "%sset multiplot layout %u,%u\n%sunset multiplot\n", blocks, rows, columns, commands);
    return text_take(&script, drawing->arena);
}

const char *comm_picture(const CommMeasurement *measurement, const MachineModel *machine, CommPicture picture,
                         Arena *arena)
{
    Drawing drawing = {.measurement = measurement, .machine = machine, .picture = picture, .arena = arena};
    return picture == COMM_PICTURE_COLLECTIVES ? draw_collectives(&drawing) : draw_messages(&drawing);
}
