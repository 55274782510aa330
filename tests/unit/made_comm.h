/* SPDX-License-Identifier: BSD-3-Clause */
/* Made-up measurements of communication, in which every time is known to ±1 %. Include it before code that needs
 * cmocka.h. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

typedef struct MadeTime {
    uint64_t bytes;
    double seconds;
} MadeTime;

static inline CommPoint made_point(MadeTime time)
{
    return (CommPoint){.bytes = time.bytes,
                       .n_samples = 60,
                       .n_launches = 3,
                       .minimum_s = 0.9 * time.seconds,
                       .minimum_high_s = 0.909 * time.seconds,
                       .median_s = time.seconds,
                       .mean_s = time.seconds,
                       .low_s = 0.99 * time.seconds,
                       .high_s = 1.01 * time.seconds,
                       .batch = 1};
}

/* `times` ends with 0 s. */
static inline CommSeries made_series(uint32_t configuration, const char *operation, uint32_t n_ranks,
                                     const MadeTime *times, Arena *of)
{
    uint32_t n = 0;
    while (times[n].seconds > 0)
        n++;
    CommPoint *points = arena_new_array(of, CommPoint, n);
    for (uint32_t i = 0; i < n; i++)
        points[i] = made_point(times[i]);
    bool is_pingpong = operation[0] == 'p';
    return (CommSeries){.configuration = configuration,
                        .operation = operation,
                        .method = is_pingpong ? "" : "window",
                        .n_ranks = n_ranks,
                        .path = "",
                        .parts = "",
                        .n_points = n,
                        .points = points};
}

static inline CommMeasurement made_measurement(uint32_t n_configurations, const CommConfiguration *configurations,
                                               uint32_t n_series, const CommSeries *series)
{
    static const CommHost host = {.name = "anna", .system = "", .processor = "", .n_cpus = 8};
    return (CommMeasurement){.date = "2030-01-31T08:30:00Z",
                             .command = "",
                             .n_hosts = 1,
                             .hosts = &host,
                             .n_configurations = n_configurations,
                             .configurations = configurations,
                             .n_series = n_series,
                             .series = series};
}
