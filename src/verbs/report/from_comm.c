/* SPDX-License-Identifier: BSD-3-Clause */
/* See from_comm.h. */
#include "verbs/report/from_comm.h"

#include "verbs/comm/views.h"

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

json_t *from_comm(const CommMeasurement *measurement, Arena *arena)
{
    json_t *document = comm_to_json(measurement), *series, *point;
    size_t i, k;
    json_array_foreach(json_object_get(document, "series"), i, series)
        json_array_foreach(json_object_get(series, "points"), k, point) shorten_point(point);
    json_object_set_new(document, "overheads", comm_overheads_json(measurement, arena));
    return document;
}
