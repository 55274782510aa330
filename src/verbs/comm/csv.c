/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: CSV. */
#include "verbs/comm/views.h"

/* A point or one of its samples, with its series and configuration. */
typedef struct Row {
    const CommConfiguration *configuration;
    const CommSeries *series;
    const CommHost *from, *to;
    const CommPoint *point;
    const CommOverlap *overlap;
    const CommRate *rate;
    uint32_t launch;
    double seconds;
} Row;

static const FieldList operation_fields =
    FIELDS(CommSeries, FIELD(CommSeries, operation, "`pingpong`, `stream`, `barrier`, `broadcast` …"),
           FIELD(CommSeries, method, "of collectives: `window`, `barrier`; else empty"));

static const FieldList from_fields =
    FIELDS(CommHost, FIELD_AS(CommHost, name, "from", "the first process's host, or the root's"));

static const FieldList to_fields =
    FIELDS(CommHost, FIELD_AS(CommHost, name, "to", "the second process's host, or the last rank's"));

static const FieldList ranks_fields =
    FIELDS(CommSeries, FIELD_AS(CommSeries, n_ranks, "processes", "processes that take part"));

static const FieldList bytes_fields = FIELDS(CommPoint, FIELD(CommPoint, bytes, "as in `comm.json`"));

static const FieldList point_fields = FIELDS(
    CommPoint, FIELD_AS(CommPoint, n_samples, "samples", "how many times were taken"),
    FIELD_AS(CommPoint, n_launches, "starts", "in how many launches they were taken"),
    FIELD(CommPoint, minimum_s, "the shortest sample"),
    FIELD(CommPoint, minimum_high_s, "the largest of the launches' own shortest samples"),
    FIELD(CommPoint, median_s, "median of the samples"), FIELD(CommPoint, mean_s, "mean of the samples"),
    FIELD_AS(CommPoint, low_s, "median_low_s", "lower end of the median's interval: `low_s` in `comm.json`"),
    FIELD_AS(CommPoint, high_s, "median_high_s", "its upper end: `high_s` in `comm.json`"),
    FIELD(CommPoint, p5_s, "5 % of the samples are shorter"), FIELD(CommPoint, p90_s, "10 % are longer"),
    FIELD(CommPoint, p90_low_s, "lower end of its 95 % interval"),
    FIELD(CommPoint, p90_high_s, "upper end of that interval"), FIELD(CommPoint, p95_s, "5 % are longer"),
    FIELD(CommPoint, p99_s, "1 % are longer"), FIELD(CommPoint, maximum_s, "the longest sample"),
    FIELD(CommPoint, reached, "1 if the interval is as narrow as was asked for, else 0"),
    FIELD(CommPoint, skew_s, "of collectives: median of how far apart the processes began"),
    FIELD(CommPoint, late, "repetitions of a collective that were dropped"),
    FIELD(CommPoint, batch, "the most operations that one sample is the mean of; of streams: windows of 64 messages"));

#define OF_SERIES                                                                                                      \
    FIELD_INLINE_POINTED(Row, configuration, comm_names_fields), FIELD_INLINE_POINTED(Row, series, operation_fields),  \
        FIELD_INLINE_POINTED(Row, from, from_fields), FIELD_INLINE_POINTED(Row, to, to_fields),                        \
        FIELD_INLINE_POINTED(Row, series, ranks_fields), FIELD_INLINE_POINTED(Row, point, bytes_fields)

const FieldList comm_csv_fields =
    FIELDS(Row, OF_SERIES, FIELD_INLINE_POINTED(Row, point, point_fields),
           FIELD_INLINE_POINTED(Row, overlap, comm_overlap_fields), FIELD_INLINE_POINTED(Row, rate, comm_rate_fields));

const FieldList comm_samples_fields =
    FIELDS(Row, OF_SERIES, FIELD(Row, launch, "in which launch of the configuration it was taken, from 0"),
           FIELD(Row, seconds, "the sample"));

static void add_point(Row *row, bool samples, Text *text)
{
    if (!samples)
        fields_to_csv(&comm_csv_fields, row, text);
    for (uint64_t i = 0; samples && row->point->samples_s && i < row->point->n_samples; i++) {
        row->launch = row->point->launches[i];
        row->seconds = row->point->samples_s[i];
        fields_to_csv(&comm_samples_fields, row, text);
    }
}

const char *comm_csv(const CommMeasurement *measurement, bool samples, Arena *arena)
{
    Text text = {0};
    fields_to_csv_names(samples ? &comm_samples_fields : &comm_csv_fields, &text);
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        Row row = {.configuration = &measurement->configurations[series->configuration],
                   .series = series,
                   .from = &measurement->hosts[series->from_host],
                   .to = &measurement->hosts[series->to_host]};
        for (uint32_t k = 0; k < series->n_points; k++) {
            row.point = &series->points[k];
            row.overlap = row.point->overlap;
            row.rate = row.point->rate;
            add_point(&row, samples, &text);
        }
    }
    return text_take(&text, arena);
}
