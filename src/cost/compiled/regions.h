/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of a source: functions, bodies of loops, sides of conditionals, cases. Each part of a region
 * that isn't in an inner one runs equally often. Private to this folder. */
#pragma once

#include "cost/compiled/compiled.h"

/* The last point at or before a place of the source's own file; NULL: none. */
const CompiledPoint *regions_point(const CompiledRegions *regions, uint32_t line, uint32_t column);
/* The innermost region at a place of the source's own file; -1: none. */
int regions_at(const CompiledRegions *regions, uint32_t line, uint32_t column);
/* Whether the region is in another source of the program. */
bool regions_is_elsewhere(const CompiledRegions *regions, int region);
/* The function, or the loop's body, in which the region is. */
int regions_unit(const CompiledRegions *regions, int region);
/* The nearest loop or function around a unit; -1: none. */
int regions_outer_unit(const CompiledRegions *regions, int unit);
