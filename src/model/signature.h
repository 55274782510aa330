/* SPDX-License-Identifier: BSD-3-Clause */
/* The signature (app.firma): an application's phases with their weights, and all that is needed to
 * measure them elsewhere. `firma phases` creates it; `firma measure` and `firma predict` read it.
 * JSON form: docs/FORMATS.md. */
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
    double volume_tolerance;  /* volumes match if they differ by at most this share of the larger one: 0.05 */
    double compute_tolerance; /* the same for computation times of blocks: 0.05 */
    double compute_floor_s;   /* … or by this time in any case; 0: not at all */
    double least_match;       /* phases are similar if at least this share of their events match: 0.80 */
    double relevance;         /* a phase is relevant from this share of the application's time on: 0.01 */
    uint64_t least_weight;    /* … and from this weight on: 1 */
    uint32_t n_only;          /* instead of both, the ids of the relevant phases; 0: not given */
    const uint64_t *only;
    bool compute_floor_given; /* else compute_floor_s is to be measured. Not in the signature */
    uint64_t samples;         /* most places that a phase keeps, at least 2; 0: 8. Not in the signature */
} PhaseParameters;

/* The thesis's values. */
#define DEFAULT_ORDER "pas2p"
#define DEFAULT_SIMILARITY "phase"
#define DEFAULT_VOLUME_TOLERANCE_PERCENT 5
#define DEFAULT_COMPUTE_TOLERANCE_PERCENT 5
#define DEFAULT_LEAST_MATCH_PERCENT 80
#define DEFAULT_RELEVANCE_PERCENT 1
#define DEFAULT_LEAST_WEIGHT 1
#define DEFAULT_SAMPLES 8
#define PHASE_PARAMETERS_DEFAULT                                                                                       \
    {                                                                                                                  \
        .order = DEFAULT_ORDER, .similarity = DEFAULT_SIMILARITY,                                                      \
        .volume_tolerance = DEFAULT_VOLUME_TOLERANCE_PERCENT / 100.0,                                                  \
        .compute_tolerance = DEFAULT_COMPUTE_TOLERANCE_PERCENT / 100.0,                                                \
        .least_match = DEFAULT_LEAST_MATCH_PERCENT / 100.0, .relevance = DEFAULT_RELEVANCE_PERCENT / 100.0,            \
        .least_weight = DEFAULT_LEAST_WEIGHT                                                                           \
    }

/* One send-like event of a phase. A phase's events are ordered by tick, then process. */
typedef struct PhaseEvent {
    uint32_t tick; /* counted from the phase's startpoint */
    uint32_t process;
    CommType type;
    uint64_t bytes;
} PhaseEvent;

typedef struct ProcessTime {
    uint64_t count; /* occurrences in which the process takes part */
    double total_s; /* sum of these occurrences' durations in this process */
} ProcessTime;

/* The place of an occurrence, in numbers of send-like events of each process. `startpoint` is the
 * number of events before the occurrence; `endpoint` is the number before whatever follows it. */
typedef struct PhasePlace {
    const uint64_t *startpoint, *endpoint; /* [n_processes] */
} PhasePlace;

typedef struct Phase {
    uint32_t id; /* from 1, by first occurrence */
    uint32_t n_ticks;
    uint32_t n_events;
    const PhaseEvent *events;  /* [n_events]: events of the first occurrence */
    uint64_t weight;           /* number of occurrences */
    uint64_t first_occurrence; /* position of its first occurrence in the sequence of all occurrences */
    uint32_t n_places;
    /* [n_places]: of the second occurrence, because the first is cold, or of the only one. A
     * relevant phase has more places, spread over the run */
    const PhasePlace *places;
    const ProcessTime *processes; /* [n_processes] */
    double similarity;            /* mean share of matching events over all occurrences, 0..1 */
    double slowest_total_s;       /* sum over occurrences of the slowest process's duration */
    /* Share of the application's time: mean over processes of total_s, divided by application_s. */
    double share;
    bool relevant;
    uint32_t n_strata; /* 0: all occurrences take about the same time */
    const Stratum *strata;
} Phase;

/* The sequence of occurrences, folded. A loop repeats its body; a leaf is `count` occurrences of
 * one phase. */
typedef struct Loop {
    uint64_t count;
    uint32_t phase; /* phase id of a leaf; 0: a body follows */
    uint32_t n_body;
    const struct Loop *body;
} Loop;

/* The progress of the traced run at a point of the sequence: a consistent cut at the start of an
 * occurrence. */
typedef struct Milestone {
    uint64_t occurrence;
    double time_s;               /* since the return of MPI_Init, mean over processes */
    const uint64_t *send_events; /* [n_processes]: send-like events before the cut */
    const double *phase_weight;  /* [n_phases]: occurrences before the cut */
    const double *phase_time_s;  /* [n_phases]: the time of these, mean over processes */
    const double *phase_path_s;  /* [n_phases]: of this, computation and waiting for it (LogicalEvent.path_ns) */
} Milestone;

/* Another run of the program on the traced machine, at the same milestones. What recurs is the
 * program's own, what doesn't is the machine's noise. */
typedef struct RepeatedRun {
    double application_s; /* AET */
    uint32_t n_times;     /* number of milestones */
    const double *time_s; /* [n_times]: since the return of MPI_Init, mean over processes */
} RepeatedRun;

typedef struct Signature {
    Application application;
    PhaseParameters parameters;
    const char *trace;          /* absolute path of the trace that it was made from; "" or NULL: not known */
    const char *host;           /* of rank 0 in the traced run; "": not known */
    uint32_t n_places;          /* number of processes, or 0: not known */
    const ProcessPlace *places; /* [n_places] where each process ran */
    double ranks_per_processor; /* in the traced run, where most ranks share a processor; 0: not known */
    double recording_cost_s;    /* in the traced run, of one call; 0: not known, or nothing */
    double slowdown;            /* of the traced run, as in Trace */
    uint32_t n_recorded;        /* number of processes, or 0: not known */
    /* [n_recorded] calls that were recorded in each process, in its thread with most calls */
    const uint64_t *recorded_calls;
    /* Traced AET: from the return of MPI_Init to the entry of MPI_Finalize, in the slowest
     * process. */
    double application_s;
    const double *startup_s;  /* [n_processes]: MPI_Init to the first send-like event */
    const double *shutdown_s; /* [n_processes]: the last send-like event to MPI_Finalize */
    double coverage;          /* share of the application's time that the relevant phases hold */
    uint64_t n_send_events, n_ticks, n_occurrences;
    /* Similarity "block": number of parallel basic blocks, and how many of them are distinct. */
    uint64_t n_blocks, n_distinct_blocks;
    /* Blocks whose search for a similar one reached its limit, see
     * signature/phases/block_names.c. */
    uint64_t n_blocks_cut_short;
    bool complete; /* every process was recorded until MPI_Finalize */
    uint32_t n_incomplete;
    const char *const *incomplete; /* [n_incomplete] what the trace lacks of the run, a sentence each */
    uint32_t n_repeats;
    const RepeatedRun *repeats;
    uint32_t n_phases;
    const Phase *phases;
    Loop sequence;
    /* With similarity "block", the thesis's renamed list: the name of each block in order, from 1. A name is the number
     * of a distinct block. Neither is in the signature's file. */
    Loop renamed;
    const uint64_t *first_blocks; /* [n_distinct_blocks] the first block of each name */
    uint32_t n_milestones;
    const Milestone *milestones; /* from occurrence 0 to behind the last occurrence */
} Signature;

/* The progress of a run as a function of the position in the sequence, linear between milestones.
 * Times are means over processes. Run 0 is the traced run, run i the repeat i - 1. */
double signature_run_time_s(const Signature *signature, uint32_t run, double occurrence);

/* The same of the traced run. */
double signature_time_s(const Signature *signature, double occurrence);
double signature_occurrence_at(const Signature *signature, double time_s); /* the inverse */
double signature_phase_weight(const Signature *signature, uint32_t phase_index, double occurrence);
double signature_phase_time_s(const Signature *signature, uint32_t phase_index, double occurrence);
double signature_phase_path_s(const Signature *signature, uint32_t phase_index, double occurrence);
/* Time of a phase's stratum. */
double signature_stratum_time_s(const Signature *signature, uint32_t phase_index, uint32_t stratum, double occurrence);
/* The mean duration of a phase's occurrences, mean over processes. */
double signature_phase_mean_s(const Signature *signature, uint32_t phase_index);
/* The path of all phases. */
double signature_path_s(const Signature *signature, double occurrence);

/* As signature_phase_weight(), but each occurrence counts by its stratum's mean duration over the
 * base's. As long as only strata make a phase uneven, its time is proportional to this effort. */
double signature_phase_effort(const Signature *signature, uint32_t phase_index, double occurrence);

/* A sequence in the form of the signature's file (docs/FORMATS.md). */
json_t *signature_loop_json(const Loop *loop);

/* What the sequence repeats in the middle of the run: the outermost loop there with at least four
 * iterations. */
typedef struct SequencePeriod {
    uint64_t occurrences;             /* in one iteration; 0: nothing repeats there */
    uint64_t times, first_occurrence; /* iterations of the loop, and where it begins */
    double time_s;                    /* mean time of one iteration in the traced run */
} SequencePeriod;

SequencePeriod signature_period(const Signature *signature);

/* The loop of the program's steps: what repeats around the middle of the run, however few iterations it has, from its
 * first piece to its last one. Lengths and times of an iteration are means. weights[n_phases]: the occurrences of each
 * phase in one iteration. `occurrences` is 0 where nothing repeats. */
SequencePeriod signature_steps(const Signature *signature, double *weights);

/* The same around another occurrence. */
SequencePeriod signature_period_at(const Signature *signature, uint64_t occurrence);

/* The same, unless one iteration takes longer than longest_s and almost all of it is a loop again.
 * Then the inner loop. */
SequencePeriod signature_short_period_at(const Signature *signature, uint64_t occurrence, double longest_s);

/* True if both milestones lie in the loop and are whole periods apart. */
bool signature_is_whole_periods(const Signature *signature, const SequencePeriod *period, uint32_t from_milestone,
                                uint32_t to_milestone);

/* Occurrences of phases a second in the traced run: only there can it be divided. Below
 * FEW_EVENTS_PER_S, a short run can hardly be divided. */
double signature_events_per_s(const Signature *signature);
#define FEW_EVENTS_PER_S 10

/* The index of the phase with this id in `phases`, or n_phases. */
uint32_t signature_find_phase(const Signature *signature, uint64_t id);

/* Phases that the user chose must be there. ERR_INPUT names the file `trace`. */
bool signature_check_chosen(const Signature *signature, const char *trace, Err *err);

/* The number of occurrences in a loop of the sequence. */
uint64_t loop_length(const Loop *loop);

/* Writes the phase ids of the first `count` occurrences of the sequence to ids. Returns their
 * number, which is less if the sequence ends before. */
uint64_t signature_expand(const Signature *signature, uint64_t count, uint32_t *ids);

#define SIGNATURE_VERSION 3

DOCUMENT(signature, Signature);
