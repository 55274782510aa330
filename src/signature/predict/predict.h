/* SPDX-License-Identifier: BSD-3-Clause */
/* From a signature and its phase times on a machine to the application's run time there. docs/METHOD.md explains the
 * estimators and the interval. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/signature.h"
#include "model/times.h"

typedef struct StratumPrediction {
    double weight, rest;    /* occurrences: all, and those that are predicted */
    double time_s, total_s; /* of one, and of those that are predicted */
    bool measured;          /* false: another stratum's time, scaled by what the trace says of the two */
} StratumPrediction;

typedef struct PhasePrediction {
    uint32_t id, n_ticks;
    uint64_t weight;
    double rest;    /* occurrences that were not executed, and are predicted */
    double time_s;  /* of one occurrence on the target; with strata the mean of all */
    double total_s; /* what these occurrences add to the prediction */
    double share;   /* total_s over the predicted time */
    bool measured;  /* false: time_s is the traced time × speed */
    const Phase *phase;
    uint32_t n_strata; /* 0: none */
    const StratumPrediction *strata;
} PhasePrediction;

typedef struct Prediction {
    const char *estimator;    /* the one that predicted_s comes from */
    double predicted_s;       /* PET, corrected for what isn't relevant or wasn't measured, with startup and shutdown */
    double interval_s[2];     /* 95 % */
    double pet_s;             /* the thesis's: relevant phases alone, by the same estimator */
    double set_s;             /* the thesis's SET: one occurrence of each relevant phase */
    double signature_s;       /* what executing the signature cost, launch included */
    double traced_s;          /* AET of the traced run, for comparison */
    double speed;             /* target's time over the traced run's, on the measured stretch */
    double coverage;          /* share of the traced application's time in relevant phases */
    double measured_coverage; /* … in phases that were measured */
    double stationarity;    /* by how much the rest of the traced run took more than its measured stretch says: 0.03 */
    double agreement;       /* share of the measured occurrences that are the traced run's phases, 0..1 */
    double order_variation; /* what their disagreement adds to the interval: relative standard deviation */
    /* predicted_s = executed_s + Σ phases' total_s + correction_s + shutdown_s */
    double executed_s;   /* what ran, as it ran: startup, warm-up, windows; by the estimator `slowest` startup alone */
    double correction_s; /* for a run that isn't stationary */
    double shutdown_s;   /* last event to MPI_Finalize */
    uint32_t n_estimates;
    struct {
        const char *estimator;
        double predicted_s;
    } estimates[4]; /* every estimator's answer */
    uint32_t n_phases;
    const PhasePrediction *phases; /* by decreasing total_s */
} Prediction;

/* The names of the estimators, the usual one first; NULL behind the last. */
const char *prediction_estimator_name(size_t index);

/* ERR_INPUT if the times aren't the signature's (other application, phases that it doesn't have); ERR_USAGE: no such
 * estimator. */
bool predict_run_time(const Signature *signature, const PhaseTimes *times, const char *estimator, Arena *arena,
                      Prediction *prediction, Err *err);

/* PETE: 100 |predicted - actual| / actual. */
double prediction_error_percent(double predicted_s, double actual_s);
