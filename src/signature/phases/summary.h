/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns what durations.h has added up into a signature. */
#pragma once

#include "signature/phases/content.h"
#include "signature/phases/durations.h"

/* A phase as its method found it. Weight and times are in the durations, at the same index. */
typedef struct FoundPhase {
    uint32_t id, n_ticks, n_events;
    const PhaseEvent *events; /* [n_events] arena */
} FoundPhase;

/* Fills in everything except application, sequence, and the numbers of ticks and blocks. found[i]
 * is phase i of the durations. */
void summary_fill(const PhaseParameters *parameters, const FoundPhase *found, const Durations *durations,
                  const OrderReport *report, Arena *arena, Signature *signature);
