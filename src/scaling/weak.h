/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose size grows with the number of processes. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* Finds chains: runs with the same n^d / p on at least three numbers of processes. d is 1, 2 or 3:
 * the one for which times of several sizes on one p are nearest to n^d or, if there are none, the
 * one of the longest chain. Fits their laws, and predicts their times. Returns the number of chains. */
uint32_t weak_make(const Runs *runs, double far_off, const ScalingOptions *options, Arena *arena,
                   const WeakScaling **chains);
