/* SPDX-License-Identifier: BSD-3-Clause */
/* Where each occurrence of a phase begins in each process, for the choice of occurrences to simulate.
 * Private to the folder. */
#pragma once

#include "base/vec.h"
#include "signature/phases/phases.h"

/* Row o has, for each process, the number of send-like events before occurrence o. A process that has no
 * event in it stands at its next one. The last row is the end of the run. */
typedef struct Cuts {
    uint32_t n_processes;
    uint64_t n_occurrences;
    VEC(uint64_t) rows;
    VEC(uint32_t) phases; /* [n_occurrences] ids */
} Cuts;

/* Finds the phases of a trace, and the cuts. Errors as of phases_find_watched(). ERR_ENVIRONMENT: more
 * occurrences than fit into memory. */
bool cuts_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
               const Progress *progress, Arena *arena, Signature **signature, Cuts *cuts, Err *err);
void cuts_drop(Cuts *cuts);

/* Makes cuts of occurrences that are known, in their order. n_events: [n_processes] send-like events in all. */
void cuts_add(Cuts *cuts, const OccurrenceStart *starts, size_t count);
void cuts_complete(Cuts *cuts, const uint64_t *n_events);

static inline uint64_t cut_at(const Cuts *cuts, uint64_t occurrence, uint32_t process)
{
    return cuts->rows.items[occurrence * cuts->n_processes + process];
}
