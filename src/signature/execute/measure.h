/* SPDX-License-Identifier: BSD-3-Clause */
/* Executing a signature in prefix mode: the application is started on the target, measured in place, and stopped as
 * soon as enough was measured. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/signature.h"
#include "model/times.h"
#include "trace/segment.h"

typedef struct PlanOptions {
    double budget; /* share of the traced run that is worth spending: 0.03 */
    double limit;  /* share that is spent if need be, to reach phases that come late: 0.5 */
} PlanOptions;

/* Why a plan takes more than the budget. */
typedef enum PlanReason {
    PLAN_BUDGET,    /* it doesn't */
    PLAN_LATE,      /* relevant phases come later */
    PLAN_BEGINNING, /* what the budget buys is still the beginning, and unlike the rest */
    PLAN_STRATA,    /* occurrences of some kind come later, which the budget doesn't reach */
    PLAN_LIMITED    /* some relevant phases come so late that they stay unmeasured */
} PlanReason;

/* What of the run is executed. Chosen from the traced run alone. */
typedef struct PrefixPlan {
    uint32_t warmup;    /* milestone up to which nothing counts */
    uint32_t stop;      /* milestone at which the run is stopped */
    double cost_s;      /* what that took in the traced run */
    double coverage;    /* share of the application's time in relevant phases that occur in between */
    double bias;        /* by how much the rest of the traced run took more than its window says of it: 0.03 */
    double unseen;      /* share of the application's time in strata that come behind the window, but not in it */
    bool whole_periods; /* it's so many iterations of what the sequence repeats */
    PlanReason reason;
} PrefixPlan;

PrefixPlan prefix_plan(const Signature *signature, const PlanOptions *options);

typedef struct MeasureOptions {
    const char *recording;   /* directory for the records while it runs; removed at the end unless keep_recording */
    const char *output_path; /* where the program's output goes; NULL: stdout and stderr */
    MpiFlavour flavour;      /* MPI_FLAVOUR_NONE: found out */
    bool accept_differences; /* measure although program, arguments or number of processes differ */
    bool keep_recording;
} MeasureOptions;

typedef struct MeasureResult {
    PhaseTimes *times;
    const char *difference; /* what was different but accepted; "" */
    bool ended_early;       /* the program ended by itself before the plan's stop */
    int status;             /* how, if so */
} MeasureResult;

/* ERR_INPUT if the program isn't the signature's, or communicates otherwise; ERR_ENVIRONMENT if it can't be started. */
bool measure_prefix(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *options,
                    char *const command[], const Progress *progress, Arena *arena, MeasureResult *result, Err *err);

/* Executing a signature on a run that was traced from end to end: each relevant phase is timed in a few occurrences,
 * from startpoint to endpoint in that run, as the thesis's signature would have been (§4.2); for comparing methods of
 * analysis. *application_s: how long that run took (AET). ERR_INPUT if the trace is of another number of processes. */
bool measure_recorded(const Signature *signature, EventSource *source, const Progress *progress, Arena *arena,
                      PhaseTimes *times, double *application_s, Err *err);
