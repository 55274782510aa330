/* SPDX-License-Identifier: BSD-3-Clause */
/* From the logical trace to phases: finds what repeats, adds up how long it took, and decides which
 * phases are relevant. Public interface of the folder. docs/METHOD.md, section 3. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/signature.h"
#include "signature/order/order.h"

/* How phases are found:
 *
 *    "phase"  stretches of send-like events that are similar as wholes (thesis §3.4.3)
 *    "block"  repeated sequences of similar parallel basic blocks (thesis §3.4.2) */
bool phase_similarity_exists(const char *name);
const char *phase_similarity_name(size_t index); /* NULL after the last */

/* Whether known phases can be recognised in another run. Phases of blocks can't. Their computation
 * times belong to the traced machine, and without these times a block's name doesn't tell in which
 * of several phases the block is. But all occurrences of a phase of blocks hold the same types of
 * events. So they can be found by counting events (signature/execute/counting.c). */
bool phase_similarity_recognises(const char *name);

/* One occurrence in one process. It starts at the entry of the process's first event in it, and
 * lasts until the entry of its first event in a later occurrence. Arrays are ordered by occurrence,
 * then process; processes without an event are left out. */
typedef struct OccurrenceStart {
    uint64_t occurrence;
    uint32_t process;
    uint32_t phase; /* id */
    int64_t enter_ns;
    uint64_t send_event; /* number of that event */
    int64_t path_ns;     /* LogicalEvent.path_ns of that event; 0: not known */
    int64_t computed_ns; /* the sum of LogicalEvent.compute_ns of the process so far; 0: not known */
} OccurrenceStart;

/* For qsort(): by occurrence, then by process. */
int occurrence_start_compare(const void *left, const void *right);

/* The whole stage: from a trace to its signature. options: of the order, or NULL. ERR_USAGE: no
 * such order or similarity. ERR_INPUT, ERR_ENVIRONMENT: as of order_trace(), or phases that are too
 * many to be stored. Results in the arena. */
bool phases_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                 const Progress *progress, Arena *arena, Signature **signature, OrderReport *report, Err *err);

/* Lets a caller see every tick of the logical trace, receives included, and the start of every
 * occurrence. `tick` (may be NULL) numbers the ticks from 0. */
typedef struct PhasesWatch {
    void *self;
    bool (*tick)(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err);
    bool (*occurrences)(void *self, const OccurrenceStart *starts, size_t count, Err *err);
} PhasesWatch;

/* known: NULL, or a signature whose phases are recognised before new ones are made; they keep their
 * ids. It must be NULL if the similarity doesn't recognise phases. watch: NULL for none. */
bool phases_find_watched(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                         const Signature *known, const PhasesWatch *watch, const Progress *progress, Arena *arena,
                         Signature **signature, OrderReport *report, Err *err);
