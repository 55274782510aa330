/* SPDX-License-Identifier: BSD-3-Clause */
/* Strata of a phase: its occurrences that take clearly longer or shorter than most, at places that the program
 * determines: the first ones, those from some place on, or every n-th. Occurrences of one phase are numbered from 0;
 * these ordinals are the same in the traced run and in a measured one.
 *
 *      ordinal    0 1 2 3 4 5 6 7 8 9 …
 *      duration   # # . . # . . . # .       stratum 1: {0 …, 2 places, period 1} and {4 …, period 4}
 *
 * Stratum 0, the base, has no ranges: it is what the others leave. A place in the ranges of several strata belongs to
 * the last of them, so that "every 10th" needs no exceptions for "every 100th". */
#pragma once

#include <stdint.h>

/* Ordinals first, first + period, … : count of them. */
typedef struct StratumRange {
    uint64_t first, count, period;
} StratumRange;

typedef struct Stratum {
    uint64_t count; /* occurrences */
    double total_s; /* their time, mean over processes */
    uint32_t n_ranges;
    const StratumRange *ranges;
} Stratum;

/* Limits of one phase. */
enum { STRATA_LIMIT = 8, STRATA_RANGES_LIMIT = 12 };
#define STRATUM_PERIOD_LIMIT ((uint64_t)1 << 31)

/* Number of the stratum that the occurrence is in. */
uint32_t strata_find(const Stratum *strata, uint32_t n_strata, uint64_t ordinal);

/* How many of the first `end` occurrences are in the stratum. */
uint64_t strata_count(const Stratum *strata, uint32_t n_strata, uint32_t stratum, uint64_t end);

/* Mean duration in the stratum over that in the base; 1 if it isn't known. */
double strata_ratio(const Stratum *strata, uint32_t stratum);
