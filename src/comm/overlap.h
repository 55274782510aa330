/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a nonblocking collective computing hides (docs/METHOD.md, section 11, *Overlap*). */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* The overlap of a size, from n >= 1 repetitions that computed, [n] each: the time beyond the computing, for how long they
 * computed, and the launches in which that was. `alone` is the point of the repetitions that didn't compute. */
const CommOverlap *overlap_make(const CommPoint *alone, const double *exposed_s, const double *computed_s,
                                const uint32_t *launches, uint64_t n, Arena *arena);
