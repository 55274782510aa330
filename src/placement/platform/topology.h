/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine that firma runs on, or another one, as hwloc sees it. Used for mapping without a measured machine,
 * and for the numbers by which processors are bound. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "placement/platform/platform.h"

/* Guessed cost of a message between two cores, where none was measured: about what MPI libraries
 * need through shared memory. */
#define TOPOLOGY_GUESSED_LATENCY_S 0.5e-6
#define TOPOLOGY_GUESSED_RATE_BYTES_PER_S 5e9

/* A platform of one node, with a processor for each core that firma may run on. Cores are in
 * hwloc's order, in which neighbours share caches. Each kind of object that tells cores apart is a level.
 * Costs are guesses, the higher the farther out a level is. The platform's description says so, and
 * tells the number of packages and caches. ERR_ENVIRONMENT: hwloc fails. must_be_here: ERR_USAGE if
 * HWLOC_SYNTHETIC, or another variable of hwloc, describes another machine. Result in the arena. */
bool topology_local(bool must_be_here, Arena *arena, Platform **platform, Err *err);

/* The same of a machine that `lstopo FILE.xml` has described. ERR_INPUT: hwloc can't read the file. */
bool topology_from_file(const char *path, Arena *arena, Platform **platform, Err *err);

typedef enum TopologyFinding {
    TOPOLOGY_FOUND,  /* this machine is one of the platform's nodes; its processors now have
                        their numbers */
    TOPOLOGY_ABSENT, /* this machine is none of the nodes, or hwloc fails */
    TOPOLOGY_FEWER,  /* this machine has fewer cores than its node has processors: hardware
                        threads were counted */
} TopologyFinding;

/* If this machine is one of the platform's nodes, by its name, gives the node's processors the
 * operating system's numbers of this machine's cores. *n_cores: how many cores it has. Otherwise,
 * the platform stays as it is. */
TopologyFinding topology_find_cpus(Platform *platform, Arena *arena, uint32_t *n_cores);
