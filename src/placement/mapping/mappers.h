/* SPDX-License-Identifier: BSD-3-Clause */
/* The mappers, one in each file; mappers.c has their table. Each fills in processors[n_tasks], and
 * respects the slots. Private to mapping/. */
#pragma once

#include "placement/mapping/mapping.h"

bool map_block(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_round_robin(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_scotch(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_list(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_ttig(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_grow(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_exhaustive(const MappingProblem *problem, uint32_t *processors, Err *err);
bool exhaustive_is_applicable(const MappingProblem *problem);

/* Whether a ends earlier than b, or at the same time with fewer bytes between nodes. */
static inline bool outcome_is_better(const Outcome *a, const Outcome *b)
{
    return a->completion_s < b->completion_s ||
           (a->completion_s == b->completion_s && a->remote_bytes < b->remote_bytes);
}

/* Improves a mapping by moves and swaps. `known`: its outcome. Returns the outcome of the result,
 * which is at least as good, simulated in full. */
Outcome search_improve(const MappingProblem *problem, uint32_t *processors, const Outcome *known,
                       const Progress *progress);
