/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h: pictures. Each series is a block of measured points, with the interval of the median, and, for paths that
 * have a model, a block of the fitted line. */
#include "report/comm.h"

#include "base/text.h"
#include "comm/summary.h"
#include "report/plot.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 640, STEPS_AN_OCTAVE = 4 };

typedef struct Drawing {
    const CommMeasurement *measurement;
    const MachineModel *machine;
    CommPicture picture;
    Text blocks, curves;
    unsigned n;
    Arena *arena;
} Drawing;

static bool belongs(const Drawing *drawing, const CommSeries *series)
{
    bool is_pingpong = strcmp(series->operation, "pingpong") == 0, has_sizes = series->points[0].bytes > 0;
    return is_pingpong == (drawing->picture != COMM_PICTURE_COLLECTIVES) && (has_sizes || series->n_points > 1);
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
        return arena_printf(arena, "%s %s, %u processes", name, series->operation, series->n_ranks);
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
    unsigned style = drawing->n + 1;
    add_points(drawing, series);
    text_add(&drawing->curves, "%s$points%u using 1:2:3:4 with yerrorbars lc %u pt 7 ps 0.5 title %s",
             drawing->n ? ", " : "plot ", drawing->n, style, plot_quote(title_of(drawing, series), drawing->arena));
    if (path && path->n_segments) {
        add_line(drawing, series, path);
        text_add(&drawing->curves, ", $line%u with lines lc %u notitle", drawing->n, style);
    } else {
        text_add(&drawing->curves, ", $points%u using 1:2 with lines lc %u dt 3 notitle", drawing->n, style);
    }
    drawing->n++;
}

const char *comm_picture(const CommMeasurement *measurement, const MachineModel *machine, CommPicture picture,
                         Arena *arena)
{
    static const char *const titles[] = {
        [COMM_PICTURE_TIME] = "Time of a message, one way: measured (95 % interval of the median) and fitted",
        [COMM_PICTURE_BANDWIDTH] = "Bandwidth of messages, one way: measured and fitted",
        [COMM_PICTURE_COLLECTIVES] = "Time of collectives: measured (95 % interval of the median)"};
    Drawing drawing = {.measurement = measurement, .machine = machine, .picture = picture, .arena = arena};
    for (uint32_t i = 0; i < measurement->n_series; i++)
        if (belongs(&drawing, &measurement->series[i]))
            add_series(&drawing, &measurement->series[i]);
    const char *blocks = text_take(&drawing.blocks, arena), *curves = text_take(&drawing.curves, arena);
    if (!drawing.n)
        return NULL;
    Text script = {0};
    plot_begin(&script, WIDTH, HEIGHT);
    text_add(&script,
             "set logscale xy\nset format x '%%.0s %%cB'\nset format y '%s'\nset xlabel 'message'\nset ylabel '%s'\n"
             "set grid lc rgb '#dddddd'\nset key outside right top\nset title %s\n%s%s\n",
             picture == COMM_PICTURE_BANDWIDTH ? "%.0s %cB/s" : "%.0s %cs",
             picture == COMM_PICTURE_BANDWIDTH ? "bandwidth" : "time", plot_quote(titles[picture], arena), blocks,
             curves);
    return text_take(&script, arena);
}
