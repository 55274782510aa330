/* SPDX-License-Identifier: BSD-3-Clause */
/* Summarises a measurement: the extremes that the original benchmark reports, and what each library
 * costs over the operating system (docs/METHOD.md, section 11). */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* The point with an extreme value; series is NULL if nothing was measured. */
typedef struct Extreme {
    const CommSeries *series;
    const CommPoint *point;
    double value;
} Extreme;

typedef enum ExtremeKind {
    STARTUP_LEAST, /* s, of the smallest message */
    STARTUP_MOST,
    BANDWIDTH_MOST,       /* B/s, over all sizes */
    BANDWIDTH_AT_LARGEST, /* B/s, of the largest size, in the best configuration */
    N_EXTREMES
} ExtremeKind;

/* Extremes of a middleware's ping-pongs, broadcasts or multicasts. ICMP counts as a middleware of
 * its own. */
typedef struct CommSummary {
    const char *middleware, *operation;
    uint32_t n_ranks; /* of a collective, whose numbers of processes are summarised apart; 2: messages */
    Extreme local[N_EXTREMES], remote[N_EXTREMES]; /* within a host, and between hosts */
} CommSummary;

const CommSummary *summary_make(const CommMeasurement *measurement, Arena *arena, uint32_t *n);

/* A library's ping-pong compared with the operating system's over the same medium: TCP sockets, or
 * Unix sockets if the bytes stay in memory. */
typedef struct CommOverhead {
    const CommSeries *series, *baseline;
    double icmp_startup_s;                  /* of an ICMP echo on the same way; NAN: not measured */
    double startup_s, baseline_startup_s;   /* of the smallest size that both have */
    double bandwidth, baseline_bandwidth;   /* B/s, the highest over all sizes */
    double at_largest, baseline_at_largest; /* B/s, of the largest size that both have */
    uint64_t largest_bytes;
} CommOverhead;

const CommOverhead *summary_overheads(const CommMeasurement *measurement, Arena *arena, uint32_t *n);

/* B/s at a point. */
double summary_bandwidth(const CommPoint *point);

/* Whether both processes are on one host. */
bool summary_is_local(const CommSeries *series);

/* The point with the most bytes per second. */
const CommPoint *summary_fastest(const CommSeries *series);
