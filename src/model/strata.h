/* SPDX-License-Identifier: BSD-3-Clause */
/* Strata of a phase: groups of its occurrences that take clearly longer or shorter than the rest,
 * at places that the program determines. These are the first occurrences, those from some place on,
 * or every n-th. The ordinal of an occurrence is its number among those of its phase, from 0. It is
 * the same in the traced run and in a measured run.
 *
 *      ordinal    0 1 2 3 4 5 6 7 8 9 …
 *      duration   # # . . # . . . # .       stratum 1: {0 …, 2 places, period 1} and {4 …, period 4}
 *
 * Stratum 0, the base, has no ranges: it holds all occurrences that are in no other stratum. An
 * ordinal in the ranges of several strata belongs to the last of them. So "every 10th" needs no
 * exceptions for "every 100th". */
#pragma once

#include <stdint.h>

/* The `count` ordinals first, first + period, first + 2 period, … */
typedef struct StratumRange {
    uint64_t first, count, period;
} StratumRange;

typedef struct Stratum {
    uint64_t count; /* occurrences */
    double total_s; /* their total time, mean over processes */
    double path_s;  /* of this, computation and waiting for it (LogicalEvent.path_ns) */
    uint32_t n_ranges;
    const StratumRange *ranges;
    uint32_t n_milestones; /* of the signature; 0: time_s isn't known */
    const double *time_s;  /* [n_milestones] of total_s, the time before each milestone */
} Stratum;

/* Limits for one phase. */
enum { STRATA_LIMIT = 8, STRATA_RANGES_LIMIT = 12 };
#define STRATUM_PERIOD_LIMIT ((uint64_t)1 << 31)

/* The index of the stratum that holds the ordinal. */
uint32_t strata_find(const Stratum *strata, uint32_t n_strata, uint64_t ordinal);

/* How many of the ordinals below `end` are in the stratum. */
uint64_t strata_count(const Stratum *strata, uint32_t n_strata, uint32_t stratum, uint64_t end);

/* The ordinals [*from, *to) that are typical of the run. What comes before is special to the beginning: ranges that end
 * within the first quarter of all occurrences. What comes behind is special to the end: ranges that begin within the
 * last quarter, and hold the last occurrence. */
void strata_typical(const Stratum *strata, uint32_t n_strata, uint64_t weight, uint64_t *from, uint64_t *to);

/* Mean duration in the stratum over mean duration in the base; 1 if it isn't known. */
double strata_ratio(const Stratum *strata, uint32_t stratum);
