/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of each phase goes in each process: computation, calls of MPI, and how long these
 * calls waited for another process. docs/METHOD.md, section 7. */
#pragma once

#include "signature/phases/phases.h"
#include "signature/profile/activity.h"
#include "signature/profile/profile.h"

typedef enum WaitKind {
    WAIT_LATE_SENDER,   /* a receive was called before its message was sent */
    WAIT_LATE_RECEIVER, /* a send went on until its receive was called */
    WAIT_COLLECTIVE,    /* a member came to a collective before one on which it depends */
    N_WAITS
} WaitKind;

/* What one process did in all occurrences of a phase. The rest of their duration is time in other calls
 * (posting receives, waiting for sends, polls), or off the processor. */
typedef struct PhaseTime {
    int64_t compute_ns;        /* on a processor, outside of MPI */
    int64_t mpi_ns;            /* in calls with events, waits included */
    int64_t waits_ns[N_WAITS]; /* of mpi_ns */
} PhaseTime;

/* How long one process waited for another. */
typedef struct WaitCause {
    uint32_t process, cause; /* who waited, and who was late */
    WaitKind kind;
    uint64_t count;
    int64_t time_ns;
} WaitCause;

typedef struct Waits {
    const Signature *signature;
    bool is_simulated;        /* then a process is in MPI whenever it doesn't compute */
    const PhaseTime *times;   /* [n_phases × n_processes] in the signature's order of phases */
    const PhaseTime *outside; /* [n_processes] before the first occurrence, and behind the last one */
    size_t n_causes;
    const WaitCause *causes; /* [n_causes] by time, longest first */
    /* All waits, by the kind of their calls; those of all point-to-point calls together are in CALL_SEND. */
    int64_t waited_ns[CALL_KIND_COUNT];
} Waits;

/* Occurrences that are known before the trace is read, each of which stands for some of the run. */
typedef struct KnownOccurrences {
    size_t n_starts;
    const OccurrenceStart *starts; /* by occurrence, then process */
    const double *weights;         /* [occurrences] */
    const uint64_t *n_events;      /* [n_processes] send-like events; the last one ends the last occurrence */
    void (*waited)(void *self, uint32_t process, int64_t from_ns,
                   int64_t to_ns); /* gets each wait; NULL: nobody does */
    void *self;
} KnownOccurrences;

/* The same for these occurrences of the signature's phases; times are multiplied by their weights. Results in
 * the arena. */
bool waits_find_known(EventSource *source, const Signature *signature, const KnownOccurrences *known,
                      const OrderOptions *options, Arena *arena, Waits *waits, Err *err);

/* Reads the source once. record: gets what processes do when; NULL: nobody wants to know. The order must be
 * "pas2p", because only there a receive tells its send. Errors as of phases_find(). Results in the arena. */
bool waits_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                ActivityRecord *record, const Progress *progress, Arena *arena, Waits *waits, Err *err);
