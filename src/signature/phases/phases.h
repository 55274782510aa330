/* SPDX-License-Identifier: BSD-3-Clause */
/* From the logical trace to phases: finds what repeats, adds up how long it took, and says what is relevant. */
#ifndef FIRMA_SIGNATURE_PHASES_PHASES_H
#define FIRMA_SIGNATURE_PHASES_PHASES_H

#include "base/arena.h"
#include "base/err.h"
#include "model/signature.h"
#include "signature/order/order.h"

/* Finds phases in the way that parameters->similarity names:
 *   "phase"  stretches of send-like events that are similar as wholes (thesis §3.4.3, spec/1 §1.6)
 *   "block"  repeated sequences of similar parallel basic blocks (thesis §3.4.2, spec/1 §1.5) */
typedef struct PhaseFinder PhaseFinder;

bool phase_similarity_exists(const char *name);

/* Whether phases that are known can be recognised in another run. Blocks can't: their computation times are those of
 * the machine that was traced, and without them a block's name doesn't say which of several phases it stands in. But
 * all occurrences of a phase of blocks hold the same types, so that they can be told by counting. */
bool phase_similarity_recognises(const char *name);

/* The similarity must exist. `known` (may be NULL): phases to recognise before new ones are made, keeping their ids;
 * from an existing signature. There must be none if the similarity doesn't recognise phases. */
PhaseFinder *phase_finder_new(const PhaseParameters *parameters, uint32_t n_processes, const Phase *known,
                              uint32_t n_known);
void phase_finder_free(PhaseFinder *finder);

/* Where the order stage hands its ticks. */
TickSink *phase_finder_sink(PhaseFinder *finder);

/* For short traces whose every occurrence will be looked at (measurement): keep the start of each in each process. */
void phase_finder_keep_occurrences(PhaseFinder *finder);

/* One occurrence in one process: it starts with the entry of the process's first event in it, and lasts until the entry
 * of its first event in a later occurrence. Ordered by occurrence, then process; processes without an event are left
 * out. */
typedef struct OccurrenceStart {
    uint64_t occurrence;
    uint32_t process;
    uint32_t phase; /* id */
    int64_t enter_ns;
    uint64_t send_event; /* number of that event */
} OccurrenceStart;

/* Ends the search after the last tick, and fills in everything of the signature but `application`. All results in the
 * arena. */
bool phase_finder_finish(PhaseFinder *finder, const OrderReport *report, Arena *arena, Signature *signature, Err *err);

/* Only with phase_finder_keep_occurrences: those kept so far; all of them after finish. Valid until the next tick. */
const OccurrenceStart *phase_finder_occurrences(const PhaseFinder *finder, size_t *count);

/* Forgets those kept so far, for who takes them while they come. */
void phase_finder_forget_occurrences(PhaseFinder *finder);

/* The whole stage: trace in, signature out. options: of the order, or NULL. */
bool phases_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                 const Progress *progress, Arena *arena, Signature **signature, OrderReport *report, Err *err);

/* Who wants to see more of the stage than its result: every tick of the logical trace, receives and all, and where
 * occurrences begin. `tick` counts the ticks from 0. */
typedef struct PhasesWatch {
    void *self;
    bool (*tick)(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err);
    bool (*occurrences)(void *self, const OccurrenceStart *starts, size_t count, Err *err);
} PhasesWatch;

bool phases_find_watched(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                         const PhasesWatch *watch, const Progress *progress, Arena *arena, Signature **signature,
                         OrderReport *report, Err *err);

#endif
