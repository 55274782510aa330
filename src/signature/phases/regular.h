/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds regular places: of a list of ordinals, those that are consecutive or every n-th, and hardly
 * by chance. A program causes regular places; disturbances of the machine are irregular. */
#pragma once

#include "model/strata.h"
#include <stddef.h>

/* members: [*n_members] ascending places among 0 … n_places - 1. Finds at most `limit` ranges that
 * consist almost only of members. Removes the members that are in these ranges, also from the count.
 * Returns the number of ranges. */
uint32_t regular_find(uint32_t *members, size_t *n_members, size_t n_places, StratumRange *ranges, uint32_t limit);
