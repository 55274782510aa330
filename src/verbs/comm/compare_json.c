/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare_views.h: the JSON. */
#include "verbs/comm/compare_views.h"

#include "verbs/comm/views.h"

typedef struct PlaceRow {
    const char *operation, *method, *level, *from, *to;
    uint32_t n_ranks;
} PlaceRow;

typedef struct SeriesRow {
    const char *configurations[2], *summary;
    PlaceRow place;
    uint32_t n_points;
    const ComparedPoint *points;
} SeriesRow;

typedef struct LonelyRow {
    const char *side, *configuration;
    PlaceRow place;
    uint32_t n_bytes;
    const uint64_t *bytes;
} LonelyRow;

typedef struct ComparisonDocument {
    bool is_same;
    const char *summary, *files[2], *dates[2];
    CommStatistic statistic;
    uint32_t n_compared, n_slower, n_faster, n_series, n_lonely;
    const SeriesRow *series;
    const LonelyRow *lonely;
} ComparisonDocument;

static const FieldList place_fields =
    FIELDS(PlaceRow, FIELD(PlaceRow, operation, "as in `comm.json`"), FIELD(PlaceRow, method, "of collectives"),
           FIELD(PlaceRow, level, "of processes within a host", .flags = FIELD_ABSENT),
           FIELD_AS(PlaceRow, n_ranks, "ranks", "processes that take part"),
           FIELD(PlaceRow, from, "the first process's host, or the root's"),
           FIELD(PlaceRow, to, "the second process's host, or the last rank's"));

static const FieldList point_fields =
    FIELDS(ComparedPoint, FIELD(ComparedPoint, bytes, "the size"),
           FIELD_FIXED(ComparedPoint, time_s, "times_s", "of A and of B"),
           FIELD_AS(ComparedPoint, ratio.value, "ratio", "B's time over A's"),
           FIELD_AS(ComparedPoint, ratio.low, "ratio_low",
                    "lower end of its 95 % interval; absent: one of both times has none", .flags = FIELD_ABSENT),
           FIELD_AS(ComparedPoint, ratio.high, "ratio_high", "upper end of that interval", .flags = FIELD_ABSENT),
           FIELD_AS(ComparedPoint, verdict, "compared",
                    "B is `slower` or `faster` beyond that interval; `same`: 1 lies in it; `unsure`: there is none",
                    .choices = comm_verdict_names));

static const FieldList series_fields =
    FIELDS(SeriesRow, FIELD_FIXED(SeriesRow, configurations, "configurations", "of A and of B, such as `openmpi tcp`"),
           FIELD_INLINE_MEMBER(SeriesRow, place, place_fields), FIELD(SeriesRow, summary, "how B is, in a phrase"),
           FIELD_LIST(SeriesRow, points, n_points, "points", "by size", .of = &point_fields));

static const FieldList lonely_fields = FIELDS(
    LonelyRow, FIELD_AS(LonelyRow, side, "in", "`A` or `B`"), FIELD(LonelyRow, configuration, "such as `openmpi tcp`"),
    FIELD_INLINE_MEMBER(LonelyRow, place, place_fields),
    FIELD_LIST(LonelyRow, bytes, n_bytes, "bytes", "the sizes; absent: all", .flags = FIELD_ABSENT));

const FieldList comm_comparison_fields = FIELDS(
    ComparisonDocument, FIELD_AS(ComparisonDocument, is_same, "same", "whether no more times differ than by chance"),
    FIELD(ComparisonDocument, summary, "one sentence"),
    FIELD_FIXED(ComparisonDocument, files, "files", "A and B, as they were named"),
    FIELD_FIXED(ComparisonDocument, dates, "dates", "when A and B were measured"),
    FIELD(ComparisonDocument, statistic, "the times that are compared: `median`, or the shortest (`min`)",
          .choices = comm_statistic_names),
    FIELD_AS(ComparisonDocument, n_compared, "compared", "how many times have an interval in both"),
    FIELD_AS(ComparisonDocument, n_slower, "slower", "in how many of them B is slower"),
    FIELD_AS(ComparisonDocument, n_faster, "faster", "in how many B is faster"),
    FIELD_LIST(ComparisonDocument, series, n_series, "series", "what both have", .of = &series_fields),
    FIELD_LIST(ComparisonDocument, lonely, n_lonely, "only", "what only one of both has", .of = &lonely_fields));

static PlaceRow place_row(const CommMeasurement *measurement, const CommSeries *series)
{
    return (PlaceRow){series->operation,
                      series->method,
                      series->level,
                      measurement->hosts[series->from_host].name,
                      measurement->hosts[series->to_host].name,
                      series->n_ranks};
}

static SeriesRow series_row(const CommComparison *comparison, const ComparedSeries *series, Arena *arena)
{
    SeriesRow row = {.place = place_row(comparison->measurements[0], series->series[0]),
                     .summary = comm_comparison_phrase(series, 1, "", arena),
                     .n_points = series->n_points,
                     .points = series->points};
    for (int side = 0; side < 2; side++)
        row.configurations[side] = comm_way_text(comparison->measurements[side], series->series[side], arena);
    return row;
}

json_t *comm_comparison_json(const ComparisonView *view, Arena *arena)
{
    const CommComparison *comparison = view->comparison;
    const uint32_t *n_of = comparison->n_of;
    SeriesRow *series = arena_new_array(arena, SeriesRow, comparison->n_series);
    LonelyRow *lonely = arena_new_array(arena, LonelyRow, comparison->n_lonely);
    for (uint32_t i = 0; i < comparison->n_series; i++)
        series[i] = series_row(comparison, &comparison->series[i], arena);
    for (uint32_t i = 0; i < comparison->n_lonely; i++) {
        const LonelySeries *one = &comparison->lonely[i];
        const CommMeasurement *measurement = comparison->measurements[one->side];
        lonely[i] = (LonelyRow){one->side ? "B" : "A", comm_way_text(measurement, one->series, arena),
                                place_row(measurement, one->series), one->n_bytes, one->bytes};
    }
    const ComparisonDocument document = {
        .is_same = view->is_same,
        .summary = view->summary,
        .files = {view->files[0], view->files[1]},
        .dates = {comparison->measurements[0]->date, comparison->measurements[1]->date},
        .statistic = comparison->statistic,
        .n_compared = n_of[COMM_SAME] + n_of[COMM_SLOWER] + n_of[COMM_FASTER],
        .n_slower = n_of[COMM_SLOWER],
        .n_faster = n_of[COMM_FASTER],
        .n_series = comparison->n_series,
        .n_lonely = comparison->n_lonely,
        .series = series,
        .lonely = lonely};
    return fields_to_json(&comm_comparison_fields, &document, 0);
}
