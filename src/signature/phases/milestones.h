/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cuts become milestones. Some hundreds lie along the whole run; prefixes are planned from
 * these. The cuts between them also become milestones near places where short windows may be wanted
 * (signature/execute/spread.c). Such windows may be shorter than the distance between the hundreds:
 *
 *     |       |       |       |||||||||       |       |       |||||||||       |       |
 *                               5 %                              10 % */
#pragma once

#include "signature/phases/durations.h"

/* Returns [durations->cuts.count]: true if the cut is a milestone. *count: number of milestones.
 * The caller frees the array. phases: those of the durations; it is known which are relevant. */
bool *milestones_choose(const Durations *durations, const Phase *phases, size_t *count);
