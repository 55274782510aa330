/* SPDX-License-Identifier: BSD-3-Clause */
/* A TTIG's edges by task, and the tasks' levels. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "model/ttig.h"
#include "placement/platform/platform.h"

/* One task as another sees it. Both directions of the pair are added up. */
typedef struct Neighbour {
    uint32_t task;
    double bytes, messages; /* in both directions */
    double received_bytes;  /* those of them that the neighbour receives */
    double parallelism;     /* of this task with respect to the neighbour: p(neighbour, this) */
} Neighbour;

typedef struct Neighbours {
    const uint32_t *first;  /* [n_tasks + 1] */
    const Neighbour *items; /* ascending for each task */
    const uint32_t *levels; /* [n_tasks] 0: the task can start without receiving; otherwise its
                               distance from such tasks */
} Neighbours;

/* tasks: tell which tasks receive first. NULL: tasks without incoming edges have level 0, or task 0
 * if there are none. */
Neighbours neighbours_new(const Ttig *ttig, const TaskGraph *tasks, Arena *arena);

/* The cost of all messages between two neighbours on these processors. */
double neighbours_cost_s(const Platform *platform, const Neighbour *neighbour, uint32_t from, uint32_t to);
