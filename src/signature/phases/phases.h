/* SPDX-License-Identifier: BSD-3-Clause */
/* From the logical trace to phases: finds what repeats, adds up how long it took, and says what is relevant. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/signature.h"
#include "signature/order/order.h"

/* How phases are found, by name:
 *   "phase"  stretches of send-like events that are similar as wholes (thesis §3.4.3, spec/1 §1.6)
 *   "block"  repeated sequences of similar parallel basic blocks (thesis §3.4.2, spec/1 §1.5) */
bool phase_similarity_exists(const char *name);

/* Whether phases that are known can be recognised in another run. Blocks can't: their computation times are those of
 * the machine that was traced, and without them a block's name doesn't say which of several phases it stands in. But
 * all occurrences of a phase of blocks hold the same types, so that they can be told by counting. */
bool phase_similarity_recognises(const char *name);

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

/* The whole stage: trace in, signature out. options: of the order, or NULL. */
bool phases_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                 const Progress *progress, Arena *arena, Signature **signature, OrderReport *report, Err *err);

/* Who wants to see more of the stage than its result: every tick of the logical trace, receives and all, and where
 * occurrences begin. `tick` (may be NULL) counts the ticks from 0. */
typedef struct PhasesWatch {
    void *self;
    bool (*tick)(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err);
    bool (*occurrences)(void *self, const OccurrenceStart *starts, size_t count, Err *err);
} PhasesWatch;

/* known: a signature whose phases are recognised before new ones are made, and keep their ids, or NULL; there must be
 * none if the similarity doesn't recognise phases. watch: or NULL. */
bool phases_find_watched(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                         const Signature *known, const PhasesWatch *watch, const Progress *progress, Arena *arena,
                         Signature **signature, OrderReport *report, Err *err);
