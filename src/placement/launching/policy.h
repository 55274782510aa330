/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether one of Open MPI's mapping policies places ranks exactly as a mapping does. The
 * policy's option then has the same effect as a rankfile, and remains valid when node names change.
 * Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "placement/platform/platform.h"

/* The argument of --map-by, to be used with --bind-to core and each node's number of ranks as its
 * slots: "core", "node", "socket", "ppr:2:socket". NULL: no policy does the same. */
const char *launch_policy_find(const uint32_t *processors, uint32_t n_tasks, const Platform *platform, Arena *arena);
