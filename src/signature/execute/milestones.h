/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about the traced run's milestones, for planning in both modes. Private to
 * signature/. */
#pragma once

#include "model/signature.h"

/* A number to which the phase's time before the milestone is proportional: its effort
 * (signature_phase_effort) if it has strata, otherwise its number of occurrences. */
double milestone_effort(const Signature *signature, uint32_t milestone, uint32_t phase);

/* Number of occurrences of a phase's stratum before the milestone. */
uint64_t milestone_stratum(const Signature *signature, uint32_t milestone, uint32_t phase, uint32_t stratum);

/* Number of occurrences of a phase that should be measured. */
double occurrences_needed(const Phase *phase);

/* A plan measures a stratum if it holds at least this share of the remaining time. For other
 * strata, the prediction uses the trace. */
#define UNSEEN_WANTED 0.005
