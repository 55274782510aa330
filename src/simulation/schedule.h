/* SPDX-License-Identifier: BSD-3-Clause */
/* What each process does over simulated time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum ChartKind { CHART_COMPUTATION, CHART_TRANSFER, CHART_WAITING, CHART_KINDS } ChartKind;

typedef struct ChartBar {
    uint32_t process;
    uint32_t phase; /* its id; 0: before the first occurrence, or behind the last one */
    ChartKind kind;
    int64_t from_ns, to_ns;
} ChartBar;

/* A simulated occurrence of a phase. */
typedef struct ChartOccurrence {
    double begin_s;    /* mean over processes */
    uint64_t left_out; /* number of occurrences between it and the one before */
} ChartOccurrence;

typedef struct Chart {
    uint32_t n_processes;
    size_t n_bars, n_occurrences;
    const ChartBar *bars; /* calls of MPI are transfers; waits in them come behind all calls */
    const ChartOccurrence *occurrences;
    double end_s;
} Chart;
