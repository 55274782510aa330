/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a timeline for ui.perfetto.dev, in Perfetto's protobuf format (perfetto.proto). Takes two passes over the
 * trace, as signature/export does: the first finds the phases.
 *
 *     rank 0   phases     | phase 1   | phase 2   | phase 2   |        a track of slices
 *              calls      compute |isend| compute |wait| compute       a track for each thread that communicates
 *                             └──────────────► rank 1                  an arrow for each message */
#pragma once

#include "formats/notes.h"
#include "signature/phases/phases.h"

typedef struct Timeline Timeline;

typedef struct TimelineSummary {
    uint32_t n_processes, n_phases;
    uint64_t n_packets;
} TimelineSummary;

/* The first pass. options: of the order, or NULL. Errors as of phases_find(). */
bool timeline_find_phases(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                          const Progress *progress, Timeline **timeline, Err *err);
void timeline_free(Timeline *timeline); /* NULL is fine */

/* The second pass, over the same trace, read from its start. ERR_ENVIRONMENT: the file can't be written. */
bool timeline_write(Timeline *timeline, EventSource *source, const char *path, const Progress *progress, Notes *notes,
                    TimelineSummary *summary, Err *err);
