/* SPDX-License-Identifier: BSD-3-Clause */
/* One occurrence of a phase, in time. */
#pragma once

#include "signature/phases/phases.h"

typedef struct OccurrenceEvent {
    uint64_t lt;
    LogicalEvent event;
} OccurrenceEvent;

typedef struct OccurrenceSpan {
    bool is_there;            /* the process takes part */
    int64_t begin_ns, end_ns; /* from its first event's entry to that of its first event in a later occurrence; if
                                 there is none, to the last event's return */
} OccurrenceSpan;

typedef struct PhaseOccurrence {
    uint32_t phase, n_processes;
    uint64_t which;              /* of the phase, from 0 */
    uint64_t number;             /* among the occurrences of all phases, from 0 */
    int64_t since_ns;            /* its begin, since the first return of MPI_Init */
    int64_t begin_ns;            /* the first process's begin */
    int64_t end_ns;              /* the last process's end */
    const OccurrenceSpan *spans; /* [n_processes] */
    size_t n_events;
    const OccurrenceEvent *events; /* [n_events] by process, then entry */
} PhaseOccurrence;

/* An occurrence that is looked for: of the phase, from 0. */
typedef struct OccurrenceNumber {
    uint64_t phase, which;
} OccurrenceNumber;

/* Finds each of these occurrences. Reads the source once. ERR_USAGE: a phase doesn't exist, or has fewer occurrences.
 * Other errors as of phases_find(). Results [n] in the arena. */
bool occurrences_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                      const OccurrenceNumber *numbers, size_t n, const Progress *progress, Arena *arena,
                      PhaseOccurrence **occurrences, Err *err);
