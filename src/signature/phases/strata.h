/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a phase's strata (model/strata.h) from the durations of its occurrences. A duration is
 * stored as a level of two bytes. Levels are 0.04 % apart, from 10 ns to six minutes. */
#pragma once

#include "model/signature.h"

/* Most levels that are kept, of all phases together. In longer traces, strata are judged by these
 * first occurrences. */
#define LEVELS_LIMIT ((uint64_t)1 << 24)

typedef struct OccurrenceLevels {
    uint16_t duration, path; /* means over the processes that take part; path: Path.compute_ns */
} OccurrenceLevels;

uint16_t strata_level(double duration_ns);

/* Fills in n_strata and strata of a phase; phase->weight must be set. levels[i] belongs to the i-th
 * occurrence. total_s: time of all occurrences, mean over processes. */
void strata_fill(Phase *phase, const OccurrenceLevels *levels, size_t n_levels, double total_s, double application_s,
                 Arena *arena);

/* Fills in time_s of the strata. before[n_milestones]: occurrences of the phase before each
 * milestone. levels, n_levels and total_s: as of strata_fill(). */
void strata_fill_times(Phase *phase, const OccurrenceLevels *levels, size_t n_levels, double total_s,
                       const double before[], uint32_t n_milestones, Arena *arena);
