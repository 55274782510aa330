/* SPDX-License-Identifier: BSD-3-Clause */
/* See summary.h. */
#include "comm/summary.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double summary_bandwidth(const CommPoint *point)
{
    return point->median_s > 0 ? (double)point->bytes / point->median_s : 0;
}

bool summary_is_local(const CommSeries *series)
{
    return series->from_host == series->to_host;
}

const CommPoint *summary_fastest(const CommSeries *series)
{
    const CommPoint *best = &series->points[0];
    assert(series->n_points > 0);
    for (uint32_t i = 1; i < series->n_points; i++)
        if (summary_bandwidth(&series->points[i]) > summary_bandwidth(best))
            best = &series->points[i];
    return best;
}

static const CommPoint *last_point(const CommSeries *series)
{
    return &series->points[series->n_points - 1];
}

/* Whether the original benchmark reports extremes of this operation. */
static bool is_summed_up(const char *operation)
{
    return strcmp(operation, "pingpong") == 0 || strcmp(operation, "broadcast") == 0 ||
           strcmp(operation, "multicast") == 0;
}

static const char *group_of(const CommConfiguration *configuration)
{
    return strcmp(configuration->transport, "icmp") == 0 ? "icmp" : configuration->middleware;
}

static void consider(Extreme *extreme, bool wants_more, const CommSeries *series, const CommPoint *point, double value)
{
    if (!extreme->series || (wants_more ? value > extreme->value : value < extreme->value))
        *extreme = (Extreme){series, point, value};
}

static void add_series(Extreme extremes[N_EXTREMES], const CommSeries *series)
{
    const CommPoint *first = &series->points[0], *fastest = summary_fastest(series), *last = last_point(series);
    consider(&extremes[STARTUP_LEAST], false, series, first, first->median_s);
    consider(&extremes[STARTUP_MOST], true, series, first, first->median_s);
    consider(&extremes[BANDWIDTH_MOST], true, series, fastest, summary_bandwidth(fastest));
    consider(&extremes[BANDWIDTH_AT_LARGEST], true, series, last, summary_bandwidth(last));
}

const CommSummary *summary_make(const CommMeasurement *measurement, Arena *arena, uint32_t *n)
{
    CommSummary *summaries = arena_new_array(arena, CommSummary, measurement->n_series);
    *n = 0;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        const char *group = group_of(&measurement->configurations[series->configuration]);
        if (!is_summed_up(series->operation))
            continue;
        uint32_t at = 0;
        while (at < *n && (summaries[at].n_ranks != series->n_ranks || strcmp(summaries[at].middleware, group) != 0 ||
                           strcmp(summaries[at].operation, series->operation) != 0))
            at++;
        if (at == *n)
            summaries[(*n)++] =
                (CommSummary){.middleware = group, .operation = series->operation, .n_ranks = series->n_ranks};
        add_series(summary_is_local(series) ? summaries[at].local : summaries[at].remote, series);
    }
    return summaries;
}

/* The operating system's series with which a library's series is compared. */
static const CommSeries *baseline_of(const CommMeasurement *measurement, const CommSeries *series)
{
    const char *transport = measurement->configurations[series->configuration].transport;
    bool by_tcp = strcmp(transport, "tcp") == 0 || strcmp(series->path, "lo") == 0 || !summary_is_local(series);
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *other = &measurement->series[i];
        const CommConfiguration *names = &measurement->configurations[other->configuration];
        if (comm_configuration_is_of(names, MIDDLEWARE_OS) && strcmp(names->transport, by_tcp ? "tcp" : "unix") == 0 &&
            strcmp(other->operation, "pingpong") == 0 && other->from_host == series->from_host &&
            other->to_host == series->to_host && comm_level_is_same(other->level, series->level))
            return other;
    }
    return NULL;
}

static double icmp_startup_s(const CommMeasurement *measurement, const CommSeries *series)
{
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *other = &measurement->series[i];
        if (strcmp(group_of(&measurement->configurations[other->configuration]), "icmp") == 0 && other->n_points &&
            other->from_host == series->from_host && other->to_host == series->to_host)
            return other->points[0].median_s;
    }
    return NAN;
}

/* Compares the startups at the smallest size of both series: libraries have empty messages, and sockets don't. */
static void find_smallest(CommOverhead *overhead)
{
    const CommSeries *ours = overhead->series, *theirs = overhead->baseline;
    for (uint32_t i = 0; i < ours->n_points; i++)
        for (uint32_t k = 0; k < theirs->n_points; k++)
            if (ours->points[i].bytes == theirs->points[k].bytes) {
                overhead->startup_s = ours->points[i].median_s;
                overhead->baseline_startup_s = theirs->points[k].median_s;
                return;
            }
}

/* Compares the bandwidths at the largest size of both series. False if they share no size. */
static bool find_largest(CommOverhead *overhead)
{
    const CommSeries *ours = overhead->series, *theirs = overhead->baseline;
    for (uint32_t i = ours->n_points; i-- > 0;)
        for (uint32_t k = theirs->n_points; k-- > 0;)
            if (ours->points[i].bytes == theirs->points[k].bytes) {
                overhead->largest_bytes = ours->points[i].bytes;
                overhead->at_largest = summary_bandwidth(&ours->points[i]);
                overhead->baseline_at_largest = summary_bandwidth(&theirs->points[k]);
                return true;
            }
    return false;
}

const CommOverhead *summary_overheads(const CommMeasurement *measurement, Arena *arena, uint32_t *n)
{
    CommOverhead *overheads = arena_new_array(arena, CommOverhead, measurement->n_series);
    *n = 0;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        if (strcmp(series->operation, "pingpong") != 0 ||
            comm_configuration_is_of(&measurement->configurations[series->configuration], MIDDLEWARE_OS))
            continue;
        CommOverhead overhead = {.series = series, .baseline = baseline_of(measurement, series)};
        if (!overhead.baseline || !find_largest(&overhead))
            continue;
        overhead.icmp_startup_s = icmp_startup_s(measurement, series);
        find_smallest(&overhead);
        overhead.bandwidth = summary_bandwidth(summary_fastest(series));
        overhead.baseline_bandwidth = summary_bandwidth(summary_fastest(overhead.baseline));
        overheads[(*n)++] = overhead;
    }
    return overheads;
}
