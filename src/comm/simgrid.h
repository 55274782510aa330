/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine model as a platform of SimGrid, with the options of SMPI that reproduce the measured costs. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h"

/* How well the platform does it. SMPI has one shape of cost over size for all links, whose latency and bandwidth scale
 * it: it is the shape of one path, whose costs are therefore exact; those of the others as near as it can be. */
typedef struct SimgridSummary {
    uint32_t n_links, n_factors;
    const char *exact;    /* "a – b": the path that gives the shape */
    double largest_error; /* relative, to the model's costs from 0 to the largest measured size, over all links */
    const char *largest;  /* the link that has it */
    uint64_t eager_bytes; /* messages below are sent without waiting for the receiver */
    bool eager_was_found; /* in the shape; false: it is SMPI's default */
} SimgridSummary;

/* Of one configuration: DIRECTORY/platform.xml, hostfile, and smpi.cfg, one `--cfg=…` a line, which a header comment
 * says how to use. `packing` may be NULL, if there is only one. Loopback paths (two processes on one host) and paths
 * between hosts both count. ERR_INPUT: the model has no path of that configuration, one that isn't linear, or hosts
 * with equal names. */
bool simgrid_export(const MachineModel *machine, const char *middleware, const char *transport, const char *packing,
                    const char *directory, Arena *arena, SimgridSummary *summary, Err *err);
