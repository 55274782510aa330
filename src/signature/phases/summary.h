/* SPDX-License-Identifier: BSD-3-Clause */
/* What was added up while scanning, as a signature says it. */
#pragma once

#include "signature/phases/content.h"
#include "signature/phases/durations.h"

/* A phase as its method found it; how often it came and how long it took is in the durations, at the same index. */
typedef struct FoundPhase {
    uint32_t id, n_ticks, n_events;
    const PhaseEvent *events; /* [n_events] arena */
} FoundPhase;

/* Fills in all but application, sequence, and numbers of ticks and blocks. found[i] is the durations' phase i. */
void summary_fill(const PhaseParameters *parameters, const FoundPhase *found, const Durations *durations,
                  const OrderReport *report, Arena *arena, Signature *signature);
