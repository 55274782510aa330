/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the cuts become milestones: some hundreds along the whole run, from which prefixes are planned; and the cuts
 * in between at places where short windows may be wanted (signature/execute/spread.c), as these may be shorter than the
 * way from one of the hundreds to the next:
 *
 *      |       |       |       |||||||||       |       |       |||||||||       |       |
 *                                5 %                              10 %
 */
#pragma once

#include "signature/phases/durations.h"

/* [durations->cuts.count] true: is a milestone. *count: how many. The caller frees it. relevance: of phases, as in
 * PhaseParameters. */
bool *milestones_choose(const Durations *durations, double relevance, size_t *count);
