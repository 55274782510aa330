/* SPDX-License-Identifier: BSD-3-Clause */
/* The mappers, one a file; the table of mappers.c names them. Each fills processors[n_tasks] and keeps to the slots.
 * Private to mapping/. */
#pragma once

#include "placement/mapping/mapping.h"

bool map_block(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_round_robin(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_scotch(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_list(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_ttig(const MappingProblem *problem, uint32_t *processors, Err *err);
bool map_exhaustive(const MappingProblem *problem, uint32_t *processors, Err *err);
bool exhaustive_is_applicable(const MappingProblem *problem);

/* Ends earlier, or at the same time with less sent between nodes. */
static inline bool outcome_is_better(const Outcome *a, const Outcome *b)
{
    return a->completion_s < b->completion_s ||
           (a->completion_s == b->completion_s && a->remote_bytes < b->remote_bytes);
}

/* Improves a mapping, whose outcome is known, by moves and swaps; what it returns is as good at least, as simulated in
 * full. */
Outcome search_improve(const MappingProblem *problem, uint32_t *processors, const Outcome *known,
                       const Progress *progress);
