/* SPDX-License-Identifier: BSD-3-Clause */
/* See from_comm.h. */
#include "verbs/report/from_comm.h"

#include "verbs/comm/views.h"
#include <math.h>
#include <string.h>

/* What pictures show of a point. */
static void shorten_point(json_t *point)
{
    static const char *const kept[] = {"bytes", "samples", "median_s", "low_s", "high_s"};
    json_t *all = json_copy(point);
    json_object_clear(point);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(point, kept[i], json_object_get(all, kept[i]));
    json_decref(all);
}

/* The model's times along the sizes of a series; null between two segments. */
static json_t *fit_json(const CommSeries *series, const MachinePath *path)
{
    const double step = 1.4142135623730951; /* two sizes an octave */
    const CostSegment *before = NULL;
    double largest = (double)series->points[series->n_points - 1].bytes;
    json_t *fit = json_array();
    for (double bytes = fmax(1, (double)series->points[0].bytes); bytes <= largest * (1 + 1e-9); bytes *= step) {
        const CostSegment *segment = machine_path_segment(path, bytes);
        if (before && segment != before)
            json_array_append_new(fit, json_pack("{s:f, s:n}", "bytes", bytes, "time_s"));
        json_array_append_new(fit, json_pack("{s:f, s:f}", "bytes", bytes, "time_s", machine_message_s(path, bytes)));
        before = segment;
    }
    return fit;
}

json_t *from_comm(const CommMeasurement *measurement, const MachineModel *machine, Arena *arena)
{
    json_t *document = comm_to_json(measurement), *all = json_object_get(document, "series"), *point;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        json_t *series = json_array_get(all, i);
        const CommSeries *of = &measurement->series[i];
        const CommConfiguration *names = &measurement->configurations[of->configuration];
        const MachinePath *path =
            machine && strcmp(of->operation, "pingpong") == 0 ? machine_find_path_of(machine, names, of) : NULL;
        size_t k;
        json_array_foreach(json_object_get(series, "points"), k, point)
            shorten_point(point);
        if (path && path->n_segments)
            json_object_set_new(series, "fit", fit_json(of, path));
    }
    json_object_set_new(document, "overheads", comm_overheads_json(measurement, arena));
    return document;
}
