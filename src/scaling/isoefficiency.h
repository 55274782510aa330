/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem size that keeps the efficiency at each number of processes. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

Isoefficiency isoefficiency_make(const SizeScaling *sizes, uint32_t n_sizes, double efficiency, Arena *arena);

/* Whether the points have one at p; sorts them by p. */
bool isoefficiency_has(const IsoefficiencyPoint *points, uint32_t n, double p);
void isoefficiency_sort(IsoefficiencyPoint *points, uint32_t n);
