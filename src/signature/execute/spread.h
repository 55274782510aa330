/* SPDX-License-Identifier: BSD-3-Clause */
/* Executing a signature from saved states: windows spread over the traced run, a state saved before each. What each
 * state's run shows of its window is put together to phase times. Saving and restoring is not done here. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/signature.h"
#include "model/times.h"

typedef struct SpreadOptions {
    uint32_t windows;  /* spread evenly: 5 */
    double budget;     /* share of the traced run for them and their warm-up: 0.02 */
    double limit;      /* share that is spent if need be: for long periods, and phases that come late or once: 0.3 */
    double settling_s; /* warm-up takes at least so long: caches and pages are cold after a restart */
} SpreadOptions;

enum { SPREAD_LIMIT = 64 }; /* windows */

/* Why a window is there. */
typedef enum SpreadReason {
    SPREAD_EVENLY,
    SPREAD_PHASE,  /* it holds a relevant phase that no other has, or not often enough */
    SPREAD_STRATUM /* it holds occurrences of some kind that no other has */
} SpreadReason;

/* Milestones. Before a process does its send-like event number send_events[rank] of `stop`, it sleeps, and the state is
 * saved. stop == begin: nothing comes before. */
typedef struct SpreadWindow {
    uint32_t stop;  /* saved here; warm-up follows */
    uint32_t begin; /* measured from here */
    uint32_t end;   /* to here: then every process has passed this milestone */
    SpreadReason reason;
} SpreadWindow;

/* Why a relevant phase is in no window. */
typedef enum SpreadWhy {
    SPREAD_COSTS, /* no window that holds it fits in the limit */
    SPREAD_LAST,  /* it is the last that the program does: nothing behind it marks its end */
    SPREAD_COUNT  /* there are as many windows as there can be */
} SpreadWhy;

typedef struct SpreadMissing {
    uint32_t phase_index; /* in the signature */
    SpreadWhy why;
    double cost_s; /* SPREAD_COSTS: what its cheapest window would take, warm-up included */
} SpreadMissing;

typedef struct SpreadPlan {
    uint32_t n_windows;
    const SpreadWindow *windows; /* in order of stop, which ascends strictly */
    double cost_s;      /* what warm-up and windows take on the traced machine, at the phases' mean durations */
    double window_s;    /* of that, the windows */
    double coverage;    /* share of the application's time in relevant phases that the windows hold */
    double bias;        /* by how much the traced run took more than its windows say of it: 0.03 */
    double unseen;      /* share of the application's time in strata of which no window holds an occurrence */
    bool whole_periods; /* all evenly spread windows are so many iterations of what the sequence repeats */
    uint32_t n_wanted;  /* how many were asked for; fewer are evenly spread where periods are long */
    uint32_t n_missing;
    const SpreadMissing *missing;
} SpreadPlan;

SpreadPlan spread_plan(const Signature *signature, const SpreadOptions *options, Arena *arena);

/* How far a run that began at a milestone (0; of a state, its stop) is towards another one, by the process that has the
 * longest way to go. done: [count] send-like events of each, since MPI_Init. 1: every process has passed it, so that
 * the cut there is known. */
double milestone_advance(const Signature *signature, uint32_t from_milestone, uint32_t to_milestone,
                         const uint64_t *done, uint32_t count);

/* One state's run, as an archive of all that was recorded, from MPI_Init over the saved state to behind the window's
 * end: fills windows, phases, agreement, warmup_occurrences and costs.window_s of *times. `state` is the window's
 * number in the plan. ERR_INPUT if the window wasn't reached, or the communication isn't the signature's. */
bool state_evaluate(const Signature *signature, const SpreadWindow *window, uint32_t state, const char *archive,
                    const Progress *progress, Arena *arena, PhaseTimes *times, Err *err);

/* All states' times, any number of each state, in one: phases and costs added up, windows in order of states; startup
 * as traced, scaled. Application, host and command are those of the first. There must be at least one. */
PhaseTimes *states_merge(const Signature *signature, const PhaseTimes *const *parts, uint32_t n_parts, Arena *arena);
