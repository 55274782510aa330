/* SPDX-License-Identifier: BSD-3-Clause */
/* The signature that the simulated run would have. Private to the folder. */
#pragma once

#include "simulation/estimate.h"

/* The traced signature's phases, places and weights, with simulated times. Durations in the course of the run are as
 * uneven as in the trace. Nothing is known of the machine's processors, noise and further runs. In the arena. */
Signature target_signature(const Signature *signature, const Estimate *estimate, Arena *arena);
