/* SPDX-License-Identifier: BSD-3-Clause */
/* What a measurement says in short: the extremes that the original benchmark reports (spec 3 §3.2), and what each
 * library costs over the operating system (§3.1). */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* Where an extreme was measured; series NULL: nowhere. */
typedef struct Extreme {
    const CommSeries *series;
    const CommPoint *point;
    double value;
} Extreme;

typedef enum ExtremeKind {
    STARTUP_LEAST, /* s, of the smallest message */
    STARTUP_MOST,
    BANDWIDTH_MOST,       /* B/s, of any size */
    BANDWIDTH_AT_LARGEST, /* of the largest size, the best configuration */
    N_EXTREMES
} ExtremeKind;

/* Of a middleware's point-to-point messages, broadcasts or multicasts; ICMP counts as one of its own. */
typedef struct CommSummary {
    const char *middleware, *operation;
    Extreme local[N_EXTREMES], remote[N_EXTREMES]; /* within a host, and between hosts */
} CommSummary;

const CommSummary *summary_make(const CommMeasurement *measurement, Arena *arena, uint32_t *n);

/* A library's ping-pong against the system's own on the same way: sockets of TCP, or of Unix for what stays in memory.
 */
typedef struct CommOverhead {
    const CommSeries *series, *baseline;
    double startup_s, baseline_startup_s;
    double bandwidth, baseline_bandwidth;   /* B/s, the most of any size */
    double at_largest, baseline_at_largest; /* B/s, of the largest size that both have */
    uint64_t largest_bytes;
} CommOverhead;

const CommOverhead *summary_overheads(const CommMeasurement *measurement, Arena *arena, uint32_t *n);

/* B/s at a point. */
double summary_bandwidth(const CommPoint *point);

/* Within one host? */
bool summary_is_local(const CommSeries *series);

/* The point with the most bytes per second. */
const CommPoint *summary_fastest(const CommSeries *series);
