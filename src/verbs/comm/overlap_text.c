/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: what computing hides of nonblocking collectives. */
#include "verbs/comm/views.h"

#include "report/format.h"
#include "report/table.h"
#include <math.h>

static void add_point(const CommMeasurement *measurement, const CommSeries *series, const CommPoint *point,
                      Table *table, Arena *arena)
{
    const CommOverlap *overlap = point->overlap;
    table_cells(table, "%s|%s|%u|%s|%s|%s|%s|%s|%s", comm_way_text(measurement, series, arena), series->operation,
                series->n_ranks, comm_size_text(series, point, arena), format_seconds(arena, point->median_s),
                format_seconds(arena, overlap->compute_s), format_seconds(arena, overlap->exposed_s),
                format_percent(arena, overlap->share),
                isnan(overlap->share_low) ? ""
                                          : arena_printf(arena, "%s … %s", format_percent(arena, overlap->share_low),
                                                         format_percent(arena, overlap->share_high)));
}

const char *comm_overlap_text(const CommMeasurement *measurement, bool all, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    bool any = false;
    table_columns(table, "overlap||>processes|>size|>alone|>computing|>beyond that|>hidden|>95 %");
    table_repeat_columns(table, 4);
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        for (uint32_t k = 0; k < series->n_points; k++) {
            if (!series->points[k].overlap || !comm_has_row(series, k, all))
                continue;
            any = true;
            add_point(measurement, series, &series->points[k], table, arena);
        }
    }
    return any ? table_text(table, color) : "";
}
