/* SPDX-License-Identifier: BSD-3-Clause */
/* The common starting point of all estimators: what each phase still has to do, and how long its
 * occurrences take on the target. Private to predict/. */
#pragma once

#include "model/signature.h"
#include "model/times.h"
#include "signature/noise/drift.h"
#include "signature/noise/noise.h"
#include "signature/predict/measured.h"

/* What a stretch says of a phase's strata: occurrences and their mean duration there, and the mean
 * duration in the whole traced run. Durations are means over processes, by the clock of the
 * stretch's machine. */
typedef struct StrataSample {
    double occurrences[STRATA_LIMIT], mean_s[STRATA_LIMIT], whole_s[STRATA_LIMIT];
} StrataSample;

/* A phase as it was measured, and as it goes on after the measured stretch in the traced run. */
typedef struct PhaseOutlook {
    const Phase *phase;
    const MeasuredPhase *measured; /* NULL: the phase isn't in the measured stretch */
    double rest;                   /* occurrences after the executed prefix */
    uint32_t n_strata;             /* 1: the phase has no strata, or the measurement doesn't
                                      distinguish them */
    double stratum_weight[STRATA_LIMIT], stratum_rest[STRATA_LIMIT];
    StrataSample here, traced; /* the measured stretch on the target, and in the traced run */
} PhaseOutlook;

/* The pace of what a run computes and waits for (the path, LogicalEvent.path_ns), and the pace of
 * its other time: messages, files, sleep. */
typedef struct Paces {
    double path, other;
} Paces;

/* What a run of another number of steps has more, or less, than the traced one: iterations of its main loop. */
typedef struct FurtherSteps {
    double iterations;     /* below 0: less; 0: the run is as long as the traced one */
    double *weights;       /* [n_phases] occurrences of each phase in an iteration */
    SequencePeriod period; /* the loop in the traced run */
    double iteration_s;    /* time of a typical iteration there, without what is slow at the run's ends alone */
} FurtherSteps;

typedef struct Outlook {
    const Signature *signature;
    const PhaseTimes *times;
    PhaseOutlook *phases; /* [signature->n_phases] */
    FurtherSteps further;
    Stretches measured;
    Noise noise;             /* of the traced machine */
    Noise noise_here;        /* of the target; if it isn't known, that of the traced machine */
    Drift drift;             /* of the target */
    bool is_traced_machine;  /* the target is the machine of the traced run */
    double pace;             /* target's time over the traced time, for the measured stretches */
    Paces paces;             /* its two parts */
    double *process_factors; /* [n_processes] by which durations are changed, see processes.c */
    double stationarity;     /* of the traced run, see predict.h */
    double correction_s;     /* time on the target that the rest of the run takes beyond the measured
                            durations */
    double stretch_variance; /* relative, of the difference between the measured stretch here and in the
                                traced run */
    double variance;         /* relative, of the part that wasn't executed: the noise of the measured
                            stretch, of the correction, and of another run */
    double another_variance; /* relative, of the difference between two whole runs, without drift: part of
                                `variance` */
} Outlook;

/* The least expected error has the estimate times this factor, if its true value is near 0 and its
 * error has the variance (James and Stein). */
double shrinkage(double estimate, double variance);

/* steps: how many times as many as the traced run had. ERR_INPUT: the times hold phases or strata that the signature
 * doesn't have; or nothing tells what further steps repeat, or fewer ones leave nothing to predict. */
bool outlook_make(const Signature *signature, const PhaseTimes *times, double steps, Arena *arena, Outlook *outlook,
                  Err *err);

/* Whether the stratum was measured. For a phase without strata, the stratum is 0. */
bool outlook_is_measured(const Outlook *outlook, uint32_t phase_index, uint32_t stratum);

/* Duration on the target of an occurrence of a stratum, in one process. If the stratum wasn't
 * measured, another stratum's measured mean times the ratio of both in the trace. If no stratum was
 * measured, the traced duration × pace. What is only noise in few measured occurrences doesn't
 * count, nor what is special in those of the measured stretch. */
double outlook_duration_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process);

/* The same, mean over processes. */
double outlook_mean_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum);

/* Number of occurrences of a stratum that were not executed and in which the process takes part. */
double outlook_rest(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process);

/* Sets process_factors. noise_variance: relative, of the difference between two measurements of a
 * stretch. */
void outlook_balance(Outlook *outlook, double noise_variance);

/* The same for the slowest process (PhaseET of the thesis). */
double outlook_slowest_s(const Outlook *outlook, uint32_t phase_index, uint32_t stratum);

/* How well the prediction is known, relative to the part of the run that was not executed. */
Deviation outlook_deviation(const Outlook *outlook);
