/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between two traces, A and B, of the same program. Compares process by process, in
 * one pass over each trace. Memory grows with the number of different events and partners, not with
 * the length of the traces. Arrays [2] hold A's value, then B's. Public interface of the folder.
 * docs/METHOD.md, section 8. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/logical.h"
#include "model/signature.h"
#include "signature/order/order.h"

/* How alike two sequences of events are, from the best case to the worst. */
typedef enum Likeness {
    LIKENESS_SAME,    /* the same events in the same order */
    LIKENESS_ORDER,   /* the same events in another order */
    LIKENESS_SHORTER, /* one is the beginning of the other */
    LIKENESS_VOLUMES, /* the same partners and collectives in the same order, but other volumes */
    LIKENESS_CONTENT  /* other events */
} Likeness;

/* An event as it is compared: communication type and volume (sent + received for collectives), as
 * in the logical trace. Tags don't count, and communicators count by their members. */
typedef struct ComparedEvent {
    CommType type; /* TYPE_NONE: the sequence has ended */
    uint64_t bytes;
    int64_t enter_ns;
} ComparedEvent;

typedef struct SequenceDifference {
    Likeness likeness;
    uint64_t count[2];
    uint64_t common;        /* number of events that both have, in whatever order */
    uint64_t first;         /* number, from 0, of the first event that differs, if any does */
    ComparedEvent event[2]; /* this event in each trace */
    double time_s[2];       /* its time since MPI_Init; 0 if a trace doesn't have it */
} SequenceDifference;

enum { COMPARED_SENDS, COMPARED_RECEIVES, COMPARED_COLLECTIVES, COMPARED_ONE_SIDED, COMPARED_KINDS };

typedef struct ProcessDifference {
    uint64_t count[COMPARED_KINDS][2];
    SequenceDifference sends;    /* send-like events: sends, collectives, one-sided operations */
    SequenceDifference receives; /* in the order in which they completed */
} ProcessDifference;

/* Messages from one process to another. */
typedef struct PairDifference {
    uint32_t source, destination;
    uint64_t messages[2], bytes[2];
} PairDifference;

enum { PAIRS_KEPT = 10 };

typedef struct TraceDifference {
    uint32_t n_processes; /* of the trace with more processes; the other trace's missing ones
                             count as empty */
    const ProcessDifference *processes;
    Likeness sends, receives;  /* the worst of any process */
    uint64_t common, count[2]; /* send-like events of all processes */
    double application_s[2];   /* AET */
    uint32_t n_unfinished[2];  /* processes that never reached MPI_Finalize */
    uint64_t n_pairs, n_different_pairs;
    uint32_t n_kept;
    PairDifference pairs[PAIRS_KEPT]; /* the pairs that differ most in bytes, then in messages */
} TraceDifference;

bool compare_events(EventSource *const sources[2], const Progress *progress, Arena *arena, TraceDifference *difference,
                    Err *err);

typedef struct PhaseDifference {
    uint32_t id; /* as `firma phases` numbers A's phases; phases that only B has follow */
    uint32_t n_ticks;
    uint64_t weight[2];
    double share[2];      /* share of the application's time */
    double mean_s[2];     /* mean duration of an occurrence in a process; NAN: it has none */
    uint32_t resized_id;  /* with other volumes: its id in B; 0: with the same */
    double volume_factor; /* … how many times as many bytes an occurrence sends in B; NAN: not known */
} PhaseDifference;

typedef struct PhasesDifference {
    uint32_t n_phases, n_only[2];  /* n_only: phases that the other trace doesn't have */
    uint32_t n_resized;            /* phases that both have, with other volumes */
    const PhaseDifference *phases; /* by id */
    uint64_t n_occurrences[2];
    double common;      /* share of the occurrences that both have, with the same volumes, in whatever order */
    bool same_sequence; /* occurrences also come in the same order */
} PhasesDifference;

/* Finds A's phases, and recognises them in B. Both traces must have the same number of processes,
 * each with a send-like event. The sources must be at their beginnings. `events`: the result of
 * compare_events(). options: of the order, or NULL. Errors as of phases_find(), with the trace
 * named. Results in the arena. */
bool compare_phases(EventSource *const sources[2], const TraceDifference *events, const PhaseParameters *parameters,
                    const OrderOptions *options, const Progress *progress, Arena *arena, PhasesDifference *difference,
                    Err *err);
