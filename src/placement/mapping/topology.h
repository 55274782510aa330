/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine that firma runs on, as hwloc sees it: for mapping without a measured machine, and to know by which
 * numbers its processors are bound to. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "placement/mapping/platform.h"

/* What a message between two cores is taken to cost where nobody has measured it: about what MPI libraries need through
 * shared memory. */
#define TOPOLOGY_GUESSED_LATENCY_S 0.5e-6
#define TOPOLOGY_GUESSED_RATE_BYTES_PER_S 5e9

/* One node, with a processor for each core that firma may run on, in hwloc's order, in which neighbours share caches.
 * Costs are guesses; the platform's description says so, and how many packages and caches there are. ERR_ENVIRONMENT.
 */
bool topology_local(Arena *arena, Platform **platform, Err *err);

typedef enum TopologyFinding {
    TOPOLOGY_FOUND,  /* this machine is one of the platform's nodes, and its processors' numbers are known now */
    TOPOLOGY_ABSENT, /* it is none of them, or hwloc can't be asked */
    TOPOLOGY_FEWER,  /* it is, but has fewer cores than the platform says: hardware threads were counted */
} TopologyFinding;

/* Where this machine is one of the platform's nodes, by its name, gives that node's processors the operating system's
 * numbers of this machine's cores; *n_cores is how many cores it has. Else the platform stays as it is. */
TopologyFinding topology_find_cpus(Platform *platform, Arena *arena, uint32_t *n_cores);
