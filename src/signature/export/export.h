/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts a trace's phases and logical times back into an OTF2 archive, for tools that draw
 * timelines. Takes two passes over the trace. The first finds phases and logical times, and
 * stores them in temporary files. The second goes through one process after another, and writes
 * its events with them. Public interface of the folder. docs/METHOD.md, section 10.
 *
 *     process 0   | startup | phase 1 | phase 2 | phase 2 | … | shutdown |    regions of the archive
 *                           send LT 0, tick 0   …                attributes of the events
 *                           ^ marker                             where a relevant phase begins */
#pragma once

#include "model/signature.h"
#include "signature/phases/phases.h"

typedef struct Export Export;

typedef struct ExportSummary {
    uint64_t n_events;       /* number of send-like events and receives */
    uint64_t n_unplaced;     /* how many of these have no logical time: receives without a send */
    uint64_t n_markers;      /* markers written */
    uint64_t n_markers_more; /* markers left out, because of MARK_LIMIT */
    uint32_t n_phases, n_relevant;
} ExportSummary;

/* The first pass. options: of the order, or NULL. Errors as of phases_find(). */
bool export_analyse(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                    const Progress *progress, Export **result, Err *err);
void export_free(Export *exported); /* NULL is fine */

/* The second pass, over the same trace, read from its start. Writes the archive into a new
 * directory, or one without an archive. On failure, removes what was written. */
bool export_write(Export *exported, EventSource *source, const char *directory, const Progress *progress,
                  ExportSummary *summary, Err *err);
