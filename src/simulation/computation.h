/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the simulated machine computes. Private to the folder. */
#pragma once

#include "model/times.h"
#include "simulation/work.h"

/* [sample + 1] how many times as long as the traced machine it computes in each occurrence; the last is of what
 * belongs to none. times: what a signature measured on it; NULL: it computes as fast. compute_speed: by so much
 * faster than that. */
double *computation_factors(const PhaseTimes *times, double compute_speed, const Cuts *cuts, const Sample *sample,
                            const Work *work, Arena *arena);

void computation_scale(Work *work, const double *factors);
