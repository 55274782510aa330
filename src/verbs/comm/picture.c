/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: the data of messages.gp and collectives.gp. */
#include "verbs/comm/views.h"

#include "comm/protocol.h"
#include "comm/summary.h"
#include "report/plot.h"
#include "verbs/plots.h"
#include <math.h>
#include <string.h>

enum { STEPS_AN_OCTAVE = 4 };

typedef struct Drawing {
    const CommMeasurement *measurement;
    const MachineModel *machine;
    CommPicture picture;
    Text series, points, lines; /* blocks of data */
    unsigned n;                 /* series so far */
    Arena *arena;
} Drawing;

static const char *title_of(const Drawing *drawing, const CommSeries *series)
{
    Arena *arena = drawing->arena;
    const CommMeasurement *measurement = drawing->measurement;
    const char *name = comm_configuration_name(&measurement->configurations[series->configuration], arena);
    if (drawing->picture == COMM_PICTURE_COLLECTIVES)
        return arena_printf(arena, "%s, %u processes", name, series->n_ranks);
    if (series->level)
        return arena_printf(arena, "%s, between %ss", name, series->level);
    return summary_is_local(series)
               ? name
               : arena_printf(arena, "%s, %s – %s", name, measurement->hosts[series->from_host].name,
                              measurement->hosts[series->to_host].name);
}

static const MachinePath *path_of(const Drawing *drawing, const CommSeries *series)
{
    const CommConfiguration *names = &drawing->measurement->configurations[series->configuration];
    return drawing->picture == COMM_PICTURE_COLLECTIVES ? NULL : machine_find_path_of(drawing->machine, names, series);
}

static void add_points(const CommSeries *series, Text *points)
{
    for (uint32_t i = 0; i < series->n_points; i++) {
        const CommPoint *point = &series->points[i];
        if (point->bytes)
            text_add(points, "%.9g %.9g %.9g %.9g\n", (double)point->bytes, point->median_s, point->low_s,
                     point->high_s);
    }
    text_add(points, PLOT_PART_END);
}

static void add_fit(const CommSeries *series, const MachinePath *path, Text *lines)
{
    double largest = (double)series->points[series->n_points - 1].bytes, bytes = (double)series->points[0].bytes;
    for (bytes = fmax(1, bytes); bytes <= largest; bytes *= exp2(1.0 / STEPS_AN_OCTAVE))
        text_add(lines, "%.9g %.9g\n", bytes, machine_message_s(path, bytes));
    text_add(lines, PLOT_PART_END);
}

/* Adds all series of the operation, and returns their number. A barrier isn't drawn, since it has
 * no sizes. */
static unsigned add_operation(Drawing *drawing, const char *operation)
{
    enum { SOLID = 1, DOTTED = 3 }; /* gnuplot's dash types */
    unsigned before = drawing->n;
    for (uint32_t i = 0; i < drawing->measurement->n_series; i++) {
        const CommSeries *series = &drawing->measurement->series[i];
        if (strcmp(series->operation, operation) != 0 || !series->points[series->n_points - 1].bytes)
            continue;
        const MachinePath *path = path_of(drawing, series);
        bool is_fitted = path && path->n_segments;
        text_add(&drawing->series, "%d %s\n", is_fitted ? SOLID : DOTTED,
                 text_as_line(title_of(drawing, series), drawing->arena));
        add_points(series, &drawing->points);
        if (is_fitted)
            add_fit(series, path, &drawing->lines);
        else
            add_points(series, &drawing->lines);
        drawing->n++;
    }
    return drawing->n - before;
}

const char *comm_picture(const CommMeasurement *measurement, const MachineModel *machine, CommPicture picture,
                         Arena *arena)
{
    static const char *const operations[] = {COMM_OPERATIONS};
    bool is_collective = picture == COMM_PICTURE_COLLECTIVES;
    Drawing drawing = {.measurement = measurement, .machine = machine, .picture = picture, .arena = arena};
    Text data = {0};
    text_add(&data, "is_bandwidth = %d\n$panels << END\n", picture == COMM_PICTURE_BANDWIDTH);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        bool is_drawn = is_collective ? comm_is_collective(operations[i]) : strcmp(operations[i], "pingpong") == 0;
        unsigned n = is_drawn ? add_operation(&drawing, operations[i]) : 0;
        if (n)
            text_add(&data, "%u %u %s\n", drawing.n - n + 1, drawing.n, operations[i]);
    }
    text_add(&data, "END\n$series << END\n%sEND\n", text_take(&drawing.series, arena));
    text_add(&data, "$points << END\n%sEND\n", text_take(&drawing.points, arena));
    text_add(&data, "$lines << END\n%sEND\n", text_take(&drawing.lines, arena));
    const char *script = plot_script(&data, is_collective ? PLOT_COMM_COLLECTIVES : PLOT_COMM_MESSAGES, arena);
    return drawing.n ? script : NULL;
}
