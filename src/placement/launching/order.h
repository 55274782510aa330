/* SPDX-License-Identifier: BSD-3-Clause */
/* A mapping as a permutation of ranks. The launcher places ranks in its default order, node after
 * node. Then the program, or Cray's MPI library, gives each place the task that belongs there. */
#pragma once

#include "base/arena.h"
#include "placement/platform/platform.h"
#include <stdint.h>

typedef struct LaunchOrder {
    const char *file; /* PREFIX.ranks: line r names the task of the launcher's rank r, both counted from 0 */
    const char *text;
    const char *cray_file; /* PREFIX.rank-order: the same tasks, as Cray's MPI library reads them */
    const char *cray_text;
    /* Command lines for a shell; ./app stands for the program. The first launches the program so that
     * PREFIX.ranks fits, under Open MPI. NULL: no default order places so many ranks on each node, or on
     * its processors. */
    const char *line, *cray_line;
    const char *counts; /* "a:2,b:1": so many ranks on each node fit the files */
} LaunchOrder;

/* Makes the contents of both files. Writes nothing. Results in the arena. */
LaunchOrder launch_order_make(const uint32_t *processors, uint32_t n_tasks, const Platform *platform,
                              const char *prefix, Arena *arena);

typedef struct PlacedTask {
    uint32_t processor, task;
} PlacedTask;

/* [n_tasks] The tasks by processor, then by number. */
const PlacedTask *launch_order_tasks(const uint32_t *processors, uint32_t n_tasks, Arena *arena);

/* The paths of both files. */
const char *launch_order_path(const char *prefix, Arena *arena);
const char *launch_order_cray_path(const char *prefix, Arena *arena);
