/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: what plans of either mode ask of the traced run's milestones. */
#pragma once

#include "model/signature.h"

/* What the phase's time before the milestone is proportional to: its effort where it has strata, else occurrences. */
double milestone_effort(const Signature *signature, uint32_t milestone, uint32_t phase);

/* Occurrences of a phase's stratum before the milestone. */
uint64_t milestone_stratum(const Signature *signature, uint32_t milestone, uint32_t phase, uint32_t stratum);

/* How many occurrences of a phase should be measured. */
double occurrences_needed(const Phase *phase);

/* Of the time that is still to come, strata that hold less stay as the trace says. */
#define UNSEEN_WANTED 0.005
