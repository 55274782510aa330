/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace's phases and logical times, put back into an OTF2 archive for tools that draw timelines. Two passes over the
 * trace: the first finds phases and logical times, and leaves them in temporary files; the second goes through one
 * process after the other and writes its events with them. Public interface of the folder.
 *
 *   process 0   | startup | phase 1 | phase 2 | phase 2 | … | shutdown |      each a region of the archive
 *                            send LT 0, tick 0   …                            attributes of the events within
 *                         ^ marker                                            where a relevant phase comes up
 */
#pragma once

#include "model/signature.h"
#include "signature/phases/phases.h"

typedef struct Export Export;

typedef struct ExportSummary {
    uint64_t n_events;       /* send-like events and receives */
    uint64_t n_unplaced;     /* of these, without a logical time: receives without a send */
    uint64_t n_markers;      /* written */
    uint64_t n_markers_more; /* left out, as they would be too many */
    uint32_t n_phases, n_relevant;
} ExportSummary;

/* The first pass. options: of the order, or NULL. */
bool export_analyse(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                    const Progress *progress, Export **result, Err *err);
void export_free(Export *exported); /* NULL is fine */

/* The second pass, over the same trace read from its start: writes the archive in a new directory, or one without an
 * archive. On failure nothing of it stays. */
bool export_write(Export *exported, EventSource *source, const char *directory, const Progress *progress,
                  ExportSummary *summary, Err *err);
