/* SPDX-License-Identifier: BSD-3-Clause */
/* Regular places: which of some ordinals stand in runs (the first ones, from here to there) or at every n-th place, and
 * hardly by chance. What a program does at places that it determines comes out; what happens to it doesn't. */
#pragma once

#include "model/strata.h"
#include <stddef.h>

/* Of the ordered members among places 0 … n_places - 1: at most `limit` ranges that hold members nearly throughout.
 * Takes the members out that were found; returns the number of ranges. */
uint32_t regular_find(uint32_t *members, size_t n_members, size_t n_places, StratumRange *ranges, uint32_t limit);
