/* SPDX-License-Identifier: BSD-3-Clause */
/* From a signature and its phase times on a machine to the application's run time there.
 * docs/METHOD.md, section 5, explains estimators and interval. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/signature.h"
#include "model/times.h"

typedef struct StratumPrediction {
    double weight, rest;    /* number of occurrences: all, and those that are predicted */
    double time_s, total_s; /* duration of one occurrence, and of all predicted ones */
    bool measured;          /* false: another stratum's time, scaled by the ratio of both in the
                               trace */
} StratumPrediction;

typedef struct PhasePrediction {
    uint32_t id, n_ticks;
    uint64_t weight;
    double rest;    /* number of occurrences that were not executed, and are predicted */
    double time_s;  /* duration of one occurrence on the target; with strata, the mean of all */
    double total_s; /* what the predicted occurrences add to the prediction */
    double share;   /* total_s over the predicted time */
    bool measured;  /* false: time_s is the traced time × pace */
    const Phase *phase;
    uint32_t n_strata; /* 0: none */
    const StratumPrediction *strata;
} PhasePrediction;

typedef struct Prediction {
    const char *estimator;    /* the estimator that gives predicted_s */
    double predicted_s;       /* PET, corrected for phases that aren't relevant or weren't
                                 measured, with startup and shutdown */
    double interval_s[2];     /* 95 % */
    double pet_s;             /* the thesis's PET, equation 4.1: relevant phases alone, each at its slowest process's
                                 time, by their weights */
    double set_s;             /* the thesis's SET: one such occurrence of each relevant phase */
    double signature_s;       /* cost of executing the signature, launch included */
    double traced_s;          /* AET of the traced run, with the recorder, for comparison */
    double pace;              /* target's time over the traced time, for the measured stretches */
    double coverage;          /* share of the traced application's time in relevant phases */
    double measured_coverage; /* the same in phases that were measured */
    double stationarity;      /* δ: how far the rest of the traced run differs from what its
                               measured stretch says: 0.03 */
    double agreement;         /* share of the measured occurrences that are also in the traced run,
                               0..1 */
    double same_machine;      /* where trace and times are of the same machine: the share of their difference that is
                                 more than noise, 0..1. Only this share counts. Elsewhere 1 */
    double slowdown;          /* factor by which other programs may have slowed the measurement down; the interval
                                 reaches as far below, and above */
    double traced_slowdown;   /* the same of the traced run; above 1, it isn't believed more than the measurement */
    double drift;             /* half width, relative, that the interval would have by the drift between runs alone
                                 (noise/drift.h) */
    double steps;             /* how many times as many as the traced run had */
    uint64_t loop_times;      /* if they aren't as many: the iterations of the traced run's main loop, … */
    double loop_share;        /* … and its share of the traced time */
    uint32_t traced_runs;     /* that tell it; 0: another machine's do not */
    double order_variation;   /* what a lower agreement adds to the interval, as a relative
                               standard deviation */
    bool is_whole_run;        /* false: the signature is of a part of a run */
    /* as in PhaseTimes */
    uint32_t planned_states, measured_states;
    /* predicted_s = executed_s + Σ phases' total_s + correction_s + drawn_s + recording_s +
     * shutdown_s */
    double executed_s;   /* time of the executed part; by the estimator `slowest`, of the startup
                            alone */
    double correction_s; /* for a run that isn't stationary */
    double drawn_s;      /* towards the traced run of the same machine */
    double recording_s;  /* minus what the recorder takes; never positive */
    double events_per_s; /* occurrences of phases a second in the traced run: only there it can be divided */
    double shutdown_s;   /* from the last send-like event to MPI_Finalize */
    uint32_t n_estimates;
    struct {
        const char *estimator;
        double predicted_s;
    } estimates[4]; /* every estimator's answer */
    uint32_t n_phases;
    const PhasePrediction *phases; /* by decreasing total_s */
} Prediction;

/* The names of the estimators, the usual one first. NULL: there are no more. */
const char *prediction_estimator_name(size_t index);

/* ERR_INPUT: the times belong to another application, or hold phases that the signature doesn't
 * have. ERR_USAGE: unknown estimator. Results in the arena. */
bool predict_run_time(const Signature *signature, const PhaseTimes *times, const char *estimator, Arena *arena,
                      Prediction *prediction, Err *err);

/* The same of a run with `steps` times as many steps as the traced run: its main loop (signature_steps()) has so many
 * times as many iterations. What comes before and behind stays. ERR_INPUT also if there is no
 * such loop, or if fewer steps are left than were executed. */
bool predict_steps_time(const Signature *signature, const PhaseTimes *times, const char *estimator, double steps,
                        Arena *arena, Prediction *prediction, Err *err);

/* PETE: 100 |predicted - actual| / actual. */
double prediction_error_percent(double predicted_s, double actual_s);
