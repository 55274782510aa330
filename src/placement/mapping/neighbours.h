/* SPDX-License-Identifier: BSD-3-Clause */
/* A TTIG's edges by task, and its levels. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "model/ttig.h"
#include "placement/mapping/platform.h"

/* One task as another sees it: both directions of a pair together. */
typedef struct Neighbour {
    uint32_t task;
    double bytes, messages; /* both directions */
    double parallelism;     /* of this task with respect to the neighbour: p(neighbour, this) */
} Neighbour;

typedef struct Neighbours {
    const uint32_t *first;  /* [n_tasks + 1] */
    const Neighbour *items; /* each task's, ascending */
    const uint32_t *levels; /* [n_tasks] 0: can start without receiving; others by distance from these */
} Neighbours;

/* tasks: who receives first; NULL: level 0 is who receives nothing, or task 0 where everybody does. */
Neighbours neighbours_new(const Ttig *ttig, const TaskGraph *tasks, Arena *arena);

/* What all messages between two neighbours cost on these processors. */
double neighbours_cost_s(const Platform *platform, const Neighbour *neighbour, uint32_t from, uint32_t to);
