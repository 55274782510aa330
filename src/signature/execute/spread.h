/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes a signature from saved states. Windows are spread over the traced run, and a state is
 * saved before each. The measurements of all states are merged into phase times. (Saving and
 * restoring: signature/states.) docs/METHOD.md, section 4a. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/signature.h"
#include "model/times.h"

typedef struct SpreadOptions {
    uint32_t windows;  /* number of evenly spread windows: 5 */
    double budget;     /* share of the traced run for windows and their warm-up: 0.02 */
    double limit;      /* share that may be spent for long periods, and for phases that come late
                          or seldom: 0.3 */
    double settling_s; /* least duration of a warm-up: caches and pages are cold after a restart */
    double target;     /* half width of the interval that is aimed at, relative: 0.05; 0: none. For it, windows become
                          longer than the budget allows */
} SpreadOptions;

enum { SPREAD_LIMIT = 64 }; /* most windows of a plan */

/* Why the plan has a window. */
typedef enum SpreadReason {
    SPREAD_EVENLY,
    SPREAD_PHASE,  /* for a relevant phase that no other window holds, or not often enough */
    SPREAD_STRATUM /* for a stratum that no other window holds */
} SpreadReason;

/* A window, as milestones. The state is saved at `stop`: process `rank` sleeps before its
 * send-like event number send_events[rank]. stop == begin: there is no warm-up, because nothing
 * comes before. */
typedef struct SpreadWindow {
    uint32_t stop;  /* the state is saved here; the warm-up follows */
    uint32_t begin; /* the window begins */
    uint32_t end;   /* the window ends when every process has passed this milestone */
    SpreadReason reason;
} SpreadWindow;

/* Why no window holds a relevant phase. */
typedef enum SpreadMissingReason {
    SPREAD_MISSING_COST, /* each window that would hold it exceeds the limit */
    SPREAD_MISSING_LAST, /* it is the last thing the program does, so nothing marks its end */
    SPREAD_MISSING_COUNT /* the plan has SPREAD_LIMIT windows already */
} SpreadMissingReason;

typedef struct SpreadMissing {
    uint32_t phase_index; /* in the signature */
    SpreadMissingReason reason;
    double cost_s; /* if SPREAD_MISSING_COST: duration of its cheapest window, with warm-up */
} SpreadMissing;

typedef struct SpreadPlan {
    uint32_t n_windows;
    const SpreadWindow *windows; /* ordered by stop; all stops differ */
    /* Duration of warm-ups and windows on the traced machine, from mean durations; and the windows'
     * part of it. */
    double cost_s, window_s;
    double coverage; /* share of the application's time in relevant phases that windows hold */
    double bias;     /* by how much longer the traced run took than its windows predict: 0.03 */
    double unseen;   /* share of the application's time in strata that no window holds */
    /* All evenly spread windows consist of whole iterations of what the sequence repeats. */
    bool whole_periods;
    bool is_narrowed;  /* windows are longer than the budget allows, for the target */
    uint32_t n_wanted; /* evenly spread windows asked for; there are fewer if periods are long */
    uint32_t n_missing;
    const SpreadMissing *missing;
} SpreadPlan;

SpreadPlan spread_plan(const Signature *signature, const SpreadOptions *options, Arena *arena);

/* How far a run has come from one milestone to another, 0..1, in the process that has the longest
 * way to go. from_milestone is 0, or a state's stop. done: [count] send-like events of each process
 * since MPI_Init. 1: every process has passed to_milestone, so the cut there is known. */
double milestone_advance(const Signature *signature, uint32_t from_milestone, uint32_t to_milestone,
                         const uint64_t *done, uint32_t count);

/* Evaluates the run of one restored state. The archive holds everything that was recorded since
 * MPI_Init, the events before the state included. Fills in windows, phases, agreement,
 * warmup_occurrences and costs.window_s of *times. `state` is the window's number in the plan.
 * ERR_INPUT: the run didn't reach the window, or its communication isn't the signature's. */
bool state_evaluate(const Signature *signature, const SpreadWindow *window, uint32_t state, const char *archive,
                    const Progress *progress, Arena *arena, PhaseTimes *times, Err *err);

/* Merges the times of all states into one; a state may occur several times. Phases and costs are
 * added up. Windows are ordered by state. Startup is the traced startup times the pace.
 * Application, host and command are those of parts[0]; n_parts must be at least 1. */
PhaseTimes *states_merge(const Signature *signature, const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena);
