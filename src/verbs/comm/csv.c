/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h: CSV, after RFC 4180. Numbers have a point, and no groups. */
#include "verbs/comm/views.h"

#include "base/text.h"
#include <inttypes.h>
#include <string.h>

/* A field in quotes if it needs them. */
static void add_field(Text *text, const char *field)
{
    if (!strpbrk(field, "\",\r\n")) {
        text_add(text, "%s,", field);
        return;
    }
    text_add(text, "\"");
    for (const char *c = field; *c; c++)
        text_add(text, *c == '"' ? "\"\"" : "%c", *c);
    text_add(text, "\",");
}

static void add_series(Text *text, const CommMeasurement *measurement, const CommSeries *series)
{
    const CommConfiguration *names = &measurement->configurations[series->configuration];
    const char *const fields[] = {names->middleware,
                                  names->transport,
                                  names->packing,
                                  series->operation,
                                  series->method,
                                  measurement->hosts[series->from_host].name,
                                  measurement->hosts[series->to_host].name};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        add_field(text, fields[i]);
    text_add(text, "%" PRIu32 ",", series->n_ranks);
}

static void add_point(Text *text, const CommPoint *point)
{
    text_add(
        text, "%" PRIu64 ",%" PRIu64 ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%" PRIu64 ",%" PRIu32 "\r\n",
        point->bytes, point->n_samples, point->minimum_s, point->median_s, point->mean_s, point->low_s, point->high_s,
        point->p5_s, point->p95_s, point->p99_s, point->reached, point->skew_s, point->late, point->batch);
}

#define SERIES_NAMES "middleware,transport,packing,operation,method,from,to,processes,"

const char *comm_csv(const CommMeasurement *measurement, bool samples, Arena *arena)
{
    Text text = {0};
    text_add(&text, "%s",
             samples ? SERIES_NAMES "bytes,launch,seconds\r\n"
                     : SERIES_NAMES "bytes,samples,minimum_s,median_s,mean_s,median_low_s,median_high_s,p5_s,p95_s,"
                                    "p99_s,reached,skew_s,late,batch\r\n");
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        for (uint32_t k = 0; k < series->n_points; k++) {
            const CommPoint *point = &series->points[k];
            if (!samples) {
                add_series(&text, measurement, series);
                add_point(&text, point);
                continue;
            }
            for (uint64_t j = 0; point->samples_s && j < point->n_samples; j++) {
                add_series(&text, measurement, series);
                text_add(&text, "%" PRIu64 ",%" PRIu32 ",%.9g\r\n", point->bytes, point->launches[j],
                         point->samples_s[j]);
            }
        }
    }
    return text_take(&text, arena);
}
