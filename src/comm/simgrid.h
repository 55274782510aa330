/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports a machine model as a platform of SimGrid, with the options of SMPI that reproduce the
 * measured costs (docs/METHOD.md, section 12). */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h"

/* How well the platform reproduces the model. All links share one shape of cost over size, which
 * each link's latency and bandwidth scale. The shape comes from one path, whose costs are exact.
 * The costs of other paths are fitted. */
typedef struct SimgridSummary {
    uint32_t n_links, n_factors;
    const char *exact; /* "a – b": the path that gives the shape */
    /* Relative, over all links and all sizes from 0 to the largest measured one. */
    double largest_error;
    const char *largest; /* the link with the largest error */
    const char
        *not_linear; /* the link whose model is furthest off the measurement, of those that aren't linear; or NULL */
    double measured_error; /* relative, of that model at any measured size */
    uint64_t eager_bytes;  /* smaller messages are sent without waiting for the receiver */
    bool eager_was_found;  /* true: the shape shows it; false: SMPI's default */
} SimgridSummary;

/* Writes the platform of one configuration: platform.xml, hostfile and smpi.cfg in `directory`,
 * which exists. smpi.cfg has one option `--cfg=…` a line; a comment at its head says how to use the
 * files. `packing` may be NULL if the model has one packing only. Uses paths within a host (two
 * processes) and paths between hosts. Paths that aren't linear are exported piece by
 * piece, as the model has them. ERR_INPUT: the model has no path of that configuration, a
 * path without costs, or two hosts with the same name. */
bool simgrid_export(const MachineModel *machine, const char *middleware, const char *transport, const char *packing,
                    const char *directory, Arena *arena, SimgridSummary *summary, Err *err);
