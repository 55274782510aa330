/* SPDX-License-Identifier: BSD-3-Clause */
/* How many lines of the memory come from beyond a cache, by the source's loops. Source: docs/METHOD.md, section 17. */
#pragma once

#include "cost/compiled/compiled.h"

enum { LINE_BYTES = 64 };

/* Bytes of arrays of fixed sizes whose elements are loaded or stored in regions that run. */
double lines_array_bytes(const CompiledRegions *regions);

/* Sets `lines`, `leaps` and `descends` of the regions, whose counts are set. `bytes`: of the task's data. Lines count
 * beyond the second cache, cache_bytes[1], leaps beyond the first one. */
void lines_count(const SourceProgram *program, CompiledRegions *regions, double bytes, const double cache_bytes[2],
                 Arena *arena);
