/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes a signature in prefix mode: starts the application on the target, measures the running
 * program, and stops it as soon as enough is measured. docs/METHOD.md, section 4. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/signature.h"
#include "model/times.h"
#include "trace/segment.h"

typedef struct PlanOptions {
    double budget;    /* share of the traced run that may be executed: 0.03 */
    double limit;     /* share that may be executed to reach phases that come late: 0.5 */
    double target;    /* half width of the interval that is aimed at, relative: 0.05 */
    uint32_t repeats; /* how often the prefix will be run; 0: once */
} PlanOptions;

/* Why a plan executes more than the budget. */
typedef enum PlanReason {
    PLAN_BUDGET,    /* it doesn't */
    PLAN_LATE,      /* relevant phases come later */
    PLAN_BEGINNING, /* a prefix within the budget is still the beginning of the run, and unlike
                       the rest */
    PLAN_STRATA,    /* occurrences of some stratum come later */
    PLAN_TARGET,    /* a shorter window would be too noisy for the target */
    PLAN_LIMITED    /* some relevant phases come so late that they stay unmeasured */
} PlanReason;

/* Which part of the run is executed. Chosen from the traced run alone. */
typedef struct PrefixPlan {
    uint32_t warmup;    /* milestone at which the warm-up ends */
    uint32_t stop;      /* milestone at which the run is stopped */
    double cost_s;      /* time of the prefix in the traced run */
    double coverage;    /* share of the application's time in relevant phases that occur between
                           warm-up and stop */
    double bias;        /* by how much longer the rest of the traced run took than its window
                           predicts: 0.03 */
    double unseen;      /* share of the application's time in strata that occur after the window,
                           but not in it */
    bool whole_periods; /* the window consists of whole iterations of what the sequence repeats */
    PlanReason reason;
} PrefixPlan;

PrefixPlan prefix_plan(const Signature *signature, const PlanOptions *options);

typedef struct MeasureOptions {
    const char *recording;   /* directory for the records of the run; removed at the end unless
                                keep_recording */
    const char *output_path; /* file for the program's output; NULL: stdout and stderr */
    MpiFlavour flavour;      /* MPI_FLAVOUR_NONE: firma finds out */
    uint32_t repeats;        /* how many times to run the prefix, at least 1 */
    bool accept_differences; /* measure although program, arguments or number of processes differ */
    bool keep_recording;
} MeasureOptions;

typedef struct MeasureResult {
    PhaseTimes *times;
    const char *difference; /* the difference that was accepted, or "" */
    bool ended_early;       /* the program ended by itself before it reached the plan's stop */
    int status;             /* its exit status, if so */
    uint32_t n_runs;        /* that were complete */
    Err problem;            /* if fewer than were wanted: why the next one failed */
} MeasureResult;

/* Runs the command as far as the plan says, and measures it, `repeats` times. If the first run fails:
 * ERR_INPUT: the program isn't the signature's, or communicates differently. ERR_ENVIRONMENT: it can't
 * be started, or isn't an MPI program. ERR_NEGATIVE: it failed, or firma was interrupted. Result in the arena. */
bool measure_prefix(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *options,
                    char *const command[], const Progress *progress, Arena *arena, MeasureResult *result, Err *err);

/* Merges the times of several runs of one prefix: their means, and all their windows, with the run's
 * number. n_parts must be at least 1. */
PhaseTimes *prefixes_merge(const Signature *signature, const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena);

/* Executes a signature on a run that was traced from end to end, to compare methods of analysis.
 * Each relevant phase is timed in a few occurrences of that run, from startpoint to endpoint, as by
 * the thesis's signature (§4.2). *application_s: duration of that run (AET). ERR_INPUT: the trace
 * has another number of processes. */
bool measure_recorded(const Signature *signature, EventSource *source, const Progress *progress, Arena *arena,
                      PhaseTimes *times, double *application_s, Err *err);
