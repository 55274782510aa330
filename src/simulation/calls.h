/* SPDX-License-Identifier: BSD-3-Clause */
/* How long calls keep the processor busy: MPI looks up partners, copies messages, hands them over (the overhead
 * o of LogP). Private to the folder. */
#pragma once

#include "placement/platform/platform.h"
#include "simulation/work.h"

/* Puts it into each call's event, as JobFile has it (job.h). eager_bytes: from this size on, blocking sends
 * wait for their receivers. factors: as of computation_factors(). processors: [n_processes]. */
void calls_cost(Work *work, uint64_t eager_bytes, const double *factors, const Platform *platform,
                const uint32_t *processors);
