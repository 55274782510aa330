/* SPDX-License-Identifier: BSD-3-Clause */
/* Which branches a processor learns. Those that go the same ways again and again don't surprise it, as long as they are
 * few. Private to this folder. */
#pragma once

#include "cost/compiled/compiled.h"

typedef struct LearningTask {
    const SourceProgram *program;
    const CompiledRegions *regions; /* with counts */
    const char *entry;
    const bool *is_by_data; /* [regions->n] of sides and loops: data decide */
    double learnt_branches; /* of which the processor learns half; 0: it learns none */
} LearningTask;

/* The share of each region's surprises that remains, [regions->n]. A round is an iteration of the outermost loop around
 * it. If each round draws random numbers, branches never go the same ways; otherwise all that data decide in a round
 * comes again in the next one. */
const double *learning_remaining(const LearningTask *task, Arena *arena);
