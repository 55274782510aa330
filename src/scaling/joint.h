/* SPDX-License-Identifier: BSD-3-Clause */
/* One model of both the problem size and the number of processes. docs/METHOD.md, section 19. Private to the folder. */
#pragma once

#include "scaling/scaling.h"

/* far_off: as for law_point(). Without laws: no p was run with three sizes, or no size on three p. */
JointScaling joint_make(const Runs *runs, double far_off, const ScalingOptions *options, Arena *arena);
