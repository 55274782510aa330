/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: the percentiles of --percentiles. */
#include "verbs/comm/views.h"

#include "report/format.h"
#include "report/table.h"
#include <math.h>

static void add_columns(Table *table, const CommPoint *point, Arena *arena)
{
    table_columns(table, "percentiles||>processes|>size|>samples");
    table_repeat_columns(table, 4);
    for (uint32_t i = 0; i < point->n_percentiles; i++)
        table_column(table, arena_printf(arena, "P%u", point->percentiles[i].percent), TABLE_RIGHT);
}

static void add_point(Table *table, const CommMeasurement *measurement, const CommSeries *series,
                      const CommPoint *point, Arena *arena)
{
    table_cells(table, "%s|%s|%u|%s|%s", comm_way_text(measurement, series, arena), series->operation, series->n_ranks,
                comm_size_text(series, point, arena), format_count(arena, point->n_samples));
    for (uint32_t i = 0; i < point->n_percentiles; i++)
        table_cells(table, "%s",
                    isnan(point->percentiles[i].time_s) ? "" : format_seconds(arena, point->percentiles[i].time_s));
}

const char *comm_percentiles_text(const CommMeasurement *measurement, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    bool any = false;
    for (uint32_t i = 0; i < measurement->n_series; i++)
        for (uint32_t k = 0; k < measurement->series[i].n_points; k++) {
            const CommPoint *point = &measurement->series[i].points[k];
            if (!point->n_percentiles)
                continue;
            if (!any)
                add_columns(table, point, arena);
            any = true;
            add_point(table, measurement, &measurement->series[i], point, arena);
        }
    return any ? arena_printf(arena, "%sa percentile is left out if no sample lies beyond it\n",
                              table_text(table, color))
               : "";
}
