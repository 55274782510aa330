/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of a logical trace until its phases are known: the row of each tick, and for each
 * send-like event its time of entry and its path. */
#pragma once

#include "base/spool.h"
#include "model/loops.h"
#include "signature/phases/block_phases.h"
#include "signature/phases/durations.h"
#include "signature/phases/rows.h"
#include "signature/phases/summary.h"

typedef struct BlockTrace {
    uint32_t n_processes;
    Rows rows;
    VEC(uint32_t) ticks; /* rows */
    Spool *times;        /* times of the ticks' send-like events, one after the other */
    Spool *computations; /* floats: computation in ns before each event of each tick but the first */
} BlockTrace;

void block_trace_init(BlockTrace *trace, uint32_t n_processes);
void block_trace_free(BlockTrace *trace);

/* Adds the next tick. computations: in ns, before each event. */
bool block_trace_add(BlockTrace *trace, const LogicalEvent *events, const float *computations, size_t count, Err *err);

/* Adds up how long the phases took. Fills `loops` with their sequence. */
bool block_trace_time(BlockTrace *trace, const BlockPhases *found, const ProcessSpan *spans, Loops *loops,
                      Durations *durations, Err *err);

/* The phases' content at their first occurrence: found[i] belongs to phase i. ERR_INPUT: the phases
 * are too many or too long to be stored. */
bool block_trace_content(const BlockTrace *trace, const BlockPhases *phases, Arena *arena, FoundPhase **found,
                         Err *err);
