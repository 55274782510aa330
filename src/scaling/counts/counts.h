/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of one program on several numbers of processes, or of several sizes, phase by phase: which phases belong
 * together, how their times change, and what they add up to for other numbers or sizes. docs/METHOD.md, section 23. Public interface of the
 * folder. */
#pragma once

#include "scaling/laws.h"
#include "signature/profile/waits.h"

/* The parts of a phase's time. Transfer is all that is neither computation nor waiting for other processes. */
typedef enum CountPart { COUNT_COMPUTATION, COUNT_TRANSFER, COUNT_WAITING, COUNT_PARTS } CountPart;

extern const char *const count_part_names[COUNT_PARTS]; /* "computation", "transfer", "waiting" */

typedef struct CountRun {
    const char *path; /* the signature or the trace, as it was named */
    const char *trace;
    uint32_t p;
    double x;                 /* p; or the problem's size, if runs of several sizes are compared */
    double time_s;            /* of the slowest process, from MPI_Init to MPI_Finalize */
    Waits waits;              /* with the signature of the run */
    const CallProfile *calls; /* [CALL_KIND_COUNT] of all processes together */
} CountRun;

typedef enum CountScaling {
    COUNT_UNKNOWN, /* the runs don't tell: little of their time is computation */
    COUNT_STRONG,
    COUNT_WEAK,  /* computation of a process doesn't fall with p */
    COUNT_SIZES, /* of several sizes on one p */
    COUNT_SCALINGS
} CountScaling;

extern const char *const count_scaling_names[COUNT_SCALINGS]; /* "unknown", "strong", "weak", "sizes" */

/* A quantity over the runs, with its laws. */
typedef struct CountSeries {
    const double *values; /* [n_runs] */
    uint32_t n_laws;      /* 0: the quantity is 0 in all runs */
    const LawFit *laws;   /* best first */
} CountSeries;

/* Phases of the runs with the same structure; or calls of one kind, without computation. */
typedef struct CountPhase {
    /* What its processes do: "send; send allreduce". "": phases without a partner. Of calls: "allreduce"; all
     * point-to-point calls are one row, "isend irecv wait". */
    const char *structure;
    const uint32_t *ids;            /* [n_runs] the first such phase of each run; 0: it has none. Of calls: 0 */
    const uint32_t *n_ids;          /* [n_runs] how many there are */
    double share;                   /* of the time of the run with the most processes */
    CountSeries weight;             /* occurrences; calls of the mean process */
    CountSeries volume_bytes;       /* what a process sends in one, on the average */
    CountSeries parts[COUNT_PARTS]; /* seconds in the whole run, mean over processes */
    /* The parts from `together_from` on have a law together, which predicts their sum: how a sum is divided changes
     * less regularly than the sum. */
    CountPart together_from;
    CountSeries together;
    double stops_p;    /* the least p with less than the wanted efficiency, by the best laws; INFINITY: none */
    CountPart because; /* the part that adds most there */
} CountPhase;

/* The same by the extrapolated events, on a machine. */
typedef struct CountSimulated {
    const char *layout;  /* of the processes, by which partners were extrapolated: "a grid" */
    const char *why_not; /* why there is no time; NULL: there is one */
    Estimated time_s;
    double compute_share, waiting_share; /* of the mean process's time */
    uint64_t n_events;
} CountSimulated;

/* A row on p processes, by its laws. */
typedef struct CountShare {
    const char *name; /* its structure */
    Estimated time_s;
    double share; /* of the predicted time */
} CountShare;

typedef struct CountPrediction {
    uint32_t p; /* or the size */
    Distance distance;
    Estimated time_s; /* on the machine of the runs */
    double parts_s[COUNT_PARTS];
    double efficiency;               /* against the run with the fewest processes; NAN: there is none */
    const CountSimulated *simulated; /* NULL: no machine was named */
    uint32_t n_phases, n_calls;
    const CountShare *phases, *calls; /* in the order of the rows */
    CountShare rest;
} CountPrediction;

/* What the laws add up to, for pictures. */
typedef struct CountCurvePoint {
    double x; /* p, or the size */
    Estimated time_s;
    double parts_s[COUNT_PARTS];
} CountCurvePoint;

typedef struct Counts {
    uint32_t n_runs;
    const CountRun *runs; /* ascending x */
    CountScaling scaling;
    double efficiency_limit;
    uint32_t n_phases;
    const CountPhase *phases; /* by stops_p, then share */
    CountPhase rest;          /* all that has no partner in some run, and the time outside of phases */
    uint32_t n_calls;
    const CountPhase *calls; /* longest first, at the last prediction or in the last run; calls are within phases */
    uint32_t n_unmatched;
    const char *const *unmatched; /* a line for each phase that some run lacks */
    uint32_t n_predictions;
    CountPrediction *predictions;
    uint32_t n_curve; /* 0: no curve is wanted */
    const CountCurvePoint *curve;
    uint32_t n_warnings;
    const char *const *warnings; /* what makes the laws doubtful, a sentence each */
} Counts;

enum { COUNT_RUNS_LEAST = 3, COUNT_RUNS_LIMIT = 64 };

/* ERR_INPUT, naming two runs: their programs have different names. Names may differ if the program is the same build, or
 * if the MPI library differs, too, as of app-openmpi and app-mpich; then a warning says that. applications: [n_runs]. */
bool counts_check_programs(const char *const *paths, const Application *applications, uint32_t n_runs, Err *err);

/* Sorts the runs by x. COUNT_UNKNOWN: firma finds how they scale. COUNT_SIZES: x is the problem's size, and all runs
 * have the same p. ERR_INPUT: two of the same x. ERR_USAGE: too few runs. Results in the arena. */
bool counts_make(CountRun *runs, uint32_t n_runs, CountScaling scaling, const ScalingOptions *options, Arena *arena,
                 Counts *counts, Err *err);

/* Whether a time can be compared with that of the fewest processes. */
bool counts_have_efficiency(const Counts *counts);

/* A law for a quantity over x, as for phases. values: [n]. */
CountSeries count_series(const double *x, const double *values, uint32_t n, CountScaling scaling, Arena *arena);

/* The same for computation: over p it is constant, or a + c/p, unless that is far from the runs. */
CountSeries count_computation(const double *x, const double *values, uint32_t n, CountScaling scaling, Arena *arena);
Estimated count_series_at(const CountSeries *series, double x);
