/* SPDX-License-Identifier: BSD-3-Clause */
/* Self-consistency of a library's collectives (docs/METHOD.md, section 11, *Guidelines*): an operation shouldn't take
 * longer than others that do the same, or more. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

/* An operation that takes longer than its bound, beyond the intervals of both. */
typedef struct GuidelineViolation {
    const char *guideline; /* "allgather ≤ gather + broadcast", "monotony", "split" */
    const CommSeries *series;
    uint64_t bytes, bound_bytes; /* of the operation, and of what its bound was measured with */
    uint32_t parts;              /* of "split": the bound is so many operations on bound_bytes; else 1 */
    double time_s, bound_s;
    Estimated factor; /* time_s / bound_s; low is above 1 */
} GuidelineViolation;

typedef struct GuidelineCheck {
    uint32_t n_guidelines; /* of which anything could be checked */
    uint32_t n_checks, n_violations;
    const GuidelineViolation *violations; /* by series and size */
} GuidelineCheck;

/* Checks all series of collectives, of each configuration and number of processes. */
GuidelineCheck guidelines_check(const CommMeasurement *measurement, CommStatistic statistic, Arena *arena);
