/* SPDX-License-Identifier: BSD-3-Clause */
/* Places a task that a list mapper has chosen: on the processor where its estimated end is
 * earliest. Private to mapping/. */
#pragma once

#include "placement/mapping/mapping.h"
#include "placement/mapping/neighbours.h"
#include "placement/mapping/room.h"

typedef struct Placing {
    const MappingProblem *problem;
    Neighbours neighbours;
    Room room;
    uint32_t *processors; /* NOWHERE: not placed yet */
    double *end_s;        /* estimated end of each placed task */
} Placing;

Placing placing_new(const MappingProblem *problem, uint32_t *processors, Arena *arena);

/* Candidates are each cluster's best free processor, and the processors of placed neighbours. Of equal
 * ends, takes the least loaded processor, then the node with the fewest tasks, then the cluster, then
 * the first. */
void placing_place(Placing *placing, uint32_t task);
