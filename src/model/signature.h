/* SPDX-License-Identifier: BSD-3-Clause */
/* The signature (app.firma): an application's phases with their weights, and what is needed to measure them elsewhere.
 * Made by `firma phases`, read by measure and predict. JSON form: docs/FORMATS.md. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/event.h"
#include "model/logical.h"
#include "model/strata.h"

/* How a trace is analysed; recorded in the signature. */
typedef struct PhaseParameters {
    const char *order;        /* "pas2p" or "lamport", see signature/order/order.h */
    const char *similarity;   /* "phase" or "block", see signature/phases/phases.h */
    double volume_tolerance;  /* volumes match when they differ by at most this share of the larger: 0.05 */
    double compute_tolerance; /* blocks: so do computation times: 0.05 */
    double least_match;       /* phases are similar when at least this share of their events match: 0.80 */
    double relevance;         /* a phase is relevant from this share of the application's time on: 0.01 */
} PhaseParameters;

/* The thesis's. */
#define DEFAULT_ORDER "pas2p"
#define DEFAULT_SIMILARITY "phase"
#define DEFAULT_VOLUME_TOLERANCE_PERCENT 5
#define DEFAULT_COMPUTE_TOLERANCE_PERCENT 5
#define DEFAULT_LEAST_MATCH_PERCENT 80
#define DEFAULT_RELEVANCE_PERCENT 1
#define PHASE_PARAMETERS_DEFAULT                                                                                       \
    {                                                                                                                  \
        .order = DEFAULT_ORDER, .similarity = DEFAULT_SIMILARITY,                                                      \
        .volume_tolerance = DEFAULT_VOLUME_TOLERANCE_PERCENT / 100.0,                                                  \
        .compute_tolerance = DEFAULT_COMPUTE_TOLERANCE_PERCENT / 100.0,                                                \
        .least_match = DEFAULT_LEAST_MATCH_PERCENT / 100.0, .relevance = DEFAULT_RELEVANCE_PERCENT / 100.0             \
    }

/* One send-like event of a phase. A phase's events are ordered by tick, then process. */
typedef struct PhaseEvent {
    uint32_t tick; /* from the phase's startpoint */
    uint32_t process;
    CommType type;
    uint64_t bytes;
} PhaseEvent;

typedef struct ProcessTime {
    uint64_t count; /* occurrences in which the process has an event */
    double total_s; /* their durations in this process, added up */
} ProcessTime;

/* Where an occurrence of a phase lies, in send-like events: those of each process before it (its own first one, or the
 * nearest later one, has this number), and before what follows it. */
typedef struct PhasePlace {
    const uint64_t *startpoint, *endpoint; /* [n_processes] */
} PhasePlace;

typedef struct Phase {
    uint32_t id; /* from 1, by first occurrence */
    uint32_t n_ticks;
    uint32_t n_events;
    const PhaseEvent *events;     /* [n_events] the content of the first occurrence */
    uint64_t weight;              /* number of occurrences */
    uint64_t first_occurrence;    /* position of the first one in the sequence of all occurrences */
    uint32_t n_places;            /* of occurrences that stand for it: */
    const PhasePlace *places;     /* [n_places] the second, as the first is cold, or the only one; of a relevant phase
                                     some more, spread over the run */
    const ProcessTime *processes; /* [n_processes] */
    double similarity;            /* mean share of matching events over all occurrences, 0..1 */
    double slowest_total_s;       /* sum over occurrences of the slowest process's duration */
    double share;                 /* of the application's time: mean over processes of total_s, over application_s */
    bool relevant;
    uint32_t n_strata; /* 0: its occurrences are of one kind */
    const Stratum *strata;
} Phase;

/* The sequence of occurrences, folded: a loop repeats its body; a leaf is `count` occurrences of one phase. */
typedef struct Loop {
    uint64_t count;
    uint32_t phase; /* phase id of a leaf; 0: a body follows */
    uint32_t n_body;
    const struct Loop *body;
} Loop;

/* How far the traced run was at some point of the sequence: a consistent cut at the start of an occurrence. */
typedef struct Milestone {
    uint64_t occurrence;
    double time_s;                 /* since the return of MPI_Init, mean over processes */
    const uint64_t *send_events;   /* [n_processes] send-like events before it */
    const double *phase_weight;    /* [n_phases] occurrences before it */
    const double *phase_time_s;    /* [n_phases] mean over processes of the time they took */
    const double *phase_compute_s; /* [n_phases] … on a processor, outside of MPI; NULL: not known */
} Milestone;

typedef struct Signature {
    Application application;
    PhaseParameters parameters;
    double application_s; /* traced AET: the slowest process from the return of MPI_Init to the entry of MPI_Finalize */
    const double *startup_s;  /* [n_processes] MPI_Init to first send-like event */
    const double *shutdown_s; /* [n_processes] last send-like event to MPI_Finalize */
    double coverage;          /* share of the application's time that the relevant phases hold */
    uint64_t n_send_events, n_ticks, n_occurrences;
    uint64_t n_blocks, n_distinct_blocks; /* similarity "block": parallel basic blocks, and how many aren't similar */
    uint64_t n_blocks_cut_short;          /* blocks whose search for a similar one was cut short, see
                                             signature/phases/block_names.c */
    bool complete;                        /* every process reached MPI_Finalize */
    uint32_t n_phases;
    const Phase *phases;
    Loop sequence;
    uint32_t n_milestones;
    const Milestone *milestones; /* first: occurrence 0; last: after the last occurrence */
} Signature;

/* The traced run as a function of the position in the sequence, linear between milestones. Means over processes. */
double signature_time_s(const Signature *signature, double occurrence);
double signature_occurrence_at(const Signature *signature, double time_s); /* the inverse */
double signature_phase_weight(const Signature *signature, uint32_t phase_index, double occurrence);
double signature_phase_time_s(const Signature *signature, uint32_t phase_index, double occurrence);
/* 0 where it isn't known. */
double signature_phase_compute_s(const Signature *signature, uint32_t phase_index, double occurrence);

/* As signature_phase_weight, but each occurrence counts by its stratum's mean duration over the base's: what a phase's
 * time is proportional to as long as nothing but its strata makes it uneven. */
double signature_phase_effort(const Signature *signature, uint32_t phase_index, double occurrence);

/* A sequence as the signature's file has it (docs/FORMATS.md). */
json_t *signature_loop_json(const Loop *loop);

/* What the sequence repeats in the middle of the run: the outermost loop there that has at least four iterations. */
typedef struct SequencePeriod {
    uint64_t occurrences; /* of one iteration; 0: nothing repeats there */
    uint64_t times, first_occurrence;
    double time_s; /* mean time of one iteration in the traced run */
} SequencePeriod;

SequencePeriod signature_period(const Signature *signature);

/* The same around another place of the run. */
SequencePeriod signature_period_at(const Signature *signature, uint64_t occurrence);

/* The same; but where one iteration takes longer than that, and almost all of it is a loop again, the inner loop. */
SequencePeriod signature_short_period_at(const Signature *signature, uint64_t occurrence, double longest_s);

/* Are these two milestones whole periods apart? False also where they don't both lie in the loop. */
bool signature_is_whole_periods(const Signature *signature, const SequencePeriod *period, uint32_t from_milestone,
                                uint32_t to_milestone);

/* Position of the phase with this id in `phases`, or n_phases. */
uint32_t signature_find_phase(const Signature *signature, uint64_t id);

/* Occurrences that a loop of the sequence stands for. */
uint64_t loop_length(const Loop *loop);

/* The phase ids of occurrences [0, count) of the sequence into ids; returns how many there are (less at its end). */
uint64_t signature_expand(const Signature *signature, uint64_t count, uint32_t *ids);

#define SIGNATURE_VERSION 2

DOCUMENT(signature, Signature);
