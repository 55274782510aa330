/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the simulated machine computes. Private to the folder. */
#pragma once

#include "model/times.h"
#include "simulation/work.h"

/* Changes the work's computation. times: what a signature measured on the machine; NULL: it computes as
 * fast as the traced one. compute_speed: by so much faster than that. */
void scale_computation(const PhaseTimes *times, double compute_speed, const Cuts *cuts, const Sample *sample,
                       Work *work);
