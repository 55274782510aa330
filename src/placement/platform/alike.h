/* SPDX-License-Identifier: BSD-3-Clause */
/* Which units of a platform are interchangeable: a mapping takes as long if all tasks on the one change
 * places with those on the other. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "placement/platform/platform.h"

/* The units of a level, each by its first processor. */
typedef struct AlikeUnits {
    const uint32_t *firsts; /* [n_processors] the unit of each processor */
    const uint32_t *kinds;  /* [n_processors] only of first processors: the first unit that is
                               interchangeable with it, among those of the same unit above */
} AlikeUnits;

/* Of each level from the nodes on. Nodes below different switches may be interchangeable without being
 * found. */
const AlikeUnits *alike_find(const Platform *platform, Arena *arena);
