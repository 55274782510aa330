/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between two traces, A and B, of the same program: process by process in one pass over each, in memory
 * that grows with the number of different events and of partners, not with the traces. Public interface of the folder.
 * Pairs [2] are A's and B's. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/logical.h"
#include "model/signature.h"
#include "signature/order/order.h"

/* How alike two sequences of events are; the worse, the later. */
typedef enum Likeness {
    LIKENESS_SAME,    /* the same events in the same order */
    LIKENESS_ORDER,   /* the same events in another order */
    LIKENESS_SHORTER, /* one is the beginning of the other */
    LIKENESS_VOLUMES, /* the same partners and collectives in the same order; other volumes */
    LIKENESS_CONTENT  /* other events */
} Likeness;

/* An event as it counts here: communication type and volume (sent + received for collectives), as in the logical trace.
 * Tags and communicators of the same members don't. */
typedef struct ComparedEvent {
    CommType type; /* TYPE_NONE: there is none, the sequence has ended */
    uint64_t bytes;
    int64_t enter_ns;
} ComparedEvent;

typedef struct SequenceDifference {
    Likeness likeness;
    uint64_t count[2];
    uint64_t common;        /* events that both have, whatever their order */
    uint64_t first;         /* number, from 0, of the first that differs; if any does */
    ComparedEvent event[2]; /* what it is in each */
    double time_s[2];       /* since MPI_Init; 0 for one that isn't there */
} SequenceDifference;

enum { COMPARED_SENDS, COMPARED_RECEIVES, COMPARED_COLLECTIVES, COMPARED_ONE_SIDED, COMPARED_KINDS };

typedef struct ProcessDifference {
    uint64_t count[COMPARED_KINDS][2];
    SequenceDifference sends;    /* send-like events: sends, collectives, one-sided */
    SequenceDifference receives; /* in the order in which they completed */
} ProcessDifference;

/* What a process sent to another. */
typedef struct PairDifference {
    uint32_t source, destination;
    uint64_t messages[2], bytes[2];
} PairDifference;

enum { PAIRS_KEPT = 10 };

typedef struct TraceDifference {
    uint32_t n_processes; /* of the trace that has more; the other's are empty from its end on */
    const ProcessDifference *processes;
    Likeness sends, receives;  /* the worst of any process */
    uint64_t common, count[2]; /* send-like events of all processes */
    double application_s[2];   /* AET */
    uint32_t n_unfinished[2];  /* processes that never reached MPI_Finalize */
    uint64_t n_pairs, n_different_pairs;
    uint32_t n_kept;
    PairDifference pairs[PAIRS_KEPT]; /* those that differ most, in bytes, then messages */
} TraceDifference;

bool compare_events(EventSource *const sources[2], const Progress *progress, Arena *arena, TraceDifference *difference,
                    Err *err);

typedef struct PhaseDifference {
    uint32_t id; /* as `firma phases` numbers A's; those that only B has follow */
    uint32_t n_ticks;
    uint64_t weight[2];
    double share[2]; /* of the application's time */
} PhaseDifference;

typedef struct PhasesDifference {
    uint32_t n_phases, n_only[2];  /* only: phases that the other doesn't have */
    const PhaseDifference *phases; /* by id */
    uint64_t n_occurrences[2];
    double common;      /* share of the occurrences that both have, whatever their order */
    bool same_sequence; /* they come in the same order too */
} PhasesDifference;

/* Finds A's phases, and recognises them in B. The traces must be of the same number of processes, each with a send-like
 * event. The sources are read from their beginnings: they must be fresh. `events`: what compare_events said of them.
 * options: of the order, or NULL. */
bool compare_phases(EventSource *const sources[2], const TraceDifference *events, const PhaseParameters *parameters,
                    const OrderOptions *options, const Progress *progress, Arena *arena, PhasesDifference *difference,
                    Err *err);
