/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two measurements, A and B, time by time (docs/METHOD.md, section 11, *Comparing*). */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

/* How B's time is to A's. */
typedef enum CommVerdict {
    COMM_UNSURE, /* one of both has no interval */
    COMM_SAME,   /* 1 lies in the ratio's interval */
    COMM_SLOWER,
    COMM_FASTER,
    COMM_VERDICTS
} CommVerdict;
extern const char *const comm_verdict_names[]; /* ends with NULL */

/* A size that both have. */
typedef struct ComparedPoint {
    uint64_t bytes;
    double time_s[2];
    Estimated ratio; /* B / A; low and high are NAN if `verdict` is COMM_UNSURE */
    CommVerdict verdict;
} ComparedPoint;

/* The same operation among as many processes in the same place. */
typedef struct ComparedSeries {
    const CommSeries *series[2];
    uint32_t n_points;
    const ComparedPoint *points; /* ascending in bytes */
} ComparedSeries;

/* What only A (side 0) or B (side 1) has. */
typedef struct LonelySeries {
    int side;
    const CommSeries *series;
    uint32_t n_bytes;
    const uint64_t *bytes; /* the sizes; n_bytes 0: the other one lacks the whole series */
} LonelySeries;

typedef struct CommComparison {
    const CommMeasurement *measurements[2];
    CommStatistic statistic; /* the times that are compared */
    uint32_t n_series, n_lonely;
    const ComparedSeries *series; /* each has points */
    const LonelySeries *lonely;
    uint32_t n_of[COMM_VERDICTS]; /* points with each verdict */
} CommComparison;

/* Compares the configuration `names[0]` of A with `names[1]` of B ("openmpi tcp"). If both are NULL, compares each
 * configuration that both have. If they have none in common, those that differ by middleware alone. */
CommComparison comm_compare(const CommMeasurement *const measurements[2], const char *const names[2],
                            CommStatistic statistic, Arena *arena);

/* Whether the measurement has the configuration with this name. */
bool comm_has_configuration(const CommMeasurement *measurement, const char *name);
