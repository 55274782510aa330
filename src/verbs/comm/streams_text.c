/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: what streams of messages carry. */
#include "verbs/comm/views.h"

#include "report/format.h"
#include "report/table.h"

static void add_point(const CommMeasurement *measurement, const CommSeries *series, const CommPoint *point,
                      Table *table, Arena *arena)
{
    const CommRate *rate = point->rate;
    const bool is_first = point == series->points;
    const char *interval = point->n_samples < COMM_SAMPLES_OF_AN_INTERVAL
                               ? ""
                               : arena_printf(arena, "%s … %s", format_rate(arena, rate->low_messages_per_s),
                                              format_rate(arena, rate->high_messages_per_s));
    table_cells(table, "%s|%s|%s|%s|%s|%s|%s|%s", is_first ? comm_way_text(measurement, series, arena) : "",
                is_first ? comm_place_text(measurement, series, arena) : "", is_first ? series->operation : "",
                is_first ? arena_printf(arena, "%u", series->n_ranks) : "", format_bytes(arena, (double)point->bytes),
                comm_bandwidth_text(rate->bytes_per_s, arena), format_rate(arena, rate->messages_per_s), interval);
    table_cells(table, "%s|%s", comm_bandwidth_text(rate->most_bytes_per_s, arena),
                format_rate(arena, rate->most_messages_per_s));
}

const char *comm_streams_text(const CommMeasurement *measurement, bool all, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    bool any = false;
    table_columns(table, measurement->n_hosts > 1 ? "streams|hosts||>processes" : "streams|||>processes");
    table_repeat_columns(table, 5);
    table_columns(table, ">size|>bandwidth|>messages|>95 %|>bandwidth, most|>messages, most");
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        for (uint32_t k = 0; k < series->n_points; k++) {
            if (!series->points[k].rate || !comm_has_row(series, k, all))
                continue;
            any = true;
            add_point(measurement, series, &series->points[k], table, arena);
        }
    }
    return any ? table_text(table, color) : "";
}
