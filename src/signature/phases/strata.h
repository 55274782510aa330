/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a phase's strata (model/strata.h) from the durations of its occurrences, which are kept as levels of a byte
 * that are 10 % apart, from 10 ns to six minutes. */
#pragma once

#include "model/signature.h"

/* Occurrences of all phases together whose durations are kept; strata of longer traces are judged by these, the first.
 */
#define LEVELS_LIMIT ((uint64_t)1 << 24)

typedef struct OccurrenceLevels {
    uint8_t duration, compute; /* means over the processes that take part; compute: the time on a processor */
} OccurrenceLevels;

uint8_t strata_level(double duration_ns);

/* Fills in n_strata and strata of a phase whose weight is there. levels[i] is the i-th occurrence's; total_s the time
 * of all of them, mean over processes. */
void strata_fill(Phase *phase, const OccurrenceLevels *levels, size_t n_levels, double total_s, double application_s,
                 Arena *arena);
