/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether one of Open MPI's policies of mapping places ranks as a mapping does: then its option says the same as a
 * rankfile, and still holds where node names change. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "placement/mapping/platform.h"

/* What to say behind --map-by, with --bind-to core and each node's number of ranks as its slots: "core", "node",
 * "socket", "ppr:2:socket"; NULL: none does it. */
const char *launch_policy_find(const uint32_t *processors, uint32_t n_tasks, const Platform *platform, Arena *arena);
