/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a task that a list mapper has chosen goes: on the processor where it is estimated to end first. Private to
 * mapping/. */
#pragma once

#include "placement/mapping/mapping.h"
#include "placement/mapping/neighbours.h"
#include "placement/mapping/room.h"

typedef struct Placing {
    const MappingProblem *problem;
    Neighbours neighbours;
    Room room;
    uint32_t *processors; /* NOWHERE: not yet placed */
    double *end_s;        /* estimated, of placed tasks */
    double *ready_s;      /* [n_processors] when all tasks that are placed there have ended */
    bool can_overlap; /* the TTIG's parallelism counts; else tasks wait for all of their predecessors, as in a TPG */
} Placing;

Placing placing_new(const MappingProblem *problem, bool can_overlap, uint32_t *processors, Arena *arena);

/* Candidates are each node's best free processor and those of placed neighbours. Ties go to the least loaded, then
 * to the node of the fewest tasks, then to the first. */
void placing_place(Placing *placing, uint32_t task);
