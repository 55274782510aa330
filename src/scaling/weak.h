/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose size grows with the number of processes. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* Chains of runs with the same n^d / p, on three numbers of processes at least. d is 1, 2 or 3: the one that the times
 * of sizes on the same p are nearest to, or, if there are none, that of the longest chain. */
uint32_t weak_make(const Runs *runs, double far_off, Arena *arena, const WeakScaling **chains);
